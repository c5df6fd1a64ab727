import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { type Altering, agePair, armFault, expireToken, revokeFamily } from './alter.ts'
import { explainToken } from './explain.ts'
import { readFamilies, readFamily, type UsesInLog } from './families.ts'
import {
  AccountQuery,
  Ageing,
  Arming,
  ByGrant,
  Expiry,
  Explanation,
  FamilyHistory,
  FamilyPage,
  FamilyQuery,
  PairQuery,
  Pasted,
} from './schemas.ts'

const tags = ['Test helpers']
const ofFamily = { tags, params: ByGrant, querystring: AccountQuery }
const done = (description: string) => ({ otherResponses: { 204: { description } } })

const operations = {
  list: {
    operationId: 'test_helpers.tokens.list',
    summary: 'Lists the families of tokens in the account, the newest consent first.',
    returns: 'A page of families, each with its newest pair.',
    tags,
    querystring: FamilyQuery,
    response: { 200: FamilyPage },
  },
  get: {
    operationId: 'test_helpers.tokens.get',
    summary: 'Reads the pairs of one consent: when and by which requests they were issued, used and ended.',
    returns: 'The family with its pairs, the newest first.',
    tags,
    params: ByGrant,
    querystring: PairQuery,
    response: { 200: FamilyHistory },
  },
  explain: {
    operationId: 'test_helpers.tokens.explain',
    summary: 'Says what became of a token or a code.',
    description:
      'The token is neither stored nor recorded. A token that the account does not have counts as a guess against the limit of strangers.',
    returns: 'What became of it, as a sentence and in parts.',
    tags,
    querystring: AccountQuery,
    body: Pasted,
    response: { 200: Explanation },
  },
  expire: {
    operationId: 'test_helpers.token.expire',
    summary: 'Lets the access token or the refresh token of a pair expire now.',
    ...ofFamily,
    body: Expiry,
    ...done('The token has expired.'),
  },
  age: {
    operationId: 'test_helpers.token.age',
    summary: 'Makes a pair older by a day or by three months.',
    ...ofFamily,
    body: Ageing,
    ...done('The pair is older.'),
  },
  revoke: {
    operationId: 'test_helpers.token.revoke',
    summary: 'Revokes all tokens of a consent.',
    ...ofFamily,
    ...done('The tokens are revoked.'),
  },
  lose: {
    operationId: 'test_helpers.token.lose_answer',
    summary: 'Loses the answer to the next refresh.',
    description:
      'The token endpoint stores the new pair, and then ends the connection without an answer, once. A client survives if it repeats the refresh with the same refresh token.',
    ...ofFamily,
    body: Arming,
    ...done('It happens to the next refresh within the timeout.'),
  },
  race: {
    operationId: 'test_helpers.token.race',
    summary: 'Lets the next two refreshes happen at the same time.',
    description:
      'The first refresh waits, at most 20 seconds, until the second one has arrived. Both get the same new pair.',
    ...ofFamily,
    body: Arming,
    ...done('It happens to the next two refreshes within the timeout.'),
  },
} as const satisfies Record<string, FastifySchema>

/** `/test_helpers/tokens`: the tokens of an account, and what happens to them, for tests of integrations. */
export function tokenHelperRoutes(ctx: Context, usesInLog: UsesInLog): FastifyPluginAsyncTypebox {
  const by = ({ helped_account_id, ip, id }: FastifyRequest): Altering => ({
    account_id: helped_account_id,
    user_id: 0,
    address: ip,
    request_id: id,
  })
  return async (helpers) => {
    helpers.get('/tokens', { schema: operations.list }, ({ helped_account_id, query }) =>
      readFamilies(ctx, helped_account_id, query),
    )
    helpers.get('/tokens/:id', { schema: operations.get }, ({ helped_account_id, params, query }) =>
      readFamily(ctx, helped_account_id, params.id, query, usesInLog),
    )
    helpers.post('/tokens/explain', { schema: operations.explain }, (request) =>
      explainToken(ctx, by(request), request.body.token),
    )
    helpers.post('/tokens/:id/revoke', { schema: operations.revoke }, async (request, reply) => {
      await revokeFamily(ctx, by(request), request.params.id)
      return reply.code(204).send()
    })
    addAlterations(ctx, helpers, operations, by)
  }
}

/**
 * `/web/tokens`: the same in the web application, for administrators. Tokens can only be changed on a server with test
 * helpers, apart from their revocation.
 */
export function tokenPageRoutes(ctx: Context, usesInLog: UsesInLog): FastifyPluginAsyncTypebox {
  const by = ({ actor }: FastifyRequest): Altering => {
    requireAdmin(actor)
    const { account_id, user_id, address, request_id } = actor
    return { account_id, user_id, address, request_id }
  }
  return async (web) => {
    web.get('/tokens', { schema: { querystring: FamilyQuery, response: { 200: FamilyPage } } }, (request) =>
      readFamilies(ctx, by(request).account_id, request.query),
    )
    web.get(
      '/tokens/:id',
      { schema: { params: ByGrant, querystring: PairQuery, response: { 200: FamilyHistory } } },
      (request) => readFamily(ctx, by(request).account_id, request.params.id, request.query, usesInLog),
    )
    web.post('/tokens/explain', { schema: { body: Pasted, response: { 200: Explanation } } }, (request) =>
      explainToken(ctx, by(request), request.body.token),
    )
    web.post('/tokens/:id/revoke', { schema: { params: ByGrant } }, async (request, reply) => {
      await revokeFamily(ctx, by(request), request.params.id)
      return reply.code(204).send()
    })
    if (ctx.config.test_helpers) addAlterations(ctx, web, alterations, by)
  }
}

/** The schemas of the operations that change tokens, as the web application has them. */
const alterations = {
  expire: { params: ByGrant, body: Expiry },
  age: { params: ByGrant, body: Ageing },
  lose: { params: ByGrant, body: Arming },
  race: { params: ByGrant, body: Arming },
}

function addAlterations(
  ctx: Context,
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  { expire, age, lose, race }: typeof alterations,
  by: (request: FastifyRequest) => Altering,
): void {
  app.post('/tokens/:id/expire', { schema: expire }, async (request, reply) => {
    await expireToken(ctx, by(request), request.params.id, request.body)
    return reply.code(204).send()
  })
  app.post('/tokens/:id/age', { schema: age }, async (request, reply) => {
    await agePair(ctx, by(request), request.params.id, request.body)
    return reply.code(204).send()
  })
  app.post('/tokens/:id/lose_answer', { schema: lose }, async (request, reply) => {
    await armFault(ctx, by(request), request.params.id, { ...request.body, kind: 'lost_answer' })
    return reply.code(204).send()
  })
  app.post('/tokens/:id/race', { schema: race }, async (request, reply) => {
    await armFault(ctx, by(request), request.params.id, { ...request.body, kind: 'race' })
    return reply.code(204).send()
  })
}
