import type { Context } from '../../context.ts'
import type { IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { OutboundError } from '../../outbound/http-client.ts'
import { updateRedirectCheck } from './queries.ts'

export { checkUrl } from '../../http/registered-urls.ts'

/** Consecutive failures after which a redirect URI is unavailable (A12). */
const FAILURES = 3
export const CHECK_EVERY_SECONDS = 86_400

/** The registered address with the parameters of the outcome in their order, after its own query. */
export function withParameters(redirect_uri: string, parameters: [name: string, value: string][]): string {
  const query = parameters.map(([name, value]) => `${name}=${value}`).join('&')
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`
}

export const isHttps = (redirect_uri: string): boolean => redirect_uri.startsWith('https:')

/** Whether the redirect URI answers; null before the first check. */
export function isAvailable(integration: IntegrationRow): boolean | null {
  return integration.redirect_checked_at === null ? null : integration.redirect_failures < FAILURES
}

/**
 * Throws Refusal('unavailable') if the redirect URI does not answer, so that the integration gets no codes
 * (specification, Integration: redirect URI; A12). In `dev` there is only a warning.
 */
export function requireAvailable(ctx: Context, integration: IntegrationRow): void {
  if (ctx.config.mode === 'dev' || isAvailable(integration) !== false) return
  const code = 'redirect_uri_unavailable'
  throw new Refusal('unavailable', 'The redirect URI of the integration does not answer.', { code })
}

/** Checks whether the redirect URI answers, with HEAD and then GET, and stores the result. */
export async function checkRedirectUri(ctx: Context, integration: IntegrationRow): Promise<void> {
  const error = await ask(ctx, integration)
  await ctx.db.transaction().execute((tx) =>
    updateRedirectCheck(tx, integration, {
      redirect_checked_at: ctx.now(),
      redirect_failures: error === null ? 0 : integration.redirect_failures + 1,
      redirect_error: error,
    }),
  )
}

/**
 * The error, or null if the address answers. An address for codes can reject a request without one, so only 5xx and
 * timeouts count.
 */
async function ask(ctx: Context, integration: IntegrationRow): Promise<string | null> {
  const { id: integration_id, account_id, redirect_uri: url } = integration
  const about = { account_id, integration_id, kind: 'redirect_check', request_id: '' }
  try {
    const head = await ctx.outbound.request({ method: 'HEAD', url, about })
    if (head.status < 400) return null
    const get = await ctx.outbound.request({ method: 'GET', url, about })
    return get.status < 500 ? null : `answered ${get.status}`
  } catch (error) {
    if (error instanceof OutboundError) return error.reason
    throw error
  }
}
