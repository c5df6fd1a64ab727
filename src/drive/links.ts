import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import { sameText } from '../secrets.ts'
import type { LinkPath } from './schemas.ts'

/**
 * Addresses from which anybody who has them downloads, for a day or two, or for three months: they are opened by browsers
 * and by other people's servers, which bring no token. Nothing is stored: the address carries a signature over the rest of it. What a link leads to is looked up when it
 * is followed, so a file in the trash is not had by a link from before. Links of one day are alike, so that previews are
 * kept by browsers.
 */
export interface Linked {
  account_id: number
  file_uuid: string
  what: string
}

/** What of a file a link leads to: its active version whatever that is, one version, or a preview of one. */
export const ACTIVE = 'active'
export const previewOf = (version_uuid: string, index: number): string => `${version_uuid}.${index}`

const DAY = 86_400

/** Days, and up to one more. What was sent to somebody is opened when he gets round to it. */
const LIFETIMES = { passing: 1, lasting: 90 }
export type LinkKind = keyof typeof LIFETIMES

/** Writes links for one answer: the address without host and surface, for `download/` of the file service. */
export function linkWriter(
  ctx: Context,
  kind: LinkKind = 'passing',
): (linked: Linked, name: string) => string {
  const key = ctx.vault.key('file links')
  const expires = (Math.floor(ctx.now() / DAY) + 1 + LIFETIMES[kind]) * DAY
  return (linked, name) => {
    const { account_id, file_uuid, what } = linked
    return `${account_id}/${file_uuid}/${what}/${expires}/${sign(key, linked, expires)}/${name}`
  }
}

/** What a link that was written here leads to, and the name at its end; null when it is none. Its age does not matter. */
export function readLink(url: string): (Linked & { name: string }) | null {
  const path = URL.parse(url)?.pathname ?? ''
  const parts = /\/download\/(\d{1,16})\/([^/]{1,64})\/([^/]{1,64})\/\d+\/[^/]+\/([^/]*)$/.exec(path)
  if (!parts) return null
  const [, account_id, file_uuid, what, name] = parts as unknown as [string, string, string, string, string]
  return { account_id: Number(account_id), file_uuid, what, name }
}

/** Whether this server signed the link, and its end has not come. */
export function isLink(ctx: Context, link: LinkPath): boolean {
  const isOurs = sameText(link.signature, sign(ctx.vault.key('file links'), link, link.expires))
  return isOurs && link.expires > ctx.now()
}

const sign = (key: Buffer, { account_id, file_uuid, what }: Linked, expires: number): string =>
  createHmac('sha256', key).update(`${account_id}/${file_uuid}/${what}/${expires}`).digest('base64url')
