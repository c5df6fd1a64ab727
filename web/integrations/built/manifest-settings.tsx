import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type SettingType, settingTypes } from '../../../src/integrations/widgets/setting-types.ts'
import form from '../../parts/forms/form.module.css'
import classes from './manifest.module.css'
import { type ManifestForm, newSetting } from './manifest-form.ts'

const MOST_SETTINGS = 50

/** The settings that a widget has in each account. */
export function ManifestSettings({ form: fields }: { form: ManifestForm }) {
  const { t } = useTranslation()
  const { settings_template } = fields.values
  const error = fields.errors.settings_template
  return (
    <div className={form.form}>
      {settings_template.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a setting is known by its place while it is written
        <SettingFields key={at} form={fields} at={at} />
      ))}
      {error && (
        <p role="alert" className={classes.fault}>
          {error}
        </p>
      )}
      {settings_template.length < MOST_SETTINGS && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={15} />}
            onClick={() => fields.insertListItem('settings_template', newSetting)}
          >
            {t('manifest.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

function SettingFields({ form: fields, at }: { form: ManifestForm; at: number }) {
  const { t } = useTranslation()
  const number = at + 1
  const propsOf = (member: string, options?: { type: 'checkbox' }) =>
    fields.getInputProps(`settings_template.${at}.${member}`, options)
  const remove = t('manifest.remove', { number })
  return (
    <fieldset aria-label={t('manifest.setting', { number })} className={classes.setting}>
      <div className={form.pair}>
        <TextInput label={t('manifest.key')} maxLength={64} spellCheck={false} required {...propsOf('key')} />
        <TextInput label={t('field.name')} maxLength={255} {...propsOf('name')} />
      </div>
      <Select
        label={t('manifest.type')}
        allowDeselect={false}
        data={settingTypes.map((value: SettingType) => ({ value, label: t(`manifest.types.${value}`) }))}
        {...propsOf('type')}
      />
      <div className={classes.line}>
        <Checkbox
          size="xs"
          label={t('manifest.required')}
          {...propsOf('is_required', { type: 'checkbox' })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={remove}
          title={remove}
          onClick={() => fields.removeListItem('settings_template', at)}
        >
          <IconX size={15} />
        </ActionIcon>
      </div>
    </fieldset>
  )
}
