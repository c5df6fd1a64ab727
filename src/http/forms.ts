import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { Type } from 'typebox'

/** Forms in which a list is answered whole, a file to keep. */
export type FileForm = 'csv' | 'ndjson'

/** For who follows a link and cannot say what he takes. */
export const Format = Type.Optional(
  Type.Enum(['csv', 'ndjson'], {
    description: 'The whole list as a file, as `Accept` would ask for it; as CSV for spreadsheets.',
  }),
)

/** A page comes first: it is what a caller gets who takes anything. */
const ofFiles: Record<string, FileForm | null> = {
  'application/hal+json': null,
  'application/json': null,
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
}

/** In what other form than a page a list is asked for: by its address, or by what the caller takes best; null for a page. */
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

/** Whether the file is for a spreadsheet: its address says so, and no program that knows what it takes. */
export const isForSpreadsheet = ({ query }: Pick<FastifyRequest, 'query'>): boolean =>
  (query as { format?: FileForm }).format === 'csv'
