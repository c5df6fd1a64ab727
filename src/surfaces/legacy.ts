import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { serverTime } from '../custom-fields/custom-fields.ts'
import { legacyFieldRoutes } from '../custom-fields/legacy/legacy-routes.ts'
import { type Reason, Refusal } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { challengeOf } from '../http/problems/challenge.ts'
import { isCutOff, logCause, reasons, refusalOf } from '../http/problems/problem.ts'
import { legacyRoutes } from '../legacy/routes.ts'
import { signInRoutes } from '../legacy/sign-in-routes.ts'
import { firstApiRoutes } from '../legacy/v1/routes.ts'
import { unsortedRoutes } from '../legacy/v1/unsorted-routes.ts'
import { bindVisitors } from '../marketing/marketing.ts'
import { requireBearer } from './bearer.ts'
import { acceptOlderBodies } from './older-bodies.ts'
import { byHashInBody, byTokenOrHash } from './older-credentials.ts'
import { stageUseOf } from './stage-use.ts'

/** The error numbers of the legacy API, by reason. */
const numbers: Record<Reason, number> = {
  invalid: 400,
  not_authorized: 110,
  unpaid: 402,
  forbidden: 244,
  not_found: 104,
  wrong_method: 400,
  timed_out: 400,
  conflict: 400,
  changed: 400,
  too_large: 400,
  unsupported: 400,
  unprocessable: 400,
  too_many: 429,
  unavailable: 425,
  full: 425,
}

/** More specific error numbers, by the code of the refusal. */
const numbersOfCodes: Record<string, number> = {
  no_parameters: 103,
  unknown_field: 204,
  foreign_origin: 244,
}
const UNREADABLE = 102
const INTERNAL = 500

/** `request[leads][add][0][custom_fields][0][values][0][value]` */
const DEPTH = 9
/** `request[unsorted][add][0][data][contacts][0][custom_fields][0][values][0][value]` */
const INCOMING_DEPTH = 11

/** `/private/api/v2/json`: the legacy API. Requires bearer tokens. Every answer is inside `response`. */
export const legacySurface = (ctx: Context): FastifyPluginAsync =>
  firstApi(ctx, async (legacy) => {
    const hooks = { written: bindVisitors }
    await legacy.register(legacyFieldRoutes(ctx))
    await legacy.register(async (others) => {
      acceptOlderBodies(ctx, others, DEPTH)
      await mount(others, legacyRoutes(ctx, hooks))
      await mount(others, firstApiRoutes(ctx, hooks, stageUseOf(ctx)))
    })
  })

/** `/api/unsorted`: the incoming leads of the legacy API. */
export const unsortedSurface = (ctx: Context): FastifyPluginAsync =>
  firstApi(ctx, async (unsorted) => {
    acceptOlderBodies(ctx, unsorted, INCOMING_DEPTH)
    await mount(unsorted, unsortedRoutes(ctx, { written: bindVisitors }))
  })

/** `/private/api/auth.php`: the sign-in of clients of both older APIs that keep a cookie (F11). */
export const signInSurface = (ctx: Context): FastifyPluginAsync =>
  inResponse(ctx, { auth: false }, async (signIn) => {
    acceptOlderBodies(ctx, signIn, 1)
    signIn.addHook('preHandler', requireBearer(ctx, 'crm', byHashInBody))
    await mount(signIn, signInRoutes(ctx))
  })

/** A surface of the first API with these routes. */
const firstApi = (ctx: Context, routes: FastifyPluginAsync): FastifyPluginAsync =>
  inResponse(ctx, {}, async (legacy) => {
    legacy.alikeBelow.push(`${legacy.prefix}/`)
    legacy.addHook('onRequest', requireBearer(ctx, 'crm', byTokenOrHash))
    await routes(legacy, {})
    legacy.all('/*', (request) => {
      throw new Refusal('not_found', `Cannot ${request.method} ${request.url.split('?', 1)[0]}`)
    })
  })

/** A surface that puts every answer inside `response`, and these members into its refusals. */
function inResponse(ctx: Context, members: object, routes: FastifyPluginAsync): FastifyPluginAsync {
  return async (legacy) => {
    legacy.decorateRequest('actor')
    legacy.setErrorHandler((error, request, reply) => sendFailure(ctx, error, request, reply, members))
    legacy.addHook('onSend', (_request, reply, _payload, done) => {
      reply.header('content-type', 'application/json')
      done()
    })
    await routes(legacy, {})
  }
}

async function sendFailure(
  ctx: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  members: object,
): Promise<FastifyReply> {
  const refusal = isCutOff(error, request)
    ? new Refusal('invalid', 'The body is incomplete.')
    : refusalOf(error, request)
  if (!refusal) request.log.error({ err: error }, 'unexpected error')
  if (refusal) logCause(request, refusal)
  if (refusal?.retry_after !== undefined) reply.header('retry-after', refusal.retry_after)
  const challenge = refusal && challengeOf(refusal)
  if (challenge) reply.header('www-authenticate', challenge)
  return reply.code(refusal ? reasons[refusal.reason].status : 500).send({
    response: {
      ...members,
      error: refusal
        ? wordingOf(refusal)
        : `Something went wrong on our side. The request id is ${request.id}.`,
      error_code: refusal ? numberOf(refusal) : INTERNAL,
      server_time: await serverTime(ctx, request.account_id).catch(() => ctx.now()),
    },
  })
}

/** Names each invalid entry by its position. */
function wordingOf({ message, faults }: Refusal): string {
  if (faults.length === 0) return message
  return faults.map(({ path, detail }) => (path ? `${path}: ${detail}` : detail)).join(' ')
}

function numberOf({ reason, code, faults }: Refusal): number {
  // Without a fault, the request could not be parsed.
  if (code === 'invalid' && faults.length === 0) return UNREADABLE
  return numbersOfCodes[code] ?? numbers[reason]
}
