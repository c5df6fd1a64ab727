import type { Expression, SqlBool } from 'kysely'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { createTurns } from '../fair-turns.ts'
import type { Access } from './access.ts'
import { otherConditions, withCoveredPeople } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import { countEntries } from './narrowing-counts.ts'
import { type Narrowing, narrowingsOf } from './narrowings.ts'
import { scanLimits } from './scan-limits.ts'
import { endOfWords, isHolderAmong, type WordPosition, wordHolders } from './search-queries.ts'

/** A record with a word that matches a search. */
export interface Holder {
  id: number
  word: string
  updated_at: number
}

/** The most matches per kind that are ranked; users can refine the search. */
const MAX_FINDS = 500
/** Words that one statement scans if the record of each must be checked. */
const WINDOW = 20_000

const noFilters = { values: [], ranges: [], statuses: [], tags: [], segments: [], fields: [] }

/**
 * The visible records of a kind that have words with all prefixes, in the order of the words of one of them (`scanned`).
 * The entries of the most common word are scanned, because that is cheap, and what is rarer is looked up in sets of ids.
 */
export async function findHolders(
  db: Db,
  access: Access,
  type: EntityType,
  words: readonly string[],
): Promise<{ holders: Holder[]; scanned: string }> {
  const { account_id } = access.actor
  const { filter, within } = withCoveredPeople(
    access,
    type,
    { filters: noFilters, words: [] },
    { in_trash: false },
  )
  const people = narrowingsOf(db, account_id, type, filter, within)
  const byWord = new Map(
    words.map((word): [Narrowing | undefined, string] => [
      narrowingsOf(db, account_id, type, { filters: noFilters, words: [word] }, within)[0],
      word,
    ]),
  )
  const all = [...people, ...byWord.keys()].filter((one) => one !== undefined)
  const counted = all.length > 1 ? await countEntries(db, all, scanLimits.listed) : []
  const common = counted.findLast(({ narrowing }) => byWord.has(narrowing))
  const scanned = byWord.get(common?.narrowing) ?? words[0] ?? ''
  const isListed = ({ narrowing, count }: (typeof counted)[number]) =>
    count <= scanLimits.listed || byWord.has(narrowing)
  const rest = counted.filter((one) => one !== common)
  const sets = rest.filter(isListed).map(({ narrowing }) => isHolderAmong(db, narrowing.entries))
  const checked = rest.flatMap((one) => (isListed(one) ? [] : (one.narrowing.byRow ?? [])))
  const conditions = [...otherConditions(db, access, type, filter, within), ...sets, ...checked]
  const query = wordHolders(db, account_id, type, { prefix: scanned }, conditions, MAX_FINDS)
  if (sets.length > 0 && common && common.count > WINDOW)
    return { scanned, holders: await readInBackground(db, account_id, query) }
  if (checked.length === 0) return { scanned, holders: await query.execute() }
  return { scanned, holders: await scanWords(db, account_id, type, scanned, conditions) }
}

/** Scans the words with a prefix a window at a time, and yields to other work in between. */
async function scanWords(
  db: Db,
  account_id: number,
  type: EntityType,
  prefix: string,
  conditions: Expression<SqlBool>[],
): Promise<Holder[]> {
  const holders: Holder[] = []
  const nextTurn = createTurns()
  for (let after: WordPosition | undefined; ; await nextTurn()) {
    const until = await endOfWords(db, account_id, type, { prefix, after }, WINDOW)
    const most = MAX_FINDS - holders.length
    const range = { prefix, after, until }
    holders.push(...(await wordHolders(db, account_id, type, range, conditions, most).execute()))
    if (holders.length >= MAX_FINDS || !until) return holders
    after = until
  }
}
