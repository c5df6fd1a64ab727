import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../src/entities/records/amount-types.ts'
import { fieldKinds } from '../custom-fields/field-kinds.ts'
import { FieldValue } from '../custom-fields/field-value.tsx'
import { valuesIn } from '../custom-fields/values.ts'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { type AnyRecord, type Collection, wordOf } from '../data/records.ts'
import type { ListColumn } from '../parts/lists/list-column.ts'
import { RowLink } from '../parts/lists/row-link.tsx'
import classes from './list.module.css'
import {
  type CellWords,
  ContactCell,
  LinkedCell,
  MomentCell,
  PersonCell,
  StageCell,
  TagsCell,
  useCellWords,
} from './list-cells.tsx'

type Column = ListColumn<AnyRecord>
type Words = ReturnType<typeof wordOf>

/**
 * Built-in columns with their owners and widths. Their titles are `list.<name>`. The usual columns of each kind fit into
 * a window of 1,366 pixels with a scroll bar; the least widths of leads add up to 1,112.
 */
const columns = {
  stage: { of: ['leads', 'customers'], width: 148, share: 1 },
  price: { of: ['leads'], width: 112, isNumber: true, order: 'price', orderFirst: 'desc' },
  next_price: { of: ['customers'], width: 152, isNumber: true, order: 'next_price', orderFirst: 'desc' },
  next_date: { of: ['customers'], width: 144, order: 'next_date', orderFirst: 'desc' },
  ltv: { of: ['customers'], width: 112, isNumber: true },
  contact: { of: ['leads', 'customers'], width: 134, share: 1 },
  company: { of: ['leads', 'contacts', 'customers'], width: 140, share: 1 },
  responsible: { of: ['leads', 'contacts', 'companies', 'customers'], width: 136, share: 1 },
  tags: { of: ['leads', 'contacts', 'companies', 'customers'], width: 116, share: 1 },
  closest_task_at: { of: ['leads', 'contacts', 'companies', 'customers'], width: 132 },
  created_at: { of: 'all', width: 120, order: 'created_at', orderFirst: 'desc' },
  updated_at: { of: 'all', width: 120, order: 'updated_at', orderFirst: 'desc' },
  closed_at: { of: ['leads'], width: 120, order: 'closed_at', orderFirst: 'desc' },
  created_by: { of: 'all', width: 160, share: 1 },
} as const satisfies Record<
  string,
  { of: 'all' | Words[] } & Omit<Partial<Column>, 'name' | 'title' | 'cell'>
>

type OwnColumn = keyof typeof columns
const everyColumn = Object.keys(columns) as OwnColumn[]

const cells: Record<OwnColumn, (record: AnyRecord, words: CellWords) => ReactNode> = {
  stage: ({ pipeline_id, status_id }, { stage }) => <StageCell of={stage(pipeline_id, status_id)} />,
  price: (record, { money }) => money(amountOf(record, 'price')),
  next_price: (record, { money }) => money(amountOf(record, 'next_price')),
  next_date: ({ next_date }, words) => <MomentCell at={next_date} words={words} />,
  ltv: (record, { money }) => money(amountOf(record, 'ltv')),
  contact: (record) => <ContactCell of={record} />,
  company: ({ _embedded }) => <LinkedCell collection="companies" id={_embedded?.companies?.[0]?.id} />,
  responsible: ({ responsible_user_id }, { person }) => <PersonCell name={person(responsible_user_id)} />,
  tags: ({ _embedded }) => <TagsCell of={_embedded?.tags} />,
  closest_task_at: ({ closest_task_at }, words) => <MomentCell at={closest_task_at} words={words} />,
  created_at: ({ created_at }, words) => <MomentCell at={created_at} words={words} />,
  updated_at: ({ updated_at }, words) => <MomentCell at={updated_at} words={words} />,
  closed_at: ({ closed_at }, words) => <MomentCell at={closed_at} words={words} />,
  created_by: ({ created_by, created_by_integration }, { person }) => (
    <PersonCell name={person(created_by)} integration={created_by_integration} />
  ),
}

/** Default columns: names, and codes of fields. */
const usual: Record<Words, string[]> = {
  leads: ['stage', 'price', 'contact', 'responsible', 'tags', 'created_at', 'updated_at'],
  contacts: ['PHONE', 'EMAIL', 'company', 'responsible', 'tags', 'created_at'],
  companies: ['PHONE', 'EMAIL', 'responsible', 'tags', 'created_at', 'updated_at'],
  customers: ['stage', 'next_price', 'next_date', 'contact', 'responsible', 'tags'],
  elements: ['updated_at'],
}
/** Number of fields shown by default in lists of items. */
const FIELDS_OF_ELEMENTS = 5

export interface ListColumns {
  /** The name is always the first column. */
  first: Column
  /** All other columns, in the order of the menu. */
  offered: Column[]
  /** Names of the default columns. */
  usual: string[]
}

/** Returns all columns of a list: built-in ones and custom fields. */
export function useListColumns(collection: Collection): ListColumns {
  const { t } = useTranslation()
  const { data: fields } = useQuery(fieldsOptions(collection))
  const words = useCellWords(collection)
  return useMemo(() => {
    const word = wordOf(collection)
    const own = everyColumn
      .filter((name) => columns[name].of === 'all' || (columns[name].of as readonly Words[]).includes(word))
      .map((name): Column => {
        const { of: _, ...shape } = columns[name]
        return { ...shape, name, title: t(`list.${name}`), cell: (record) => cells[name](record, words) }
      })
    const first: Column = {
      name: 'name',
      title: t('list.name'),
      width: 190,
      share: 1.6,
      order: 'name',
      cell: (record, tabIndex) => (
        <RowLink collection={collection} id={record.id} row className={classes.name} tabIndex={tabIndex}>
          {record.name || t('list.unnamed')}
        </RowLink>
      ),
    }
    return {
      first,
      offered: [...own, ...(fields ?? []).map(fieldColumn)],
      usual: usualOf(word, fields ?? []),
    }
  }, [collection, fields, words, t])
}

/** Widths of fields by their code: most email addresses are longer than phone numbers. */
const fieldWidths: Record<string, number> = { PHONE: 152, EMAIL: 224 }

const fieldColumn = (field: CustomField): Column => ({
  name: `field_${field.id}`,
  title: field.name,
  width: fieldWidths[field.code ?? ''] ?? (field.type === 'multitext' ? 176 : 140),
  share: 1,
  isNumber: fieldKinds[field.type].isNumber,
  cell: (record) => <FieldValue field={field} value={valuesIn(record, field.id)} />,
})

function usualOf(word: Words, fields: CustomField[]): string[] {
  const first = word === 'elements' ? fields.slice(0, FIELDS_OF_ELEMENTS).map(({ id }) => `field_${id}`) : []
  const named = usual[word].flatMap((name) => {
    if (name in columns) return [name]
    const field = fields.find(({ code }) => code === name)
    return field ? [`field_${field.id}`] : []
  })
  return [...first, ...named]
}
