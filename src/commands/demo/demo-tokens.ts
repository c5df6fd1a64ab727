import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { freshCode } from '../../integrations/installations/installations.ts'
import { authenticate } from '../../integrations/integrations.ts'
import { requestTokens } from '../../integrations/oauth/token-endpoint.ts'
import type { Demo } from './demo.ts'
import type { Connect } from './demo-courier.ts'

export const caller = {
  request_id: 'demo',
  address: '127.0.0.1',
  user_agent: 'patchbay dev',
  host: '',
  subdomain: null,
}

type Integration = Demo['integration']

/** Gets a token pair like every integration: it exchanges a code. */
export async function newTokens(
  ctx: Context,
  actor: Actor,
  integration: Integration,
): Promise<Demo['tokens']> {
  const { code } = await freshCode(ctx, actor, integration.client_id)
  return exchanged(ctx, integration, { grant_type: 'authorization_code', code, refresh_token: null })
}

async function exchanged(
  ctx: Context,
  integration: Integration,
  grant: { grant_type: string; code: string | null; refresh_token: string | null },
): Promise<Demo['tokens']> {
  const request = { ...integration, ...grant, code_verifier: null }
  const asking = { ...caller, base_host: ctx.hosts.base_host }
  const { access_token, refresh_token } = await requestTokens(ctx, request, asking)
  return { access_token, refresh_token }
}

/** Connects an integration, which refreshes its tokens whenever it calls. */
export const connect: Connect = async (ctx, actor, integration) => {
  let { refresh_token } = await newTokens(ctx, actor, integration)
  return async (ctx) => {
    const tokens = await exchanged(ctx, integration, {
      grant_type: 'refresh_token',
      code: null,
      refresh_token,
    })
    refresh_token = tokens.refresh_token
    await authenticate(ctx, tokens.access_token, caller)
  }
}
