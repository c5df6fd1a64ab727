import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { addressParts, type FieldType } from '../../src/custom-fields/fields/field-types.ts'
import { accountOptions } from '../data/accounts.ts'
import { useFormat } from '../parts/texts/format.ts'
import { dayOf, type FieldOfValue, secondsOfDay, textsOf, type Values, type WireValue } from './values.ts'

/** The locale and the currency for formatting. */
interface Formatting {
  format: ReturnType<typeof useFormat>
  currency: string
  yes: string
  no: string
}
type Text = (values: readonly WireValue[], field: FieldOfValue, formatting: Formatting) => string

const plain: Text = (values) => textsOf(values).join(', ')
const day: Text = (values, _field, { format }) =>
  values.map(({ value }) => format.calendarDay(secondsOfDay(dayOf(Number(value))))).join(', ')
const amount: Text = (values, field, { format, currency }) =>
  textsOf(values)
    .map((value) => format.money(value, field.currency ?? currency))
    .join(', ')
const named: Text = (values) => values.map(({ value }) => nameOf(value)).join(', ')

/** Formats the values of a type in one line. */
const texts: Record<FieldType, Text> = {
  text: plain,
  textarea: plain,
  streetaddress: plain,
  url: plain,
  org_legal_name: plain,
  tracking_data: plain,
  multitext: plain,
  select: plain,
  multiselect: plain,
  radiobutton: plain,
  category: plain,
  numeric: (values, _field, { format }) =>
    textsOf(values)
      .map((value) => format.decimal(value))
      .join(', '),
  checkbox: (values, _field, { yes, no }) => (values[0]?.value === true ? yes : no),
  date: day,
  birthday: day,
  date_time: (values, _field, { format }) =>
    values.map(({ value }) => format.dateTime(Number(value))).join(', '),
  monetary: amount,
  price: amount,
  smart_address: (values) => {
    const parts = new Map(values.map(({ enum_code, value }) => [enum_code, String(value)]))
    return addressParts.flatMap((part) => parts.get(part) ?? []).join(', ')
  },
  legal_entity: named,
  payer: named,
  linked_entity: named,
  items: (values, _field, { format }) =>
    values
      .map(({ value }) => {
        const { quantity } = value as { quantity?: number }
        return quantity === undefined ? nameOf(value) : `${nameOf(value)} × ${format.decimal(quantity)}`
      })
      .join(', '),
  file: named,
  supplier: (values) =>
    values.map(({ value }) => `#${(value as { entity_id: number }).entity_id}`).join(', '),
  chained_list: (values) => values.map(({ catalog_element_id }) => `#${catalog_element_id}`).join(' › '),
}

/** Returns the name of a structured value. */
export function nameOf(value: unknown): string {
  const { name, description, sku, file_name, file_uuid, external_uid, entity_id } = value as Record<
    string,
    unknown
  >
  const found = name ?? description ?? file_name ?? sku ?? external_uid ?? file_uuid
  return found === undefined || found === null ? `#${String(entity_id ?? '')}` : String(found)
}

/** Returns a function that formats the values of a field in one line; empty if there are none. */
export function useFieldText(): (field: FieldOfValue, values: Values) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const currency = account?.currency ?? 'EUR'
  return useMemo(() => {
    const formatting = { format, currency, yes: t('value.yes'), no: t('value.no') }
    return (field, values) =>
      values === undefined || values.length === 0 ? '' : texts[field.type](values, field, formatting)
  }, [t, format, currency])
}
