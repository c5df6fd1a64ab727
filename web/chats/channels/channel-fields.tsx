import { Radio, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { integrationsOptions } from '../../data/integrations.ts'
import form from '../../parts/forms/form.module.css'
import { Section } from '../../parts/layout/section.tsx'
import type { ChannelForm } from './channel-form.ts'

/** All fields of a new or existing channel. */
export function ChannelFields({ form: fields }: { form: ChannelForm }) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('channel.about')} lead={t('channel.about_lead')}>
        <div className={form.form}>
          <TextInput
            label={t('field.name')}
            description={t('channel.name_hint')}
            maxLength={255}
            required
            {...fields.getInputProps('name')}
          />
          <IntegrationField form={fields} />
        </div>
      </Section>
      <Section beside title={t('channel.callback')} lead={t('channel.callback_lead')}>
        <div className={form.form}>
          <TextInput
            type="url"
            label={t('channel.callback_url')}
            description={t('channel.scope_hint', { scope_id: ':scope_id' })}
            placeholder="https://"
            maxLength={2048}
            spellCheck={false}
            required
            {...fields.getInputProps('callback_url')}
          />
        </div>
      </Section>
      <Choice form={fields} field="delivery" options={['retry', 'once']} />
      <Choice form={fields} field="protocol" options={['spec', 'live']} />
    </>
  )
}

function Choice({
  form: fields,
  field,
  options,
}: {
  form: ChannelForm
  field: 'delivery' | 'protocol'
  options: string[]
}) {
  const { t } = useTranslation()
  return (
    <Section beside title={t(`channel.${field}.title`)} lead={t(`channel.${field}.lead`)}>
      <Radio.Group {...fields.getInputProps(field)} aria-label={t(`channel.${field}.title`)}>
        <div className={form.checks}>
          {options.map((value) => (
            <Radio
              key={value}
              value={value}
              size="xs"
              label={t(`channel.${field}.${value}` as 'channel.protocol.spec')}
              description={t(`channel.${field}.${value}_hint` as 'channel.protocol.spec_hint')}
            />
          ))}
        </div>
      </Radio.Group>
    </Section>
  )
}

function IntegrationField({ form: fields }: { form: ChannelForm }) {
  const { t } = useTranslation()
  const { data: integrations = [] } = useQuery(integrationsOptions)
  return (
    <Select
      label={t('channel.integration')}
      description={t('channel.integration_hint')}
      data={[
        { value: '', label: t('channel.no_integration') },
        ...integrations.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      {...fields.getInputProps('integration_id')}
    />
  )
}
