import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import type { CustomField } from '../data/fields.ts'
import { type Filter, type FilterWords, isOf, type Search } from '../parts/filters/filter.ts'
import { choiceFilter } from '../parts/filters/filter-choices.tsx'
import { numbersFilter } from '../parts/filters/filter-numbers.tsx'
import { textFilter } from '../parts/filters/filter-text.tsx'
import { timesFilter } from '../parts/filters/filter-times.tsx'

interface Target {
  name: string
  title: string
  member: string
}
type Make = (words: FilterWords, target: Target, field: CustomField) => Filter

const choices: Make = (words, target, { enums, nested }) =>
  choiceFilter(words, {
    ...target,
    choices: (enums ?? nested ?? [])
      .toSorted((a, b) => a.sort - b.sort)
      .map(({ id, value }) => ({ value: String(id), label: value })),
  })
const numbers: Make = (words, target) =>
  numbersFilter(words, { ...target, write: words.format.decimal, hasDecimals: true })
const days: Make = (words, target) => timesFilter(words, { ...target, spans: 'ahead', isOfDays: true })
const money: Make = (words, target, { currency }) =>
  numbersFilter(words, {
    ...target,
    write: (value) => (currency ? words.format.money(value, currency) : words.format.decimal(value)),
    hasDecimals: true,
  })

const kinds: Record<FieldType, Make> = {
  text: textFilter,
  textarea: textFilter,
  streetaddress: textFilter,
  url: textFilter,
  org_legal_name: textFilter,
  tracking_data: textFilter,
  multitext: textFilter,
  smart_address: textFilter,
  legal_entity: textFilter,
  payer: textFilter,
  supplier: textFilter,
  linked_entity: textFilter,
  items: textFilter,
  chained_list: textFilter,
  file: textFilter,
  select: choices,
  multiselect: choices,
  radiobutton: choices,
  category: choices,
  numeric: numbers,
  price: money,
  monetary: money,
  date: days,
  birthday: days,
  date_time: (words, target) => timesFilter(words, { ...target, spans: 'ahead' }),
  checkbox: (words, target) =>
    choiceFilter(words, {
      ...target,
      isSingle: true,
      choices: [
        { value: '1', label: words.t('value.yes') },
        { value: '0', label: words.t('value.no') },
      ],
    }),
}

const MEMBER = 'filter[custom_fields_values]'
const FIELD = /^filter\[custom_fields_values\]\[(\d+)\]/

/** Returns the filters of an address or a saved view by fields that were deleted since, so that a person can remove them. */
export function goneFieldFilters({ t }: FilterWords, search: Search, fields: CustomField[]): Filter[] {
  const named = new Set(Object.keys(search).flatMap((name) => FIELD.exec(name)?.[1] ?? []))
  for (const { id } of fields) named.delete(String(id))
  return [...named].map((id) => ({
    name: `field_${id}`,
    title: t('list.gone_field'),
    owns: isOf(`${MEMBER}[${id}]`),
    describe: () => null,
    Editor: () => t('list.gone_field_text'),
  }))
}

/** Returns a filter by a custom field. */
export const fieldFilter = (words: FilterWords, field: CustomField): Filter =>
  kinds[field.type](
    words,
    { name: `field_${field.id}`, title: field.name, member: `${MEMBER}[${field.id}]` },
    field,
  )
