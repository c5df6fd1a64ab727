import { Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import form from '../../parts/forms/form.module.css'
import { Section } from '../../parts/layout/section.tsx'
import { features, type ManifestForm } from './manifest-form.ts'
import { ManifestSettings } from './manifest-settings.tsx'

/** All fields of the description of a widget. */
export function ManifestFields({ form: fields }: { form: ManifestForm }) {
  const { t } = useTranslation()
  return (
    <>
      <Section beside title={t('manifest.about')} lead={t('manifest.about_lead')}>
        <div className={form.form}>
          <TextInput
            label={t('manifest.code')}
            description={t('manifest.code_hint')}
            maxLength={64}
            spellCheck={false}
            required
            {...fields.getInputProps('code')}
          />
          <TextInput
            label={t('manifest.version')}
            maxLength={32}
            required
            {...fields.getInputProps('version')}
          />
        </div>
      </Section>
      <Section beside title={t('manifest.settings')} lead={t('manifest.settings_lead')}>
        <ManifestSettings form={fields} />
      </Section>
      <Section beside title={t('manifest.calls')} lead={t('manifest.calls_lead')}>
        <div className={form.form}>
          <TextInput
            type="url"
            label={t('manifest.webhook_url')}
            placeholder="https://"
            maxLength={2048}
            spellCheck={false}
            {...fields.getInputProps('webhook_url')}
          />
        </div>
      </Section>
      <Section beside title={t('manifest.features')} lead={t('manifest.features_lead')}>
        <div className={form.checks}>
          {features.map((feature) => (
            <Switch
              key={feature}
              size="xs"
              label={t(`manifest.${feature}`)}
              description={<code>{feature}</code>}
              {...fields.getInputProps(feature, { type: 'checkbox' })}
            />
          ))}
        </div>
      </Section>
    </>
  )
}
