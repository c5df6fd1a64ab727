import { Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { listOf, type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import type { Page } from '../http/queries/paging.ts'
import { timesIn } from './list-times.ts'

/** The parameters of lists, as filters of v4. */

export const MAX_ROWS = 500

/** The query of every list. Clients send values as one text, as a list, or with brackets. */
export const LegacyQuery = Type.Object({
  limit_rows: Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS }),
  limit_offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  id: Type.Optional(Type.Unknown({ description: 'An id, or several.' })),
  query: Type.Optional(Type.Unknown({ description: 'Words that the record contains.' })),
  responsible_user_id: Type.Optional(Type.Unknown({ description: 'An id, or several.' })),
  status: Type.Optional(Type.Unknown({ description: 'Leads: the id of a stage, or several.' })),
  type: Type.Optional(
    Type.Unknown({
      description:
        'Tasks and notes: contact, lead, company or customer. Notes: also task and all. Contacts of the first API: company lists these instead.',
    }),
  ),
  element_id: Type.Optional(
    Type.Unknown({
      description: 'Tasks and notes: the id of a record, or several. Notes of the type task: of a task.',
    }),
  ),
  note_type: Type.Optional(Type.Unknown({ description: 'Notes: the number of a type, or several.' })),
})
export type LegacyQuery = Partial<
  Record<
    | 'id'
    | 'query'
    | 'responsible_user_id'
    | 'status'
    | 'type'
    | 'element_id'
    | 'note_type'
    | 'filter'
    | 'with',
    QueryValue
  >
> & {
  limit_rows: number
  limit_offset: number
}

/** One row more would be the next page; clients ask for it until a page is empty. */
export const pageOf = ({ limit_rows, limit_offset }: LegacyQuery): Page => ({
  page: 1,
  limit: limit_rows,
  offset: limit_offset,
})

/**
 * The milliseconds of a date of HTTP, or NaN. The documented example has no zone (`Mon, 01 Aug 2013 07:07:23`); without
 * one, the date would be in the zone of the server's process.
 */
export const momentOf = (date: string): number =>
  Date.parse(/^[A-Za-z]{3}, .*\d\d:\d\d(:\d\d)?$/.test(date.trim()) ? `${date} GMT` : date)

/** The filters of v4 that several lists have. `modified_since` is the value of `If-Modified-Since`. */
export async function filterOf(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
  modified_since: string | undefined,
): Promise<Record<string, QueryValue>> {
  const since = modified_since === undefined ? Number.NaN : momentOf(modified_since)
  return {
    ...named('id', query.id),
    ...named('responsible_user_id', query.responsible_user_id),
    // As RFC 9110, 13.1.3: a date that cannot be parsed is ignored.
    ...(Number.isNaN(since) ? {} : { updated_at: { from: String(Math.floor(since / 1_000)) } }),
    ...(await timesIn(ctx, actor, query.filter)),
  }
}

/** A filter of v4, if its parameter was sent. */
export const named = (name: string, value: QueryValue | undefined): Record<string, QueryValue> =>
  value === undefined ? {} : { [name]: listOf(value) }

/** `type` of tasks and notes as a kind of v4; undefined if it was not sent. */
export function kindOf<Kind extends string>(
  kinds: Readonly<Record<string, Kind>>,
  { type }: LegacyQuery,
): Kind | undefined {
  const name = textOf(type)
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}
