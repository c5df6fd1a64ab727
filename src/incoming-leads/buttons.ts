import { type Actor, accountLanguage, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid, invalidChoice, Refusal } from '../errors.ts'
import { findStages } from '../pipelines/pipelines.ts'
import type { AddedWebsiteButton, NewWebsiteButton, WebsiteButtonPatch } from './button-schemas.ts'
import type { FormField, SiteForm } from './form-schemas.ts'
import { addForm, changeForm, listForms } from './forms.ts'
import { MOST_WEBSITES, readWebsites, websitesOf } from './trusted-websites.ts'

/** A form with its button. `has_pipeline` is false after its pipeline was deleted. */
export interface ButtonForm extends SiteForm {
  button: NonNullable<SiteForm['button']>
  has_pipeline: boolean
}

const names: Record<string, string> = {
  en: 'Ask us',
  es: 'Consúltenos',
  ru: 'Задайте вопрос',
  pt: 'Fale conosco',
}
const usualFields: FormField[] = [
  { key: 'name', is_required: true },
  { key: 'phone', is_required: true },
  { key: 'text', is_required: false },
]

/** The buttons that the company puts on its sites (I11). For administrators, as everything here. */
export async function listButtons(ctx: Context, actor: Actor): Promise<ButtonForm[]> {
  const forms = await listForms(ctx, actor)
  const stages = await findStages(ctx.db, actor.account_id)
  return forms.flatMap(({ button, ...form }) =>
    button ? [{ ...form, button, has_pipeline: stages.hasPipeline(form.pipeline_id) }] : [],
  )
}

export async function readButton(ctx: Context, actor: Actor, source_id: number): Promise<ButtonForm> {
  const found = (await listButtons(ctx, actor)).find(({ button }) => button.source_id === source_id)
  if (!found) throw new Refusal('not_found', 'There is no such website button.')
  return found
}

/** Adds a button and its form, which asks for a name, a telephone and a message until somebody changes it. */
export async function addButton(
  ctx: Context,
  actor: Actor,
  { pipeline_id, trusted_websites = [], is_used_in_app = false, name }: NewWebsiteButton,
): Promise<AddedWebsiteButton> {
  requireAdmin(actor)
  const websites = readWebsites(trusted_websites, 'trusted_websites')
  if (websites.length === 0 && !is_used_in_app)
    throw invalid('trusted_websites', 'TooFew', 'A button needs a website, or an app that uses it.')
  const stages = await findStages(ctx.db, actor.account_id)
  if (!stages.hasPipeline(pipeline_id)) throw invalidChoice('pipeline_id', stages.pipelines)
  const { button, ...form } = await addForm(ctx, actor, {
    name: name ?? names[await accountLanguage(ctx, actor)] ?? (names.en as string),
    pipeline_id,
    fields: usualFields,
    button: { trusted_websites: websites, is_used_in_app },
  })
  const { source_id, trusted_websites: stored } = button as ButtonForm['button']
  return { source_id, trusted_websites: stored, name: form.name }
}

/** Renames a button, and adds websites to its own, which are at most ten. */
export async function changeButton(
  ctx: Context,
  actor: Actor,
  source_id: number,
  { trusted_websites: written, name }: WebsiteButtonPatch,
): Promise<ButtonForm> {
  const { id } = await readButton(ctx, actor, source_id)
  if (written === undefined && name === undefined)
    throw new Refusal('invalid', 'The request contains no change.', { code: 'no_parameters' })
  const renamed = name === undefined ? {} : { name }
  const added = readWebsites(written?.add ?? [], 'trusted_websites.add')
  await changeForm(ctx, actor, id, (before) => {
    if (added.length === 0) return renamed
    const trusted_websites = [...new Set([...websitesOf(before), ...added])]
    if (trusted_websites.length > MOST_WEBSITES)
      throw invalid('trusted_websites.add', 'TooMany', `A button has at most ${MOST_WEBSITES} websites.`)
    return { ...renamed, button: { trusted_websites } }
  })
  return readButton(ctx, actor, source_id)
}

/** Refuses to add an online chat to a button: this server has none (I11). */
export async function addOnlineChat(ctx: Context, actor: Actor, source_id: number): Promise<never> {
  await readButton(ctx, actor, source_id)
  throw new Refusal('unprocessable', 'This server has no online chat for websites. The button has a form.')
}
