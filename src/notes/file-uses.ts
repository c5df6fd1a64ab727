import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import { holds } from '../db/dialect.ts'
import { cardTypes, type Parents } from './parents.ts'
import { notesOfFile } from './queries.ts'

/** Whether the file in a row of `files` is attached to a card that the actor can see. */
export async function fileNotesSeen(db: Db, actor: Actor, parents: Parents): Promise<Expression<SqlBool>[]> {
  const visibilities = await parents.visibilities(db, actor)
  const conditions = cardTypes.flatMap((type) => {
    const visibility = visibilities[type]
    if (visibility === 'none') return []
    const isOfKind = sql<SqlBool>`notes.entity_type = ${type}`
    return [
      visibility === 'all'
        ? isOfKind
        : sql<SqlBool>`(${isOfKind} and ${visibility.covers('notes.entity_id')})`,
    ]
  })
  if (conditions.length === 0) return []
  const seen = sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
  return [holds(notesOfFile(db, actor.account_id, 'files.uuid').where(seen).limit(1))]
}
