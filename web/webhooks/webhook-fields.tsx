import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WebhookCode } from '../../src/webhooks/webhook-types.ts'
import form from '../parts/forms/form.module.css'
import { Section } from '../parts/layout/section.tsx'
import { type CodeGroup, codeGroups } from './code-groups.ts'
import { SampleRequest } from './sample-request.tsx'
import type { WebhookForm } from './webhook-form.ts'
import classes from './webhooks.module.css'

/** All fields of a new or existing webhook, and an example of a request. */
export function WebhookFields({ form: fields }: { form: WebhookForm }) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('webhooks.form.address')} lead={t('webhooks.form.address_lead')}>
        <div className={form.form}>
          <TextInput
            type="url"
            label={t('webhooks.form.url')}
            placeholder="https://"
            maxLength={2048}
            spellCheck={false}
            required
            {...fields.getInputProps('destination')}
          />
        </div>
      </Section>
      <Section beside title={t('webhooks.form.changes')} lead={t('webhooks.form.changes_lead')}>
        <Codes form={fields} />
      </Section>
      <Section beside title={t('webhooks.sample.title')} lead={t('webhooks.sample.lead')}>
        <SampleRequest settings={fields.values.settings} />
      </Section>
    </>
  )
}

function Codes({ form: fields }: { form: WebhookForm }) {
  const { settings } = fields.values
  const choose = (codes: readonly WebhookCode[], isChosen: boolean) => {
    const others = settings.filter((code) => !codes.some((one) => one === code))
    fields.setFieldValue('settings', isChosen ? [...others, ...codes] : others)
  }
  return (
    <div className={classes.groups}>
      {fields.errors.settings && (
        <p role="alert" className={classes.fault}>
          {fields.errors.settings}
        </p>
      )}
      {[...codeGroups].map(([group, codes]) => (
        <Group key={group} group={group} codes={codes} chosen={settings} onChoose={choose} />
      ))}
    </div>
  )
}

interface GroupProps {
  group: CodeGroup
  codes: readonly WebhookCode[]
  chosen: readonly string[]
  onChoose: (codes: readonly WebhookCode[], isChosen: boolean) => void
}

function Group({ group, codes, chosen, onChoose }: GroupProps) {
  const { t } = useTranslation()
  const count = codes.filter((code) => chosen.includes(code)).length
  const title = t(`webhooks.groups.${group}`)
  return (
    <fieldset className={classes.group}>
      <legend>
        <Checkbox
          size="xs"
          label={title}
          aria-label={t('webhooks.form.all_of', { group: title })}
          checked={count === codes.length}
          indeterminate={count > 0 && count < codes.length}
          onChange={({ currentTarget }) => onChoose(codes, currentTarget.checked)}
        />
      </legend>
      <div className={classes.codes}>
        {codes.map((code) => (
          <Checkbox
            key={code}
            size="xs"
            label={t(`webhooks.codes.${code}`)}
            description={<code>{code}</code>}
            checked={chosen.includes(code)}
            onChange={({ currentTarget }) => onChoose([code], currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
