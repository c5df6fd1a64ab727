import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { Refusal } from '../../errors.ts'
import { challengeOf } from '../../http/problems/challenge.ts'
import { docsOf, levelOf, reasons, refusalOf } from '../../http/problems/problem.ts'
import { keepReceived } from '../../http/received.ts'
import { LostAnswer } from '../tokens/token-faults.ts'
import { revokeToken } from './revocation.ts'
import { currentSubdomain, subdomainOfBearer } from './subdomain.ts'
import { requestTokens } from './token-endpoint.ts'
import { oauthErrorOf, tokenRefusal, tokenRefusals } from './token-refusals.ts'
import { parseForm, readRevocationRequest, readTokenRequest } from './token-request.ts'

const BODY_LIMIT = 16_384
const FORM = 'application/x-www-form-urlencoded'

const TokenSet = Type.Object({
  token_type: Type.String({ description: 'Always `Bearer`.' }),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  access_token: Type.String({ description: 'For `Authorization: Bearer …`.' }),
  refresh_token: Type.String({
    description: 'Gets the next pair, once. Store it with the access token: it expires after three months.',
  }),
  server_time: Type.Integer(),
})
const Subdomain = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the account.' }),
    subdomain: Type.String({ description: 'The first part of the host of the account.' }),
    domain: Type.String({ description: 'The whole host of the account.' }),
    top_level_domain: Type.String({ description: 'The last part of the host.' }),
  },
  { title: 'AccountAddress' },
)

const Text = { type: 'string', maxLength: 4096 }

/** The body of a token request (A3). It validates the body itself, because its refusals are those of OAuth. */
const tokenRequest = (required: string[]) => ({
  type: 'object',
  required,
  properties: {
    client_id: Text,
    client_secret: Text,
    grant_type: {
      type: 'string',
      enum: ['authorization_code', 'refresh_token'],
      description: 'What is exchanged for the pair.',
    },
    redirect_uri: { ...Text, description: 'The registered one, byte for byte.' },
    code: { ...Text, description: 'For the grant type authorization_code.' },
    refresh_token: { ...Text, description: 'For the grant type refresh_token.' },
    code_verifier: { ...Text, description: 'If consent was requested with a code_challenge (PKCE).' },
  },
})

const revocationRequest = (required: string[]) => ({
  type: 'object',
  required,
  properties: {
    client_id: Text,
    client_secret: Text,
    token: { ...Text, description: 'An access token, a refresh token or a long-lived token.' },
    token_type_hint: { ...Text, description: 'Not needed: the server finds a token of any type.' },
  },
})

const inBodyOrBasic: FastifySchema['security'] = [{}, { client: [] }]

const operations = {
  token: {
    operationId: 'oauth.token',
    summary: 'Exchanges an authorization code or a refresh token for a pair of tokens.',
    description:
      'The keys of the integration are in the body, or in HTTP Basic if the body is a form. If a response is lost, the same ' +
      'request with the same refresh token returns the same new pair until that pair is used.',
    returns: 'The new pair of tokens.',
    tags: ['Authorization'],
    requestBody: {
      'application/json': tokenRequest(['client_id', 'client_secret', 'grant_type', 'redirect_uri']),
      [FORM]: tokenRequest(['grant_type']),
    },
    security: inBodyOrBasic,
    response: { 200: TokenSet },
  },
  revoke: {
    operationId: 'oauth.revoke',
    summary: 'Revokes the tokens of a consent (RFC 7009).',
    description:
      'Ends all access and refresh tokens that were issued for the same consent as the token. A token that is unknown or of ' +
      'another client changes nothing; the answer is the same.',
    returns: 'The token is not valid, whether it was or not.',
    tags: ['Authorization'],
    requestBody: {
      'application/json': revocationRequest(['client_id', 'client_secret', 'token']),
      [FORM]: revocationRequest(['token']),
    },
    security: inBodyOrBasic,
    response: { 200: Type.Object({}) },
  },
  find: {
    operationId: 'oauth.account.find',
    summary: 'Finds the account of a refresh token without using the token.',
    returns: 'The address of the account.',
    tags: ['Authorization'],
    security: [{ refreshToken: [] }],
    response: { 200: Subdomain },
  },
  get: {
    operationId: 'oauth.account.get',
    summary: 'Finds the account of an access token.',
    returns: 'The address of the account.',
    tags: ['Authorization'],
    security: [{ bearer: [] }],
    response: { 200: Subdomain },
  },
}

