import { userNames } from '../../accounts/accounts.ts'
import type { Db } from '../../db/database.ts'
import type { End } from '../tokens/token-endings.ts'

/** Names of people by id. */
export type Names = ReadonlyMap<number, string>

/** The names of everybody in these ends, and of others. */
export function namesOf(
  db: Db,
  ends: readonly (End | null)[],
  others: readonly number[] = [],
): Promise<Names> {
  const ids = [...ends.flatMap((end) => end?.by ?? []), ...others].filter((id) => id !== 0)
  return userNames(db, [...new Set(ids)])
}

export const personOf = (names: Names, id: number | null) => (id ? { id, name: names.get(id) ?? '' } : null)

/** An end with the name of its person. */
export const shownEnd = (end: End | null, names: Names) => end && { ...end, by: personOf(names, end.by) }
