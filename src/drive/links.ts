import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import { sameText } from '../secrets.ts'
import type { LinkPath } from './schemas.ts'

/**
 * Signed download URLs, valid for one to two days or for three months. Browsers and external servers open them
 * without a token. Nothing is stored: the URL contains a signature of its other parts. The file is looked up when
 * the link is opened, so links to a file in the trash do not work. All links of one day are equal, so that browsers
 * can cache previews.
 */
export interface Linked {
  account_id: number
  file_uuid: string
  what: string
}

/** The target of a link: the version that is active when it is opened, a fixed version, or a preview of one. */
export const ACTIVE = 'active'
export const previewOf = (version_uuid: string, index: number): string => `${version_uuid}.${index}`

const DAY = 86_400

/** Days of validity, plus up to one day. Recipients open sent links later. */
const LIFETIMES = { passing: 1, lasting: 90 }
export type LinkKind = keyof typeof LIFETIMES

/** Writes links for one response: the URL without the host and surface, relative to `download/` of the file service. */
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

/** Parses a link signed here, with the name at its end; null if it is not one. Ignores its expiry. */
export function readLink(url: string): (Linked & { name: string }) | null {
  const path = URL.parse(url)?.pathname ?? ''
  const parts = /\/download\/(\d{1,16})\/([^/]{1,64})\/([^/]{1,64})\/\d+\/[^/]+\/([^/]*)$/.exec(path)
  if (!parts) return null
  const [, account_id, file_uuid, what, name] = parts as unknown as [string, string, string, string, string]
  return { account_id: Number(account_id), file_uuid, what, name }
}

/** Whether this server signed the link and it has not expired. */
export function isLink(ctx: Context, link: LinkPath): boolean {
  const isOurs = ctx.vault
    .keys('file links')
    .some((key) => sameText(link.signature, sign(key, link, link.expires)))
  return isOurs && link.expires > ctx.now()
}

const sign = (key: Buffer, { account_id, file_uuid, what }: Linked, expires: number): string =>
  createHmac('sha256', key).update(`${account_id}/${file_uuid}/${what}/${expires}`).digest('base64url')
