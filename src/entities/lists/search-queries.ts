import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { holds, isInSet } from '../../db/dialect.ts'
import type { EntityType } from '../records/entity-types.ts'

/** A place in the order of words, and of the records that have them. */
export interface WordPosition {
  word: string
  id: number
}

/** The words that are scanned: those with the prefix, after and up to a position. */
export interface WordRange {
  prefix: string
  after?: WordPosition | undefined
  until?: WordPosition | undefined
}

/** The words of a range with their records; by the primary key of search_words. */
function wordsIn(db: Db, account_id: number, type: EntityType, { prefix, after, until }: WordRange) {
  const [word, at] = [sql.ref('search_words.word'), sql`(search_words.word, search_words.entity_id)`]
  const from = after ? sql<SqlBool>`${at} > (${after.word}, ${after.id})` : sql<SqlBool>`${word} >= ${prefix}`
  const to = until
    ? sql<SqlBool>`${at} <= (${until.word}, ${until.id})`
    : sql<SqlBool>`${word} < ${`${prefix}\u{10ffff}`}`
  return db
    .selectFrom('search_words')
    .where('search_words.account_id', '=', account_id)
    .where('search_words.entity_type', '=', sql.lit(type))
    .where(from)
    .where(to)
    .orderBy('search_words.word')
    .orderBy('search_words.entity_id')
}

/**
 * Records with a word of the range, in the order of the words, up to a limit. A record with several such words occurs
 * several times. By the primary keys of search_words and of entities.
 */
export const wordHolders = (
  db: Db,
  account_id: number,
  type: EntityType,
  range: WordRange,
  conditions: Expression<SqlBool>[],
  most: number,
) =>
  wordsIn(db, account_id, type, range)
    .innerJoin('entities', (join) =>
      join
        .on('entities.account_id', '=', account_id)
        .onRef('entities.entity_type', '=', 'search_words.entity_type')
        .onRef('entities.id', '=', 'search_words.entity_id'),
    )
    .select(['entities.id', 'entities.updated_at', 'search_words.word'])
    .where((eb) => eb.and(conditions))
    .limit(most)

/** The condition that the record of a word is among these ids, which are read once. */
export const isHolderAmong = (db: Db, ids: Expression<unknown>, most: number | null): Expression<SqlBool> =>
  isInSet(db, sql.ref('search_words.entity_id'), ids, most)

/** The position of the last of the next `size` entries of a range; undefined if there are fewer. */
export const endOfWords = (
  db: Db,
  account_id: number,
  type: EntityType,
  range: WordRange,
  size: number,
): Promise<WordPosition | undefined> =>
  wordsIn(db, account_id, type, range)
    .select(['search_words.word', 'search_words.entity_id as id'])
    .limit(1)
    .offset(size - 1)
    .executeTakeFirst()

/** The first of the different words with a prefix; each is one step in the primary key of search_words. */
export async function firstWords(
  db: Db,
  account_id: number,
  type: EntityType,
  prefix: string,
  most: number,
): Promise<string[]> {
  const next = (after: Expression<SqlBool>) => sql`(
    select min(search_words.word) from search_words
    where search_words.account_id = ${account_id} and search_words.entity_type = ${sql.lit(type)}
      and ${after} and search_words.word < ${`${prefix}\u{10ffff}`})`
  const { rows } = await sql<{ word: string }>`
    with recursive found (word) as (
      select ${next(sql<SqlBool>`search_words.word >= ${prefix}`)}
      union all
      select ${next(sql<SqlBool>`search_words.word > found.word`)} from found where found.word is not null)
    select word from found where word is not null limit ${most}`.execute(db)
  return rows.map(({ word }) => word)
}

/** The condition that a record has one of these words, each looked up by the primary key of search_words. */
export const hasOneOfWords = (
  db: Db,
  account_id: number,
  type: EntityType,
  words: readonly string[],
): Expression<SqlBool> =>
  holds(
    db
      .selectFrom('search_words')
      .select(sql.lit(1).as('one'))
      .where('search_words.account_id', '=', account_id)
      .where('search_words.entity_type', '=', sql.lit(type))
      .where('search_words.word', 'in', words)
      .where('search_words.entity_id', '=', sql.ref<number>('entities.id'))
      .limit(1),
  )
