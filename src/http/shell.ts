import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { isOnThisMachine } from '../config.ts'
import { Refusal } from '../errors.ts'
import { packageFolder } from '../package.ts'

/** The build of the web application. */
export const WEB_FOLDER = join(packageFolder, 'dist/web')

export interface ShellExtras {
  /** Another origin that the page's forms can reach. Browsers also apply form-action to redirects after a form. */
  formAction?: string
  /** Keeps window.opener, for a page that another site opened and waits for. */
  openerKept?: boolean
  /** Allows `style` attributes in markup. Style elements need the nonce even so. */
  styleAttributes?: boolean
}

const NONCE = '%NONCE%'
const YEARS_2 = 63_072_000

/** Browser features that no page uses, so injected code cannot use them either. */
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

/** Reads a built page, by default the web application. Throws Refusal('unavailable') if there is no build. */
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

/** Sends the page with a new nonce and with headers against framing, sniffing and scripts. */
export function sendShell(
  reply: FastifyReply,
  extras: ShellExtras = {},
  html: string = builtShell(),
): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  // Browsers would open all other servers on this machine by https, too.
  if (reply.request.protocol === 'https' && !isOnThisMachine(reply.request))
    reply.header('strict-transport-security', `max-age=${YEARS_2}; includeSubDomains`)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce, extras),
      'cross-origin-opener-policy': extras.openerKept ? 'unsafe-none' : 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'permissions-policy': NO_FEATURES,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    .send(html.replaceAll(NONCE, nonce))
}

function policy(nonce: string, { formAction, styleAttributes = false }: ShellExtras): string {
  // Only the origin, because other parts of a URL could end the directive and begin a new one.
  const forms = formAction === undefined ? "'self'" : `'self' ${new URL(formAction).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ...(styleAttributes ? ["style-src-attr 'unsafe-inline'"] : []),
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
