import type { Actor } from '../../accounts/accounts.ts'
import { textKey } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { ChatTemplateReviewRow, ChatTemplateRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { filterOf, listOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import type { Page } from '../../http/queries/paging.ts'
import { findTemplates, reviewsOf, type TemplateOwner, templateIndex } from './template-queries.ts'

/** A template, with its reviews where they are asked for. */
export interface ReadTemplate {
  row: ChatTemplateRow
  reviews: ChatTemplateReviewRow[] | null
}

/** A token sees the templates of its integration, a person in the application those of the account (C16). */
export const ownerOf = ({ account_id, integration }: Actor): TemplateOwner => ({
  account_id,
  integration_id: integration?.id,
})

/** A page of templates, oldest first, and the number of all. */
export async function listTemplates(
  db: Db,
  actor: Actor,
  asked: { filter?: QueryValue; query?: QueryValue },
  { limit, offset }: Page,
  withReviews: boolean,
): Promise<{ templates: ReadTemplate[]; total: number }> {
  const names = listOf(filterOf(asked, 'external_id'))
  const searched = textKey(textOf(asked.query))
  const found = (await templateIndex(db, ownerOf(actor))).filter(
    ({ name, external_id }) =>
      (names.length === 0 || names.includes(external_id ?? '')) && textKey(name).includes(searched),
  )
  const ids = found.slice(offset, offset + limit).map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await findTemplates(db, ownerOf(actor), ids)
  return { templates: await withReviewsOf(db, actor, rows, withReviews), total: found.length }
}

/** A template that the actor may see, or Refusal('not_found'). */
export async function readTemplate(
  db: Db,
  actor: Actor,
  id: number,
  withReviews = false,
): Promise<ReadTemplate> {
  const rows = await findTemplates(db, ownerOf(actor), [id])
  const [template] = await withReviewsOf(db, actor, rows, withReviews)
  if (!template) throw templateNotFound()
  return template
}

export const templateNotFound = (): Refusal =>
  new Refusal('not_found', 'There is no such chat template in this account.')

async function withReviewsOf(
  db: Db,
  { account_id }: Actor,
  rows: ChatTemplateRow[],
  isAsked: boolean,
): Promise<ReadTemplate[]> {
  if (!isAsked || rows.length === 0) return rows.map((row) => ({ row, reviews: null }))
  const ids = rows.map(({ id }) => id)
  const byTemplate = Map.groupBy(await reviewsOf(db, account_id, ids), ({ template_id }) => template_id)
  return rows.map((row) => ({ row, reviews: byTemplate.get(row.id) ?? [] }))
}
