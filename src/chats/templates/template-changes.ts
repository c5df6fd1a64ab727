import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { ChatTemplateRow } from '../../db/tables.ts'
import { collectFaults, noSuch, Refusal } from '../../errors.ts'
import { findAttachments, noWaba, writeTemplate } from './template-draft.ts'
import {
  countTemplates,
  deleteTemplates,
  findTemplates,
  insertTemplates,
  replaceTemplates,
  reviewsOf,
} from './template-queries.ts'
import type { NewTemplate, TemplatePatch } from './template-schemas.ts'
import { ownerOf } from './templates.ts'

const MOST_TEMPLATES = 1_000

/** Adds templates, all or none. Those of a person in the application are editable there (C16). */
export function addTemplates(
  ctx: Context,
  actor: Actor,
  drafts: readonly NewTemplate[],
): Promise<ChatTemplateRow[]> {
  return administrate(ctx, actor, async (tx) => {
    if ((await countTemplates(tx, actor.account_id)) + drafts.length > MOST_TEMPLATES)
      throw new Refusal('unprocessable', `An account has ${MOST_TEMPLATES} chat templates at most.`, {
        code: 'template_limit',
      })
    const ids = await nextIds(tx, 'chat_templates', drafts.length)
    const rows = drafts.map((_, i) => emptyRow(ctx, actor, ids[i] as number))
    await write(tx, actor, rows, drafts)
    await insertTemplates(tx, rows)
    for (const { id, name } of rows) await auditAs(ctx, tx, actor, 'template.added', { id, name })
    return rows
  })
}

const emptyRow = (
  ctx: Context,
  { account_id, integration, user_id }: Actor,
  id: number,
): ChatTemplateRow => ({
  account_id,
  id,
  integration_id: integration?.id ?? null,
  name: '',
  content: '',
  buttons: '[]',
  file_uuid: null,
  attachment_name: null,
  attachment_type: null,
  is_editable: integration ? 0 : 1,
  external_id: null,
  type: 'amocrm',
  ...noWaba,
  created_at: ctx.now(),
  created_by: user_id,
  updated_at: ctx.now(),
  updated_by: user_id,
})

/** Changes the given members of templates, all or none. */
export function changeTemplates(
  ctx: Context,
  actor: Actor,
  patches: readonly (TemplatePatch & { id: number })[],
): Promise<ChatTemplateRow[]> {
  return administrate(ctx, actor, async (tx) => {
    const before = await namedTemplates(tx, actor, patches)
    await refuseReviewed(tx, before, patches)
    const rows = new Map([...before].map(([id, row]) => [id, { ...row }]))
    const targets = patches.map(({ id }) => rows.get(id) as ChatTemplateRow)
    await write(tx, actor, targets, patches)
    const changed = [...rows.values()].filter((row) => !isDeepStrictEqual(row, before.get(row.id)))
    for (const row of changed) Object.assign(row, { updated_at: ctx.now(), updated_by: actor.user_id })
    await replaceTemplates(tx, changed)
    for (const row of changed) await auditAs(ctx, tx, actor, 'template.changed', changeOf(row, before))
    return [...rows.values()]
  })
}

function changeOf(row: ChatTemplateRow, before: ReadonlyMap<number, ChatTemplateRow>) {
  const old = before.get(row.id) as ChatTemplateRow
  const members = Object.keys(row) as (keyof ChatTemplateRow)[]
  const changed = members.filter((name) => !name.startsWith('updated_') && row[name] !== old[name])
  return { id: row.id, name: row.name, changed }
}

/** Deletes templates and their reviews, all or none. The files stay. */
export function removeTemplates(ctx: Context, actor: Actor, named: readonly { id: number }[]): Promise<void> {
  return administrate(ctx, actor, async (tx) => {
    const rows = [...(await namedTemplates(tx, actor, named)).values()]
    await deleteTemplates(
      tx,
      actor.account_id,
      rows.map(({ id }) => id),
    )
    for (const { id, name } of rows) await auditAs(ctx, tx, actor, 'template.removed', { id, name })
  })
}

/** Changes are serialised, so that the number of templates stays within its limit. */
function administrate<T>(ctx: Context, actor: Actor, change: (tx: Tx) => Promise<T>): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    return change(tx)
  })
}

/**
 * The named templates by id, in the order of the batch. Throws Refusal('invalid') for unknown ones, and 'forbidden' for
 * those that the application may not change.
 */
async function namedTemplates(
  tx: Tx,
  actor: Actor,
  named: readonly { id: number; request_id?: string | number | undefined }[],
): Promise<Map<number, ChatTemplateRow>> {
  const found = new Map(
    (
      await findTemplates(
        tx,
        ownerOf(actor),
        named.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  const { about, refuse } = collectFaults()
  named.forEach(({ id, request_id }, i) => {
    if (!found.has(id)) about(String(request_id ?? i))('NotSupportedChoice', 'id', noSuch('chat template'))
  })
  refuse()
  if (!actor.integration && [...found.values()].some((row) => row.is_editable === 0))
    throw new Refusal('forbidden', 'The chat template can only be changed by its integration.', {
      code: 'template_of_integration',
    })
  return new Map(named.map(({ id }) => [id, found.get(id) as ChatTemplateRow]))
}

/** A template of WhatsApp is a draft until it is sent for review. */
async function refuseReviewed(
  tx: Tx,
  templates: ReadonlyMap<number, ChatTemplateRow>,
  patches: readonly (TemplatePatch & { id: number })[],
): Promise<void> {
  const drafts = [...templates.values()].filter(({ type }) => type === 'waba')
  const [first] = drafts
  if (!first) return
  const reviews = await reviewsOf(
    tx,
    first.account_id,
    drafts.map(({ id }) => id),
  )
  const reviewed = new Set(reviews.map(({ template_id }) => template_id))
  const { about, refuse } = collectFaults()
  patches.forEach(({ id, request_id }, i) => {
    if (reviewed.has(id))
      about(String(request_id ?? i))(
        'NotSupportedChoice',
        'id',
        'A template that was sent for review cannot be changed.',
      )
  })
  refuse()
}

async function write(
  tx: Tx,
  { account_id }: Actor,
  rows: readonly ChatTemplateRow[],
  patches: readonly TemplatePatch[],
): Promise<void> {
  const files = await findAttachments(tx, account_id, patches)
  const { about, refuse } = collectFaults()
  patches.forEach((patch, i) => {
    writeTemplate(rows[i] as ChatTemplateRow, patch, files, about(String(patch.request_id ?? i)))
  })
  refuse()
}
