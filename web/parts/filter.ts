import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from './format.ts'

/** Members of the API's query as they stand in the address: `filter[price][from]`, `order[name]`, `query`. */
export type Search = Readonly<Record<string, string>>
/** Members that are to stand in the address; undefined takes one away. */
export type SearchChange = Record<string, string | undefined>

export interface FilterEditorProps {
  search: Search
  onChange: (members: SearchChange) => void
}

/** One way in which a list can be narrowed, as a chip of the bar above it. */
export interface Filter {
  name: string
  title: string
  /** Whether a member of the address belongs to this filter. */
  owns: (member: string) => boolean
  /** What it asks for, in words; null when it asks for nothing. */
  say: (search: Search) => string | null
  Editor: (props: FilterEditorProps) => ReactNode
}

/** What filters need to speak the reader's language. */
export interface FilterWords {
  t: TFunction<'web'>
  format: ReturnType<typeof useFormat>
}

export function useFilterWords(): FilterWords {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(() => ({ t, format }), [t, format])
}

/** Whether a member is the filter itself or one of its parts: `filter[price]`, `filter[price][from]`. */
export const isOf = (member: string) => (name: string) => name === member || name.startsWith(`${member}[`)

/** A change that takes every member away that the filter owns. */
export const without = (search: Search, owns: Filter['owns']): SearchChange =>
  Object.fromEntries(
    Object.keys(search)
      .filter(owns)
      .map((name) => [name, undefined]),
  )

/** The address after a change. */
export function changed(search: Search, change: SearchChange): Record<string, string> {
  const all = Object.entries({ ...search, ...change })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The values of a filter in any spelling that the API takes: `a`, `a,b`, `[]=a`, `[0]=a`. */
export const valuesIn = (search: Search, member: string): string[] =>
  Object.entries(search)
    .filter(([name]) => isOf(member)(name))
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)

/** The ends of a range: `[from]` and `[to]`, or `from,to`, or one value that is both. */
export function rangeIn(search: Search, member: string): { from: string; to: string } {
  const [from = '', to = from] = search[member]?.split(',') ?? []
  return { from: search[`${member}[from]`] ?? from, to: search[`${member}[to]`] ?? to }
}

/** A range as the address has it, in place of what stood there. */
export function rangeChange(
  search: Search,
  member: string,
  { from, to }: { from: string; to: string },
): SearchChange {
  return {
    ...without(search, isOf(member)),
    [`${member}[from]`]: from || undefined,
    [`${member}[to]`]: to || undefined,
  }
}
