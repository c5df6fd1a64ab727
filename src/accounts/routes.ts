import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, originOf } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import { Account, AccountPatch } from './members/schemas.ts'
import { groupRoutes } from './people/group-routes.ts'
import { roleRoutes } from './people/role-routes.ts'
import { userRoutes } from './people/user-routes.ts'
import { changeAccount } from './settings/account-settings.ts'
import { type AccountHooks, accountParts, readAccount } from './settings/account-view.ts'
import { currencyRoutes } from './settings/currency-routes.ts'

const operations = {
  get: {
    operationId: 'account.get',
    summary: 'Shows the account.',
    returns: 'The account.',
    tags: ['Account'],
    parameters: withAny(...accountParts),
    response: { 200: Account },
  },
  update: {
    operationId: 'account.update',
    summary: 'Changes the account.',
    returns: 'The account after the change.',
    tags: ['Account'],
    body: AccountPatch,
    response: { 200: Account },
  },
}

/** Routes of the account, users, roles and groups. Mounted for bearer tokens and for the web application. */
export function accountRoutes(ctx: Context, hooks: AccountHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const answer = (request: FastifyRequest) => {
      const parts = withNames((request.query as { with?: QueryValue }).with, accountParts)
      return readAccount(ctx, hooks, request.actor, parts, { origin: originOf(request), base: base(request) })
    }
    v4.get('/account', { schema: operations.get }, answer)
    v4.patch('/account', { schema: operations.update }, async (request) => {
      await changeAccount(ctx, request.actor, request.body)
      return answer(request)
    })
    await mount(v4, currencyRoutes(ctx))
    await mount(v4, userRoutes(ctx))
    await mount(v4, roleRoutes(ctx))
    await mount(v4, groupRoutes(ctx))
  }
}