/** Ends the connection of a request without an answer. The surface records it. */
type DropAnswer = (request: FastifyRequest, reply: FastifyReply) => void

/** `/oauth2`: the token endpoint and the current address of an account (A3, A15). All answers are application/json. */
export function tokenRoutes(ctx: Context, dropAnswer: DropAnswer): FastifyPluginAsync {
  return async (oauth2) => {
    oauth2.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      async (request: FastifyRequest, text: string) => {
        keepReceived(ctx, request, text)
        return parseForm(text)
      },
    )
    oauth2.alikeBelow.push(`${oauth2.prefix}/`)
    oauth2.setErrorHandler((thrown: FastifyError | Error, request, reply) => {
      if (thrown instanceof LostAnswer) dropAnswer(request, reply)
      else oauthErrorHandler(thrown, request, reply)
    })
    oauth2.addHook('onSend', (_request, reply, _payload, done) => {
      reply
        .header('content-type', 'application/json')
        .header('cache-control', 'no-store')
        .header('pragma', 'no-cache')
      done()
    })
    oauth2.post('/access_token', { bodyLimit: BODY_LIMIT, schema: operations.token }, (request) => {
      const isForm = request.headers['content-type']?.startsWith(FORM) ?? false
      return requestTokens(ctx, readTokenRequest(request.body, isForm, request.headers.authorization), {
        address: request.ip,
        request_id: request.id,
        user_agent: request.headers['user-agent'] ?? '',
        host: request.host,
        ...request.tenant,
      })
    })
    oauth2.post('/revoke', { bodyLimit: BODY_LIMIT, schema: operations.revoke }, async (request) => {
      const { body, headers, ip, id } = request
      await revokeToken(ctx, readRevocationRequest(body, headers.authorization), {
        address: ip,
        request_id: id,
      })
      return {}
    })
    oauth2.get('/account/current/subdomain', { schema: operations.find }, (request) =>
      currentSubdomain(ctx, request.headers['x-refresh-token'], askingOf(request)),
    )
    oauth2.get('/account/subdomain', { schema: operations.get }, (request) =>
      subdomainOfBearer(ctx, request.headers.authorization, askingOf(request)),
    )
  }
}

const askingOf = ({ id, ip, tenant }: FastifyRequest) => ({
  request_id: id,
  address: ip,
  base_host: tenant.base_host,
})

/** The platform's form of an OAuth error: its own members and hint, and OAuth's `error` (A3). */
function oauthErrorHandler(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = readable(refusalOf(thrown, request))
  if (!refusal) {
    request.log.error({ err: thrown }, 'unexpected error')
    const detail = `Something went wrong on our side. The request id is ${request.id}.`
    reply.code(500).send({
      title: 'Internal Server Error',
      type: `${docsOf(request)}#internal`,
      status: 500,
      detail,
      error: 'server_error',
    })
    return
  }
  const { status, title } = reasons[refusal.reason]
  const { error, detail } = oauthErrorOf(refusal)
  request.log[levelOf(refusal)]({ code: refusal.code, err: refusal.cause }, 'token request refused')
  if (refusal.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  const challenge = challengeOf(refusal)
  if (challenge) reply.header('www-authenticate', challenge)
  reply.code(status).send({
    hint: refusal.message,
    title,
    type: `${docsOf(request)}#${refusal.code}`,
    status,
    detail,
    error,
    error_description: detail,
    ...(refusal.retry_after !== undefined && { retry_after: refusal.retry_after }),
  })
}

/** A token request is 400 if it is unreadable (specification, Token exchange) or too large. */
function readable(refusal: Refusal | undefined): Refusal | undefined {
  if (!refusal || refusal.code in tokenRefusals) return refusal
  if (refusal.reason === 'too_large')
    return tokenRefusal('unreadable', `it is larger than ${BODY_LIMIT} bytes.`)
  return refusal.reason === 'invalid' ? tokenRefusal('unreadable', refusal.message) : refusal
}
