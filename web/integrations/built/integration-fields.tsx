import { Checkbox, Radio, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import form from '../../parts/forms/form.module.css'
import { Section } from '../../parts/layout/section.tsx'
import { allPermissions } from '../permission-list.tsx'
import { DescriptionField } from './description-field.tsx'
import type { IntegrationForm } from './integration-form.ts'

interface FieldsProps {
  form: IntegrationForm
  /** The icon is stored separately from the other fields. */
  icon: React.ReactNode
  /** Rendered below the redirect URI. */
  redirect?: React.ReactNode
}

/** All fields of a new or existing integration. */
export function IntegrationFields({ form: fields, icon, redirect }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('form.about')} lead={t('form.about_lead')}>
        <div className={form.form}>
          <TextInput label={t('field.name')} maxLength={255} required {...fields.getInputProps('name')} />
          {icon}
          <DescriptionField {...fields.getInputProps('description')} />
        </div>
      </Section>
      <Section beside title={t('form.addresses')}>
        <div className={form.form}>
          <TextInput
            type="url"
            label={t('field.redirect_uri')}
            description={t('form.redirect_hint')}
            placeholder="https://"
            maxLength={2048}
            spellCheck={false}
            required
            {...fields.getInputProps('redirect_uri')}
          />
          {redirect}
          <TextInput
            type="url"
            label={t('field.disable_hook_url')}
            description={t('form.hook_hint')}
            placeholder="https://"
            maxLength={2048}
            spellCheck={false}
            {...fields.getInputProps('disable_hook_url')}
          />
        </div>
      </Section>
      <PermissionFields form={fields} />
      <AccessFields form={fields} />
      <AbilityFields form={fields} />
    </>
  )
}

function PermissionFields({ form: fields }: { form: IntegrationForm }) {
  const { t } = useTranslation()
  return (
    <Section beside title={t('form.permissions')} lead={t('form.permissions_lead')}>
      <Checkbox.Group {...fields.getInputProps('permissions')} aria-label={t('form.permissions')}>
        <div className={form.checks}>
          {allPermissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              size="xs"
              label={t(`permission.${permission}.title`)}
              description={`${t(`permission.${permission}.text`)} (${permission})`}
            />
          ))}
        </div>
      </Checkbox.Group>
    </Section>
  )
}

function AccessFields({ form: fields }: { form: IntegrationForm }) {
  const { t } = useTranslation()
  return (
    <Section beside title={t('form.access')}>
      <Radio.Group {...fields.getInputProps('access')} aria-label={t('form.access')}>
        <div className={form.checks}>
          {(['private', 'public'] as const).map((access) => (
            <Radio
              key={access}
              value={access}
              size="xs"
              label={t(`integrations.access.${access}`)}
              description={t(`form.access_${access}`)}
            />
          ))}
        </div>
      </Radio.Group>
    </Section>
  )
}

const abilities = ['duplicate_control', 'multiple_sources', 'has_widget', 'revoke_on_reuse'] as const

function AbilityFields({ form: fields }: { form: IntegrationForm }) {
  const { t } = useTranslation()
  return (
    <Section beside title={t('form.abilities')}>
      <div className={form.checks}>
        {abilities.map((ability) => (
          <Switch
            key={ability}
            size="xs"
            label={t(`form.${ability}`)}
            description={t(`form.${ability}_hint`)}
            {...fields.getInputProps(ability, { type: 'checkbox' })}
          />
        ))}
      </div>
    </Section>
  )
}
