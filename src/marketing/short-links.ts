import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { ShortLinkRow } from '../db/tables.ts'
import { loadAccess, lockSurvivor, type RecordReference, requireRecords } from '../entities/entities.ts'
import { type Fault, Refusal } from '../errors.ts'
import { recordEvents } from '../events/events.ts'
import { addSystemNotes } from '../notes/notes.ts'
import { randomAlphanumeric } from '../secrets.ts'
import { findShortLinkRow, insertShortLinks } from './short-link-queries.ts'
import { webAddress } from './web-addresses.ts'

export interface ShortLinkDraft {
  url: string
  metadata: { entity_type: 'contacts'; entity_id: number }
  request_id?: string | number | undefined
}

/** 71 bits: short enough for a text message, and too long to guess. */
const TOKEN_LETTERS = 12

/** Creates a short address for each draft or none, if the actor can change the contacts. */
export function addShortLinks(ctx: Context, actor: Actor, drafts: ShortLinkDraft[]): Promise<ShortLinkRow[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const named = drafts.map(
      ({ metadata, request_id }, i): RecordReference => ({
        entity_type: metadata.entity_type,
        id: metadata.entity_id,
        request_id: String(request_id ?? i),
        path: 'metadata.entity_id',
      }),
    )
    await requireRecords(tx, access, 'edit', named, 'item')
    const urls = drafts.map(({ url }) => webAddress(url)?.href)
    const faults = drafts.flatMap(({ request_id }, i): Fault[] => {
      if (urls[i] !== undefined) return []
      const detail = 'This value is not a valid URL.'
      return [{ request_id: String(request_id ?? i), code: 'InvalidFormat', path: 'url', detail }]
    })
    if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    const rows = drafts.map(({ metadata }, i) => ({
      token: randomAlphanumeric(TOKEN_LETTERS),
      account_id: actor.account_id,
      // Copied by name: other metadata are not columns.
      entity_type: metadata.entity_type,
      entity_id: metadata.entity_id,
      url: urls[i] as string,
      created_by: actor.user_id,
      created_at: ctx.now(),
    }))
    await insertShortLinks(tx, rows)
    return rows
  })
}

/** The address of a short link, on the host of its account. */
export const shortUrl = (ctx: Context, subdomain: string, { token }: ShortLinkRow): string =>
  `${ctx.hosts.accountUrl(subdomain)}/s/${token}`

/** The short link, if it exists and the requested host belongs to its account or to no account. */
export async function findShortLink(
  ctx: Context,
  token: string,
  subdomain: string | null,
): Promise<ShortLinkRow | undefined> {
  const link = await findShortLinkRow(ctx.db, token)
  return link && (subdomain ?? link.subdomain) === link.subdomain ? link : undefined
}

/**
 * Records on the contact that the link was followed, without an author. Does nothing if the contact is in the trash.
 */
export async function recordFollowing(
  ctx: Context,
  { account_id, entity_type, entity_id, url }: ShortLinkRow,
  request_id: string,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const contact = await lockSurvivor(tx, account_id, entity_type, entity_id)
    if (!contact) return
    const by = { account_id, user_id: 0, request_id }
    const { id, responsible_user_id } = contact
    const note = { note_type: 'link_followed' as const, params: { url }, entity_type, entity_id: id }
    const [note_id] = (await addSystemNotes(ctx, tx, by, [{ ...note, responsible_user_id }])) as [number]
    await recordEvents(ctx, tx, by, [
      { type: 'link_followed', entity_type: 'contact', entity_id: id, after: [{ note: { id: note_id } }] },
    ])
  })
}
