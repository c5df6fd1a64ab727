import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { Type } from 'typebox'
import type { Delimiter } from './csv.ts'

/** Forms in which a complete list can be downloaded. */
export type FileForm = 'csv' | 'ndjson'

/** For clients that follow a link and cannot set `Accept`. */
export const Format = Type.Optional(
  Type.Enum(['csv', 'ndjson'], {
    description: 'The whole list as a file, like the header `Accept`. CSV is for spreadsheets.',
  }),
)

/** For spreadsheets of countries with a decimal comma, which split a line only by semicolons. */
export const CsvDelimiter = Type.Optional(
  Type.Enum(['comma', 'semicolon'], {
    description: 'The character between the cells of CSV. With `semicolon`, numbers have decimal commas.',
  }),
)

const csvLanguages = ['en', 'es', 'ru', 'pt'] as const
type CsvLanguage = (typeof csvLanguages)[number]

/** For people: a program knows the names of the API. */
export const CsvHeadings = Type.Optional(
  Type.Enum([...csvLanguages], {
    description:
      'The language of the column names of CSV, which are the names of the API by default. ' +
      'With it, times are in the time zone of the account, which the names of their columns contain.',
  }),
)

/** A page comes first, because it is the default for a client that accepts anything. */
const ofFiles: Record<string, FileForm | null> = {
  'application/hal+json': null,
  'application/json': null,
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
}

/** The requested form of a list, by `format` or `Accept`; null for a page. */
export function formOf<Other extends string = never>(
  { raw, query }: Pick<FastifyRequest, 'raw' | 'query'>,
  others: Record<string, Other> = {},
): FileForm | Other | null {
  const { format } = query as { format?: FileForm }
  if (format !== undefined) return format
  const forms: Record<string, FileForm | Other | null> = { ...ofFiles, ...others }
  const accepted = new Negotiator(raw).mediaType(Object.keys(forms))
  return accepted === undefined ? null : (forms[accepted] ?? null)
}

/** Whether the file is for a spreadsheet: its address requests the form, which a program would do with `Accept`. */
export const isForSpreadsheet = ({ query }: Pick<FastifyRequest, 'query'>): boolean =>
  (query as { format?: FileForm }).format === 'csv'

export const headingsOf = ({ query }: Pick<FastifyRequest, 'query'>): CsvLanguage | null =>
  (query as { headings?: CsvLanguage }).headings ?? null

export const delimiterOf = ({ query }: Pick<FastifyRequest, 'query'>): Delimiter =>
  (query as { delimiter?: Delimiter }).delimiter ?? 'comma'
