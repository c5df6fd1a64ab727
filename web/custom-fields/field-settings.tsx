import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { type TypeSetting, typeOf } from '../../src/custom-fields/fields/field-types.ts'
import { catalogsOptions } from '../data/catalogs.ts'
import { type Collection, wordOf } from '../data/records.ts'
import { useClearable } from '../parts/forms/use-clearable.ts'
import type { FieldForm } from './field-dialog.tsx'
import { StagesSelect } from './stages-select.tsx'

interface FieldSettingsProps {
  collection: Collection
  form: FieldForm
  /** The field belongs to a service, so only its position and stages can change. */
  disabled: boolean
}

/** The stages that require a field, and the settings of its type. */
export function FieldSettings({ collection, form, disabled }: FieldSettingsProps) {
  const { t } = useTranslation()
  const kind = wordOf(collection)
  const { setting } = typeOf(form.values.type)
  const Setting = setting && settings[setting]
  return (
    <>
      {!disabled && Setting && <Setting form={form} />}
      {kind === 'leads' && (
        <>
          <StagesSelect
            label={t('fields.required_statuses')}
            value={form.values.required_statuses}
            onChange={(places) => form.setFieldValue('required_statuses', places)}
          />
          <StagesSelect
            label={t('fields.hidden_statuses')}
            value={form.values.hidden_statuses}
            onChange={(places) => form.setFieldValue('hidden_statuses', places)}
          />
        </>
      )}
      {!disabled && kind === 'elements' && (
        <>
          <Checkbox
            label={t('fields.is_required')}
            {...form.getInputProps('is_required', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('fields.is_visible')}
            {...form.getInputProps('is_visible', { type: 'checkbox' })}
          />
        </>
      )}
      {!disabled && (
        <>
          <Checkbox
            label={t('fields.is_api_only')}
            description={t('fields.is_api_only_hint')}
            {...form.getInputProps('is_api_only', { type: 'checkbox' })}
          />
          <TextInput
            label={t('fields.code')}
            description={t('fields.code_hint')}
            maxLength={255}
            {...form.getInputProps('code')}
          />
        </>
      )}
    </>
  )
}

const REMINDERS = ['never', 'day', 'week', 'month'] as const
const PLACES = ['contacts', 'companies', 'catalog_elements'] as const
/** Maximum number of lists in a chain. */
const MOST_LISTS = 5

interface SettingProps {
  form: FieldForm
}

const settings: Record<TypeSetting, ComponentType<SettingProps>> = {
  remind: Reminder,
  currency: Currency,
  chained_lists: Chain,
  search_in: SearchIn,
  tracking_callback: TrackingCallback,
}

function Reminder({ form }: SettingProps) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('fields.remind')}
      data={REMINDERS.map((value) => ({ value, label: t(`fields.reminders.${value}`) }))}
      allowDeselect={false}
      value={form.values.remind ?? 'never'}
      onChange={(remind) => form.setFieldValue('remind', remind as (typeof REMINDERS)[number])}
    />
  )
}

function Currency({ form }: SettingProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.currency')}
      description={t('fields.currency_hint')}
      maxLength={3}
      value={form.values.currency}
      onChange={({ currentTarget }) => form.setFieldValue('currency', currentTarget.value.toUpperCase())}
      error={form.errors.currency}
    />
  )
}

function Chain({ form }: SettingProps) {
  const { t } = useTranslation()
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  return (
    <MultiSelect
      label={t('fields.chain')}
      description={t('fields.chain_hint')}
      maxValues={MOST_LISTS}
      data={catalogs.map(({ id, name }) => ({ value: String(id), label: name }))}
      {...form.getInputProps('lists')}
    />
  )
}

function SearchIn({ form }: SettingProps) {
  const { t } = useTranslation()
  const clearable = useClearable()
  return (
    <Select
      label={t('fields.search_in')}
      {...clearable(t('fields.search_in'))}
      data={PLACES.map((value) => ({ value, label: t(`fields.places.${value}`) }))}
      {...form.getInputProps('search_in')}
    />
  )
}

function TrackingCallback({ form }: SettingProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.tracking_callback')}
      maxLength={2_048}
      {...form.getInputProps('tracking_callback')}
    />
  )
}
