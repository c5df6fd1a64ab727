import type { Context } from '../../context.ts'
import { usesOfPair } from '../tokens/last-use.ts'
import { type End, type PairEnds, pairEnds } from '../tokens/token-endings.ts'
import type { PairHistoryRow } from '../tokens/token-history-queries.ts'
import { type Names, shownEnd } from './people.ts'
import type { Pair } from './schemas.ts'

/** When something was used, and by which request, if that is known. */
export interface KnownUse {
  at: number
  request_id: string | null
}

/** The first and the last use of each pair of a consent, by its number. */
export type UsesByPair = ReadonlyMap<number, { first: KnownUse; last: KnownUse }>

/** A pair with what became of it and its uses. */
export interface PairHistory extends PairEnds {
  row: PairHistoryRow
  first_use: KnownUse | null
  last_use: KnownUse | null
}

/** Joins what is stored of a pair with the uses that are not written yet, and those of the request log. */
export function pairHistory(
  ctx: Context,
  grant_id: string,
  row: PairHistoryRow,
  { family, logged }: { family: Parameters<typeof pairEnds>[1]; logged?: UsesByPair },
): PairHistory {
  const { generation, first_used_at, first_used_request_id, last_used_at, last_used_request_id } = row
  const unwritten = usesOfPair(ctx, { grant_id, generation })
  const inLog = logged?.get(generation)
  const first = [storedUse(first_used_at, first_used_request_id), unwritten?.first, inLog?.first]
  const last = [storedUse(last_used_at, last_used_request_id), unwritten?.last, inLog?.last, ...first]
  const sort = (uses: (KnownUse | null | undefined)[]) =>
    uses.filter((use) => !!use).toSorted((a, b) => a.at - b.at)
  // 0: the pair is from before first uses were stored.
  const first_use = first_used_at === 0 ? null : (sort(first)[0] ?? null)
  const last_use = sort(last).at(-1) ?? null
  const known = { ...row, first_used_at: first_used_at ?? first_use?.at ?? null }
  return { row, first_use, last_use, ...pairEnds(known, family, ctx.now()) }
}

const storedUse = (at: number | null, request_id: string | null): KnownUse | null =>
  at ? { at, request_id } : null

export const endsOf = ({ access, refresh }: PairEnds): (End | null)[] => [access, refresh]

export function shownPair(
  { row, state, first_use, last_use, access, refresh }: PairHistory,
  names: Names,
): Pair {
  const { refresh_expires_at } = row
  return {
    generation: row.generation,
    state,
    issued_at: row.issued_at,
    issued_request_id: row.issued_request_id,
    first_use,
    last_use,
    access_token: { expires_at: row.access_expires_at, end: shownEnd(access, names) },
    refresh_token:
      refresh_expires_at === null ? null : { expires_at: refresh_expires_at, end: shownEnd(refresh, names) },
    elsewhere: elsewhereOf(row),
  }
}

/** The last refusal at the address of another account. */
export const elsewhereOf = ({
  elsewhere_at: at,
  elsewhere_host: host,
  elsewhere_request_id: request_id,
}: Pick<PairHistoryRow, 'elsewhere_at' | 'elsewhere_host' | 'elsewhere_request_id'>): Pair['elsewhere'] =>
  at !== null && host !== null && request_id !== null ? { at, host, request_id } : null
