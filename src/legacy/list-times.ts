import { type Actor, accountTimezone } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { partsOf, type Query, type QueryValue } from '../http/queries/bracket-query.ts'
import { DAY, offsetsOf, startOfDayAt } from '../local-days.ts'

/** Filters of the second API by those of v4. */
const names = { date_create: 'created_at', date_modify: 'updated_at' } as const

/**
 * Times of the second API as filters of v4: `filter[date_create][from]`. A time is Unix seconds or a date, with or
 * without a time, in the time zone of the account. Other texts stay, so that the filter refuses them.
 */
export async function timesIn(
  ctx: Context,
  { account_id }: Actor,
  filter: QueryValue | undefined,
): Promise<Record<string, QueryValue>> {
  const asked = Object.entries(names).flatMap(([name, v4]): [string, QueryValue][] => {
    const value = partsOf(filter)[name]
    return value === undefined ? [] : [[v4, rangeIn(value)]]
  })
  if (!asked.some(([, value]) => textsOf(value).some((text) => DATE.test(text))))
    return Object.fromEntries(asked)
  const offset = offsetsOf(await accountTimezone(ctx.db, account_id))
  const read = (value: QueryValue): QueryValue => {
    if (typeof value === 'string') return String(secondsIn(value, offset) ?? value)
    if (Array.isArray(value)) return value.map(read)
    return mapped(value, read)
  }
  return Object.fromEntries(asked.map(([name, value]) => [name, read(value)]))
}

/** A client writes a range as the first of a list: `[0][from]`. */
function rangeIn(value: QueryValue): QueryValue {
  const [first] = Array.isArray(value) ? value : []
  return typeof first === 'object' ? first : value
}

const textsOf = (value: QueryValue): string[] =>
  typeof value === 'string' ? [value] : Object.values(value).flatMap(textsOf)

const mapped = (query: Query, read: (value: QueryValue) => QueryValue): Query =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, read(value)]))

/** `2019-10-31`, `31.10.2019` or `10/31/2019`, and a time. */
const DATE =
  /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})|(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4}))(?:[ T](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?)?$/

function secondsIn(text: string, offset: (moment: number) => number): number | undefined {
  const groups = DATE.exec(text.trim())?.groups
  if (!groups) return undefined
  const { year, month, day, hour = '00', minute = '00', second = '00' } = groups
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1_000
  if (Number.isNaN(local) || new Date(local * 1_000).getUTCDate() !== Number(day)) return undefined
  const midnight = Math.floor(local / DAY) * DAY
  return startOfDayAt(midnight, offset) + local - midnight
}
