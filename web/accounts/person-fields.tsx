import { Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupsOptions, rolesOptions } from '../data/accounts.ts'
import { languageNames, languages } from '../i18n/i18n.ts'
import classes from '../parts/forms/form.module.css'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Section } from '../parts/layout/section.tsx'
import { ownRights, type PersonForm } from './person-form.ts'
import { RightsMatrix } from './rights-matrix.tsx'
import { RightsSummary } from './rights-summary.tsx'

interface PersonFieldsProps {
  form: PersonForm
  isNew: boolean
  /** Administrators cannot take the access from themselves. */
  isOwn?: boolean
}

/** The fields of a new or existing person. Existing people cannot change the email that they sign in with. */
export function PersonFields({ form, isNew, isOwn = false }: PersonFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('person.about')}>
        <div className={classes.form}>
          <TextInput label={t('field.person_name')} maxLength={50} required {...form.getInputProps('name')} />
          <TextInput
            type="email"
            label={t('field.email')}
            maxLength={254}
            autoComplete="off"
            readOnly={!isNew}
            required={isNew}
            {...form.getInputProps('email')}
          />
          {isNew && (
            <PasswordField
              label={t('person.password')}
              description={t('person.password_hint')}
              autoComplete="new-password"
              maxLength={256}
              required
              {...form.getInputProps('password')}
            />
          )}
          <div className={classes.pair}>
            <TextInput label={t('field.phone')} maxLength={40} {...form.getInputProps('phone_number')} />
            <Select
              label={t('field.language')}
              data={languages.map((value) => ({ value, label: languageNames[value] }))}
              {...form.getInputProps('lang')}
            />
          </div>
        </div>
      </Section>
      <RightsSection form={form} isOwn={isOwn} />
    </>
  )
}

function RightsSection({ form, isOwn }: Required<Pick<PersonFieldsProps, 'form' | 'isOwn'>>) {
  const { t } = useTranslation()
  const { data: roles = [] } = useQuery(rolesOptions)
  const { data: groups = [] } = useQuery(groupsOptions)
  const { is_admin, role_id, rights } = form.values
  const role = roles.find(({ id }) => String(id) === role_id)
  return (
    <Section beside title={t('person.rights')} lead={t('person.rights_lead')}>
      <div className={classes.form}>
        <Switch
          size="xs"
          label={t('people.administrator')}
          description={t(isOwn ? 'person.administrator_own' : 'person.administrator_hint')}
          disabled={isOwn}
          {...form.getInputProps('is_admin', { type: 'checkbox' })}
        />
        <div className={classes.pair}>
          <Select
            label={t('field.group')}
            data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
            {...form.getInputProps('group_id')}
          />
          <Select
            label={t('field.role')}
            disabled={is_admin}
            data={[
              { value: ownRights, label: t('people.own_rights') },
              ...roles.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            {...form.getInputProps('role_id')}
          />
        </div>
      </div>
      {!is_admin && role_id === ownRights && (
        <div className={classes.after}>
          <RightsMatrix value={rights} onChange={(next) => form.setFieldValue('rights', next)} />
        </div>
      )}
      <div className={classes.after}>
        <h3>{t('rights.sees')}</h3>
        <RightsSummary rights={role?.rights ?? rights} administrator={is_admin} />
      </div>
    </Section>
  )
}
