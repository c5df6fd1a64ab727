import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { EntityType } from './entity-types.ts'

/**
 * Records with a word that has the prefix, in the order of the words, up to a limit. A record with several such
 * words occurs several times. By the primary keys of search_words and of entities.
 */
export function wordHolders(
  db: Db,
  account_id: number,
  type: EntityType,
  prefix: string,
  conditions: Expression<SqlBool>[],
  most: number,
) {
  return db
    .selectFrom('search_words')
    .innerJoin('entities', (join) =>
      join
        .on('entities.account_id', '=', account_id)
        .onRef('entities.entity_type', '=', 'search_words.entity_type')
        .onRef('entities.id', '=', 'search_words.entity_id'),
    )
    .select(['entities.id', 'entities.updated_at', 'search_words.word'])
    .where('search_words.account_id', '=', account_id)
    .where('search_words.entity_type', '=', sql.lit(type))
    .where('search_words.word', '>=', prefix)
    .where('search_words.word', '<', `${prefix}\u{10ffff}`)
    .where((eb) => eb.and(conditions))
    .orderBy('search_words.word')
    .orderBy('search_words.entity_id')
    .limit(most)
}
