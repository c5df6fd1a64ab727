import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../texts/format.ts'

/** Search parameters, which are the query parameters of the API: `filter[price][from]`, `order[name]`, `query`. */
export type Search = Readonly<Record<string, string>>
/** Changed search parameters; undefined removes one. */
export type SearchChange = Record<string, string | undefined>

export interface FilterEditorProps {
  search: Search
  onChange: (members: SearchChange) => void
}

/** A filter of a list, shown as a chip. */
export interface Filter {
  name: string
  title: string
  /** Whether a search parameter belongs to this filter. */
  owns: (member: string) => boolean
  /** Describes the filter; null if it is not set. */
  describe: (search: Search) => string | null
  Editor: (props: FilterEditorProps) => ReactNode
}

/** Formatting that filters use. */
export interface FilterWords {
  t: TFunction<'web'>
  format: ReturnType<typeof useFormat>
}

export function useFilterWords(): FilterWords {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(() => ({ t, format }), [t, format])
}

/** Matches a parameter or one of its parts: `filter[price]`, `filter[price][from]`. */
export const isOf = (member: string) => (name: string) => name === member || name.startsWith(`${member}[`)

/** Returns a change that removes the parameters of a filter. */
export const without = (search: Search, owns: Filter['owns']): SearchChange =>
  Object.fromEntries(
    Object.keys(search)
      .filter(owns)
      .map((name) => [name, undefined]),
  )

/** Applies a change to search parameters. */
export function changed(search: Search, change: SearchChange): Record<string, string> {
  const all = Object.entries({ ...search, ...change })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Returns the values of a filter in all spellings of the API: `a`, `a,b`, `[]=a`, `[0]=a`. */
export const valuesIn = (search: Search, member: string): string[] =>
  Object.entries(search)
    .filter(([name]) => isOf(member)(name))
    .flatMap(([, value]) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)

/** Returns the ends of a range: `[from]` and `[to]`, or `from,to`, or one value for both. */
export function rangeIn(search: Search, member: string): { from: string; to: string } {
  const [from = '', to = from] = search[member]?.split(',') ?? []
  return { from: search[`${member}[from]`] ?? from, to: search[`${member}[to]`] ?? to }
}

/** Returns the change that sets a range. */
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
