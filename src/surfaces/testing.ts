import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { findAccountBySubdomain, onlyAccountId } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { deliveryHelperRoutes } from '../deliveries/routes.ts'
import { deliveryKinds } from '../delivery-kinds.ts'
import { invalid, Refusal } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { notFoundHandler } from '../http/problems/problem.ts'
import { textOf } from '../http/queries/bracket-query.ts'
import { namesOfIntegrations } from '../integrations/integrations.ts'
import { tokenHelperRoutes } from '../integrations/token-tools/routes.ts'
import { listenHelperRoutes } from '../listening/routes.ts'
import { tokenUses } from '../request-log/request-log.ts'
import { requestHelperRoutes } from '../request-log/routes.ts'
import { sameText } from '../secrets.ts'
import { signatureHelperRoutes } from '../signatures/routes.ts'
import { traceHelperRoutes } from '../traces/routes.ts'
import { triggerRoutes } from '../triggers/routes.ts'
import { refuseUnreadInput } from './unread-input.ts'

/**
 * `/test_helpers`: what tests of integrations ask, with a key of its own, for all accounts of the server (Q6). In
 * development, and with `TEST_HELPERS` (Q15).
 */
export function testingSurface(ctx: Context): FastifyPluginAsync {
  return async (helpers) => {
    if (!ctx.config.test_helpers) return
    helpers.alikeBelow.push(`${helpers.prefix}/`)
    helpers.decorateRequest('helped_account_id', 0)
    helpers.addHook('onRequest', async (request) => {
      await requireKey(ctx, request)
      request.helped_account_id = await accountOf(ctx, request)
    })
    refuseUnreadInput(helpers)
    helpers.addHook('onSend', (_request, reply, _payload, done) => {
      if (reply.statusCode === 200) reply.header('content-type', 'application/json')
      done()
    })
    await mount(helpers, requestHelperRoutes(ctx, namesOfIntegrations))
    await mount(helpers, tokenHelperRoutes(ctx, tokenUses))
    await mount(helpers, traceHelperRoutes(ctx, namesOfIntegrations))
    await mount(helpers, deliveryHelperRoutes(ctx, namesOfIntegrations))
    await mount(helpers, triggerRoutes(ctx))
    await mount(helpers, listenHelperRoutes(ctx, deliveryKinds(ctx)))
    await mount(helpers, signatureHelperRoutes(ctx))
    // Without the key, callers must not learn which addresses exist.
    helpers.all('/*', notFoundHandler)
  }
}

async function requireKey(ctx: Context, { headers, ip }: FastifyRequest): Promise<void> {
  const [, key] = /^bearer +(\S{1,500})$/i.exec(headers.authorization ?? '') ?? []
  if (key !== undefined && ctx.testHelpersKey !== null && sameText(key, ctx.testHelpersKey)) return
  await ctx.limits.take('stranger', ip)
  throw new Refusal('not_authorized', 'The key of the test helpers is missing or wrong.', {
    code: 'test_helpers_key',
  })
}

/** The account of the host, or that of the parameter. A server with one account needs neither. */
async function accountOf(ctx: Context, { tenant, query }: FastifyRequest): Promise<number> {
  const named = tenant.subdomain ?? textOf((query as { account?: unknown }).account)
  if (named === '') {
    const only = await onlyAccountId(ctx.db)
    if (only === undefined)
      throw invalid('account', 'FieldMissing', 'This field is missing: the server has several accounts.')
    return only
  }
  const account = await findAccountBySubdomain(ctx.db, named)
  if (!account) throw new Refusal('not_found', 'There is no account with this subdomain.')
  return account.id
}
