import type { Actor } from '../../accounts/accounts.ts'
import type { Db } from '../../db/database.ts'
import { invalid, noSuch } from '../../errors.ts'
import { findTemplates } from './template-queries.ts'
import { ownerOf } from './templates.ts'

/** The template that a text was made from, and the values in place of its markers. */
export interface UsedTemplate {
  id: number
  params?: { key: string; value: string }[] | undefined
}

/** The template of a message as it was when the message was written. */
export interface SentTemplate {
  id: number
  external_id: string | null
  content: string
  params: { key: string; value: string }[]
  buttons: { text: string; url?: string }[]
}

/** Throws Refusal('invalid') if the actor does not see the template. */
export async function sentTemplate(
  db: Db,
  actor: Actor,
  { id, params = [] }: UsedTemplate,
  request_id: string,
): Promise<SentTemplate> {
  const [row] = await findTemplates(db, ownerOf(actor), [id])
  if (!row) throw invalid('template.id', 'NotSupportedChoice', noSuch('chat template'), request_id)
  const { external_id, content, buttons } = row
  return { id, external_id, content, params, buttons: JSON.parse(buttons) as SentTemplate['buttons'] }
}
