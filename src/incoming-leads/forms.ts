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
import { readWebsites, websitesOf } from './trusted-websites.ts'

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
      source_id: draft.button ? await nextId(tx, 'sources') : null,
      trusted_websites: '[]',
      is_used_in_app: 0,
      ...buttonColumns(draft.button),
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

/** Changes a form. A function computes the patch from the form as it is. */
export async function changeForm(
  ctx: Context,
  actor: Actor,
  id: number,
  written: SiteFormPatch | ((before: SiteFormRow) => SiteFormPatch),
): Promise<SiteForm> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const before = await selectForm(tx, actor.account_id, id)
    if (!before) throw notFound()
    const patch = typeof written === 'function' ? written(before) : written
    const { name, pipeline_id, thanks, fields, is_enabled, button } = patch
    if (button && before.source_id === null)
      throw invalid('button', 'NotSupportedChoice', 'This form belongs to no button.')
    const row: SiteFormRow = {
      ...before,
      name: name ?? before.name,
      pipeline_id: pipeline_id ?? before.pipeline_id,
      thanks: thanks ?? before.thanks,
      ...buttonColumns(button),
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

type ButtonColumns = Pick<SiteFormRow, 'trusted_websites'> & Partial<Pick<SiteFormRow, 'is_used_in_app'>>

function buttonColumns(button: NewSiteForm['button']): ButtonColumns | undefined {
  if (!button) return undefined
  const { trusted_websites, is_used_in_app } = button
  return {
    trusted_websites: JSON.stringify(readWebsites(trusted_websites, 'button.trusted_websites')),
    ...(is_used_in_app !== undefined && { is_used_in_app: is_used_in_app ? 1 : 0 }),
  }
}

/** Refuses a pipeline or a field that does not exist or cannot be in a form, a field that stands twice, a lost button. */
async function requireValid(tx: Tx, row: SiteFormRow): Promise<void> {
  const stages = await findStages(tx, row.account_id)
  if (!stages.hasPipeline(row.pipeline_id)) throw invalidChoice('pipeline_id', stages.pipelines)
  if (row.source_id !== null && row.is_used_in_app === 0 && row.trusted_websites === '[]')
    throw invalid('button.trusted_websites', 'TooFew', 'A button needs a website, or an app that uses it.')
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
  button:
    row.source_id === null
      ? null
      : {
          source_id: row.source_id,
          trusted_websites: websitesOf(row),
          is_used_in_app: row.is_used_in_app === 1,
          code: `<script async src="${hosts.accountUrl(subdomain)}/website_buttons/${row.token}.js"></script>`,
        },
  created_at: row.created_at,
  updated_at: row.updated_at,
})
