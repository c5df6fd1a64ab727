import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'

/** Where Vite puts the web application; the same place from the sources and from what is published. */
export const WEB_FOLDER = join(import.meta.dirname, '../../dist/web')

export interface ShellExtras {
  /** An origin that the page's forms may lead to beside our own: browsers hold redirects after a form to it as well. */
  formAction?: string
  /** The page was opened by another site that waits for it: its hold on the window is not cut. */
  openerKept?: boolean
}

const NONCE = '%NONCE%'
const YEARS_2 = 63_072_000

/** Features that no page of ours uses, and nothing that slips into one may. */
const NO_FEATURES = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** A page that was built, the one of the web application or another. Throws Refusal('unavailable') when none was. */
export function readShell(folder = WEB_FOLDER, page = 'index.html'): string {
  try {
    return readFileSync(join(folder, page), 'utf8')
  } catch (cause) {
    throw new Refusal('unavailable', 'The web application is not built.', { cause })
  }
}

let built: string | undefined

function builtShell(): string {
  built ??= readShell()
  return built
}

/** Sends the page with a nonce of its own, and the headers that keep it from being framed, sniffed or scripted. */
export function sendShell(
  reply: FastifyReply,
  extras: ShellExtras = {},
  html: string = builtShell(),
): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  if (reply.request.protocol === 'https')
    reply.header('strict-transport-security', `max-age=${YEARS_2}; includeSubDomains`)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce, extras.formAction),
      'cross-origin-opener-policy': extras.openerKept ? 'unsafe-none' : 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'permissions-policy': NO_FEATURES,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    .send(html.replaceAll(NONCE, nonce))
}

function policy(nonce: string, formAction: string | undefined): string {
  // An origin alone: what else an address may hold could end the directive and begin another.
  const forms = formAction === undefined ? "'self'" : `'self' ${new URL(formAction).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    `form-action ${forms}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
