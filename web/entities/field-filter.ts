import type { CustomField } from '../data/fields.ts'
import type { Filter, FilterWords } from '../parts/filter.ts'
import { choiceFilter } from '../parts/filter-choices.tsx'
import { numbersFilter } from '../parts/filter-numbers.tsx'
import { textFilter } from '../parts/filter-text.tsx'
import { timesFilter } from '../parts/filter-times.tsx'

interface Asked {
  name: string
  title: string
  member: string
}
type Make = (words: FilterWords, asked: Asked, field: CustomField) => Filter

const choices: Make = (words, asked, { enums, nested }) =>
  choiceFilter(words, {
    ...asked,
    choices: (enums ?? nested ?? [])
      .toSorted((a, b) => a.sort - b.sort)
      .map(({ id, value }) => ({ value: String(id), label: value })),
  })
const numbers: Make = (words, asked) =>
  numbersFilter(words, { ...asked, write: words.format.decimal, hasDecimals: true })
const days: Make = (words, asked) => timesFilter(words, { ...asked, spans: 'ahead', isOfDays: true })
const money: Make = (words, asked, { currency }) =>
  numbersFilter(words, {
    ...asked,
    write: (value) => (currency ? words.format.amount(value, currency) : words.format.decimal(value)),
    hasDecimals: true,
  })

/** How each type of field is asked for; the values of all others are texts. */
const kinds: Partial<Record<CustomField['type'], Make>> = {
  select: choices,
  multiselect: choices,
  radiobutton: choices,
  category: choices,
  numeric: numbers,
  price: money,
  monetary: money,
  date: days,
  birthday: days,
  date_time: (words, asked) => timesFilter(words, { ...asked, spans: 'ahead' }),
  checkbox: (words, asked) =>
    choiceFilter(words, {
      ...asked,
      isSingle: true,
      choices: [
        { value: '1', label: words.t('value.yes') },
        { value: '0', label: words.t('value.no') },
      ],
    }),
}

/** Narrows a list by what its records have in a field of the account. */
export const fieldFilter = (words: FilterWords, field: CustomField): Filter =>
  (kinds[field.type] ?? textFilter)(
    words,
    { name: `field_${field.id}`, title: field.name, member: `filter[custom_fields_values][${field.id}]` },
    field,
  )
