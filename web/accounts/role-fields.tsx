import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../parts/forms/form.module.css'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { RightsMatrix } from './rights-matrix.tsx'
import { RightsSummary } from './rights-summary.tsx'
import type { RoleForm } from './role-page.tsx'

export function RoleFields({ form, error }: { form: RoleForm; error: Error | null }) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('roles.name')}>
        <div className={classes.form}>
          <ProblemCallout error={error} />
          <TextInput
            aria-label={t('roles.name')}
            placeholder={t('roles.name_example')}
            maxLength={255}
            required
            {...form.getInputProps('name')}
          />
        </div>
      </Section>
      <Section beside title={t('rights.title')} lead={t('rights.lead')}>
        <RightsMatrix
          value={form.values.rights}
          onChange={(rights) => form.setFieldValue('rights', rights)}
        />
      </Section>
      <Section beside title={t('roles.what_is_seen')}>
        <RightsSummary rights={form.values.rights} />
      </Section>
    </>
  )
}
