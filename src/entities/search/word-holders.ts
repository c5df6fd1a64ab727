import type { Expression, SqlBool } from 'kysely'
import { findFields, parseStored } from '../../custom-fields/custom-fields.ts'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import { createTurns, forEachFairly } from '../../fair-turns.ts'
import { otherConditions, withCoveredPeople } from '../lists/conditions.ts'
import { type CountedNarrowing, countEntries } from '../lists/narrowing-counts.ts'
import { type Narrowing, narrowingsOf } from '../lists/narrowings.ts'
import type { RecordReader } from '../lists/record-list.ts'
import { scanLimits } from '../lists/scan-limits.ts'
import { endOfWords, isHolderAmong, type WordPosition, wordHolders } from '../lists/search-queries.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { selectEntities } from '../records/queries.ts'
import { wordsOf } from '../records/search.ts'

/** A record with a word that matches a search. */
export interface Holder {
  id: number
  word: string
  updated_at: number
}

/** The most matches per kind that are ranked; users can refine the search. */
const MAX_FINDS = 500

/** Bounds between the ways to find records by words. */
interface SearchLimits {
  /** If a word, or the people whose records are visible, have so few records, these are read, and no words are scanned. */
  few: number
  /** The most records of people that become a set for a statement. */
  listed: number
  /** Words that one statement scans on the event loop. */
  window: number
}

const searchLimits: SearchLimits = { few: 1_000, listed: 20_000, window: 20_000 }

const noFilters = { values: [], ranges: [], statuses: [], tags: [], segments: [], fields: [] }

/**
 * The visible records of a kind that have words with all prefixes, in the order of the words of one of them (`scanned`).
 * The entries of the most common word are scanned, because that is cheap, and what is rarer is looked up in sets of ids.
 */
export async function findHolders(
  reader: RecordReader,
  words: readonly string[],
  limits: SearchLimits = searchLimits,
): Promise<{ holders: Holder[]; scanned: string }> {
  const { db, access, type } = reader
  const { account_id } = access.actor
  const unfiltered = { filters: noFilters, words: [] }
  const { list, filter } = withCoveredPeople({ ...reader, in_trash: false }, unfiltered)
  const others = otherConditions(list, filter)
  const people = narrowingsOf(list, filter)
  const byWord = new Map(
    words.map((word): [Narrowing | undefined, string] => [
      narrowingsOf(list, { filters: noFilters, words: [word] })[0],
      word,
    ]),
  )
  const all = [...people, ...byWord.keys()].filter((one) => one !== undefined)
  const most = words.length > 1 ? scanLimits.listed : limits.listed
  const counted = all.length > 1 ? await countEntries(db, all, most) : []
  const [few] = counted
  // Each list of elements has fields of its own.
  if (few && few.count <= limits.few && type !== 'catalog_elements') {
    const byRow = people.filter((one) => one !== few.narrowing).flatMap(({ byRow }) => byRow ?? [])
    const conditions = [...others, few.narrowing.byFew ?? few.narrowing.byIndex, ...byRow]
    return { scanned: words[0] ?? '', holders: await compareFew(db, account_id, type, words, conditions) }
  }
  const common = counted.findLast(({ narrowing }) => byWord.has(narrowing))
  const scanned = byWord.get(common?.narrowing) ?? words[0] ?? ''
  // Words cannot be looked up for a record, so they are sets, however many records have them.
  const isSet = ({ narrowing, count }: CountedNarrowing) => count <= limits.listed || byWord.has(narrowing)
  const rest = counted.filter((one) => one !== common)
  const sets = rest
    .filter(isSet)
    .map(({ narrowing, count }) => isHolderAmong(db, narrowing.entries, count <= most ? most : null))
  const checked = rest.flatMap((one) => (isSet(one) ? [] : (one.narrowing.byRow ?? [])))
  const conditions = [...others, ...sets, ...checked]
  const query = wordHolders(db, account_id, type, { prefix: scanned }, conditions, MAX_FINDS)
  if (sets.length > 0 && common && common.count > limits.window)
    return { scanned, holders: await readInBackground(db, account_id, query) }
  if (checked.length === 0) return { scanned, holders: await query.execute() }
  return { scanned, holders: await scanWords(db, account_id, type, scanned, conditions, limits) }
}

/** Compares the words of a few records. */
async function compareFew(
  db: Db,
  account_id: number,
  type: EntityType,
  words: readonly string[],
  conditions: Expression<SqlBool>[],
): Promise<Holder[]> {
  const [fields, rows] = await Promise.all([
    findFields(db, account_id, entityTypes[type].fields),
    selectEntities(db, account_id, type)
      .where((eb) => eb.and(conditions))
      .execute(),
  ])
  const holders: Holder[] = []
  await forEachFairly(rows, ({ id, name, field_values, updated_at }) => {
    const own = [...wordsOf(name, fields, parseStored(field_values))]
    const matching = words.map((word) => own.filter((one) => one.startsWith(word)).sort()[0])
    const [word] = matching
    if (word !== undefined && matching.every((one) => one !== undefined))
      holders.push({ id, word, updated_at })
  })
  return holders
}

/** Scans the words with a prefix a window at a time, and yields to other work in between. */
async function scanWords(
  db: Db,
  account_id: number,
  type: EntityType,
  prefix: string,
  conditions: Expression<SqlBool>[],
  { window }: SearchLimits,
): Promise<Holder[]> {
  const holders: Holder[] = []
  const nextTurn = createTurns()
  for (let after: WordPosition | undefined; ; await nextTurn()) {
    const until = await endOfWords(db, account_id, type, { prefix, after }, window)
    const most = MAX_FINDS - holders.length
    const range = { prefix, after, until }
    holders.push(...(await wordHolders(db, account_id, type, range, conditions, most).execute()))
    if (holders.length >= MAX_FINDS || !until) return holders
    after = until
  }
}
