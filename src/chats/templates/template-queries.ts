import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { deleteRows, insertRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatTemplateReviewRow, ChatTemplateRow } from '../../db/tables.ts'

/** Whose templates: those of an integration, or undefined for all of the account. */
export interface TemplateOwner {
  account_id: number
  integration_id: string | undefined
}

const templates = (db: Db, { account_id, integration_id }: TemplateOwner) =>
  db
    .selectFrom('chat_templates')
    .where('account_id', '=', account_id)
    .$if(integration_id !== undefined, (query) =>
      query.where('integration_id', '=', integration_id as string),
    )

/** The members of all templates by which they are found, oldest first. An account has at most a thousand. */
export function templateIndex(
  db: Db,
  owner: TemplateOwner,
): Promise<Pick<ChatTemplateRow, 'id' | 'name' | 'external_id'>[]> {
  return templates(db, owner).select(['id', 'name', 'external_id']).orderBy('id').execute()
}

/** Index: the primary key. */
export function findTemplates(
  db: Db,
  owner: TemplateOwner,
  ids: readonly number[],
): Promise<ChatTemplateRow[]> {
  return templates(db, owner)
    .selectAll()
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .orderBy('id')
    .execute()
}

export async function countTemplates(db: Db, account_id: number): Promise<number> {
  const { total } = await db
    .selectFrom('chat_templates')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** By the primary key. */
export function latestWabaTemplate(db: Db, account_id: number): Promise<ChatTemplateRow | undefined> {
  return db
    .selectFrom('chat_templates')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('type', '=', 'waba')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Templates with the file whose uuid is in a column. Index: chat_templates_by_file. */
export const templatesWithFile = (
  db: Db,
  { account_id, integration_id }: TemplateOwner,
  uuid_column: string,
) =>
  db
    .selectFrom('chat_templates')
    .select(sql.lit(1).as('one'))
    .where('chat_templates.account_id', '=', account_id)
    .where('chat_templates.file_uuid', '=', sql.ref<string>(uuid_column))
    .$if(integration_id !== undefined, (query) =>
      query.where('chat_templates.integration_id', '=', integration_id as string),
    )

export const insertTemplates = (tx: Tx, rows: ChatTemplateRow[]): Promise<void> =>
  insertRows(tx, 'chat_templates', rows)
export const replaceTemplates = (tx: Tx, rows: ChatTemplateRow[]): Promise<void> =>
  replaceRows(tx, 'chat_templates', ['account_id', 'id'], rows)

/** Deletes templates with their reviews. */
export async function deleteTemplates(tx: Tx, account_id: number, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('chat_template_reviews')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('template_id'), ids))
    .execute()
  await deleteRows(
    tx,
    'chat_templates',
    ids.map((id) => ({ account_id, id })),
  )
}

/** The reviews of some templates, oldest first. Index: chat_template_reviews_by_template. */
export function reviewsOf(
  db: Db,
  account_id: number,
  template_ids: readonly number[],
): Promise<ChatTemplateReviewRow[]> {
  return db
    .selectFrom('chat_template_reviews')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('template_id'), template_ids))
    .orderBy('id')
    .execute()
}

export const insertReviews = (tx: Tx, rows: ChatTemplateReviewRow[]): Promise<void> =>
  insertRows(tx, 'chat_template_reviews', rows)
export const replaceReviews = (tx: Tx, rows: ChatTemplateReviewRow[]): Promise<void> =>
  replaceRows(tx, 'chat_template_reviews', ['account_id', 'id'], rows)
