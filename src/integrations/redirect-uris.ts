import type { Context } from '../context.ts'
import type { IntegrationRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { OutboundError } from '../outbound/http-client.ts'
import { updateIntegrationRow } from './queries.ts'

export { checkUrl } from '../http/registered-urls.ts'

/** Failures in a row after which a redirect URI counts as unavailable (A12). */
const FAILURES = 3
export const CHECK_EVERY_SECONDS = 86_400

/** The registered address with the outcome's parameters, in their order, behind whatever query it has. */
export function withParameters(redirect_uri: string, parameters: [name: string, value: string][]): string {
  const query = parameters.map(([name, value]) => `${name}=${value}`).join('&')
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`
}

export const isHttps = (redirect_uri: string): boolean => redirect_uri.startsWith('https:')

/** null until it was asked for the first time. */
export function isAvailable(integration: IntegrationRow): boolean | null {
  return integration.redirect_checked_at === null ? null : integration.redirect_failures < FAILURES
}

/**
 * Throws Refusal('unavailable') for a redirect URI that does not answer: its integration gets no codes (specification,
 * Integration: redirect URI; A12). In `dev` people are only warned.
 */
export function requireAvailable(ctx: Context, integration: IntegrationRow): void {
  if (ctx.config.mode === 'dev' || isAvailable(integration) !== false) return
  const code = 'redirect_uri_unavailable'
  throw new Refusal('unavailable', 'The redirect URI of the integration does not answer.', { code })
}

/** Asks whether the redirect URI answers, HEAD first and then GET, and writes down what came of it. */
export async function checkRedirectUri(ctx: Context, integration: IntegrationRow): Promise<void> {
  const error = await ask(ctx, integration.redirect_uri)
  await ctx.db.transaction().execute((tx) =>
    updateIntegrationRow(tx, integration.id, {
      redirect_checked_at: ctx.now(),
      redirect_failures: error === null ? 0 : integration.redirect_failures + 1,
      redirect_error: error,
    }),
  )
}

/** null when it answers. An address that waits for a code may well refuse a call without one; only 5xx and silence count. */
async function ask(ctx: Context, url: string): Promise<string | null> {
  try {
    const head = await ctx.outbound.request({ method: 'HEAD', url })
    if (head.status < 400) return null
    const get = await ctx.outbound.request({ method: 'GET', url })
    return get.status < 500 ? null : `answered ${get.status}`
  } catch (error) {
    if (error instanceof OutboundError) return error.reason
    throw error
  }
}
