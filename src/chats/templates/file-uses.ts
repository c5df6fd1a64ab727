import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../../accounts/accounts.ts'
import type { Db } from '../../db/database.ts'
import { holds } from '../../db/dialect.ts'
import { templatesWithFile } from './template-queries.ts'
import { ownerOf } from './templates.ts'

/** Whether a row of `files` is the attachment of a template that the actor may see. */
export const fileTemplatesSeen = async (db: Db, actor: Actor): Promise<Expression<SqlBool>[]> => [
  holds(templatesWithFile(db, ownerOf(actor), 'files.uuid').limit(1)),
]
