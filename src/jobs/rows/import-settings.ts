import type { CsvFile } from './csv-rows.ts'
import type { MappedColumn } from './proposals.ts'
import type { ImportedType } from './targets.ts'

/** The keys by which a row can match an existing record. */
export const matchKeys = ['id', 'phone', 'email', 'name', 'site'] as const
export type MatchKey = (typeof matchKeys)[number]

/** The keys that each kind supports. */
export const matchKeysOf: Record<ImportedType, readonly MatchKey[]> = {
  contacts: ['id', 'phone', 'email'],
  companies: ['id', 'name', 'phone', 'site'],
  leads: ['id'],
}

export const duplicateActions = ['skip', 'update', 'add'] as const
export type DuplicateAction = (typeof duplicateActions)[number]

/** Defaults of new records. The tags apply to every written record. */
export interface ImportDefaults {
  responsible_user_id?: number | undefined
  pipeline_id?: number | undefined
  status_id?: number | undefined
  tags?: string[] | undefined
}

/** The settings of an import and its file. */
export interface ImportSettings {
  file: CsvFile & { name: string; size: number }
  columns: string[]
  /** The first rows, as they are shown. */
  rows: string[][]
  mapping: MappedColumn[]
  duplicates: { match: MatchKey[]; action: DuplicateAction }
  dates: 'dmy' | 'mdy'
  defaults: ImportDefaults
}

export const MAX_BYTES = 20 * 1024 * 1024
export const MAX_ROWS = 50_000
export const MAX_COLUMNS = 250
/** Rows that are shown before the start, and the maximum of a preview. */
export const SHOWN_ROWS = 20
export const MAX_SHOWN_ROWS = 250

/** The maximum length of a shown cell, so that a row of them has 10,000 characters. */
export const shownLetters = (columns: number): number => Math.min(200, Math.ceil(10_000 / columns))

/** The beginning of a text, without half of a character. */
export const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()
