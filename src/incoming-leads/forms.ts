import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { SiteFormRow } from '../db/tables.ts'
import { invalid, invalidChoice, Refusal } from '../errors.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { randomAlphanumeric } from '../secrets.ts'
import { shownFields } from './form-fields.ts'
import { deleteForm, insertForm, replaceForm, selectForm, selectForms } from './form-queries.ts'
import type { FormField, NewSiteForm, SiteForm, SiteFormPatch } from './form-schemas.ts'

const MOST_FORMS = 100
/** 95 bits: the token names a form and is no secret. */
const TOKEN_LETTERS = 16

const notFound = () => new Refusal('not_found', 'There is no such form.')

/** The forms that the company puts on its sites. For administrators, as everything here. */
export async function listForms(ctx: Context, actor: Actor): Promise<SiteForm[]> {
  requireAdmin(actor)
  return (await selectForms(ctx.db, actor.account_id)).map((row) => viewOf(ctx, actor, row))
}

export async function readForm(ctx: Context, actor: Actor, id: number): Promise<SiteForm> {
  requireAdmin(actor)
  const row = await selectForm(ctx.db, actor.account_id, id)
  if (!row) throw notFound()
  return viewOf(ctx, actor, row)
}

export async function addForm(ctx: Context, actor: Actor, draft: NewSiteForm): Promise<SiteForm> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    if ((await selectForms(tx, actor.account_id)).length >= MOST_FORMS)
      throw new Refusal('unprocessable', `An account can have at most ${MOST_FORMS} forms.`)
    const now = ctx.now()
    const row: SiteFormRow = {
      account_id: actor.account_id,
      id: await nextId(tx, 'site_forms'),
      token: randomAlphanumeric(TOKEN_LETTERS),
      name: draft.name,
      pipeline_id: draft.pipeline_id,
      fields: JSON.stringify(draft.fields),
      thanks: draft.thanks ?? '',
      is_enabled: draft.is_enabled === false ? 0 : 1,
      created_by: actor.user_id,
      created_at: now,
      updated_at: now,
    }
    await requireValid(tx, row)
    await insertForm(tx, row)
    await auditAs(ctx, tx, actor, 'form.added', { id: row.id, name: row.name })
    return viewOf(ctx, actor, row)
  })
}

export async function changeForm(
  ctx: Context,
  actor: Actor,
  id: number,
  { fields, is_enabled, ...patch }: SiteFormPatch,
): Promise<SiteForm> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const before = await selectForm(tx, actor.account_id, id)
    if (!before) throw notFound()
    const row: SiteFormRow = {
      ...before,
      ...patch,
      ...(fields && { fields: JSON.stringify(fields) }),
      ...(is_enabled !== undefined && { is_enabled: is_enabled ? 1 : 0 }),
    }
    const columns = Object.keys(row) as (keyof SiteFormRow)[]
    const changed = columns.filter((name) => row[name] !== before[name])
    if (changed.length === 0) return viewOf(ctx, actor, before)
    await requireValid(tx, row)
    const after = { ...row, updated_at: ctx.now() }
    await replaceForm(tx, after)
    await auditAs(ctx, tx, actor, 'form.changed', { id, name: row.name, changed })
    return viewOf(ctx, actor, after)
  })
}

export async function removeForm(ctx: Context, actor: Actor, id: number): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const row = await selectForm(tx, actor.account_id, id)
    if (!row) throw notFound()
    await deleteForm(tx, actor.account_id, id)
    await auditAs(ctx, tx, actor, 'form.removed', { id, name: row.name })
  })
}

/** Refuses a pipeline or a field that does not exist or cannot be in a form, and a field that stands twice. */
async function requireValid(tx: Tx, row: SiteFormRow): Promise<void> {
  const stages = await findStages(tx, row.account_id)
  if (!stages.hasPipeline(row.pipeline_id)) throw invalidChoice('pipeline_id', stages.pipelines)
  const fields = JSON.parse(row.fields) as FormField[]
  const known = new Set((await shownFields(tx, row)).map(({ key }) => key))
  fields.forEach(({ key }, i) => {
    if (!known.has(key))
      throw invalid(`fields.${i}.key`, 'NotSupportedChoice', 'A form cannot have this field.')
    if (fields.findIndex((one) => one.key === key) < i)
      throw invalid(`fields.${i}.key`, 'NotUnique', 'The form has this field already.')
  })
}

const viewOf = ({ hosts }: Context, { subdomain }: Actor, row: SiteFormRow): SiteForm => ({
  id: row.id,
  name: row.name,
  pipeline_id: row.pipeline_id,
  fields: JSON.parse(row.fields),
  thanks: row.thanks,
  is_enabled: row.is_enabled === 1,
  url: `${hosts.accountUrl(subdomain)}/forms/${row.token}`,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
