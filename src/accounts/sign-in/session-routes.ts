import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { networkOf } from '../../http/limits/rate-limit.ts'
import {
  FirstSetUp,
  NewPassword,
  OwnSessions,
  PasswordConfirmation,
  ProfilePatch,
  Session,
  SessionPatch,
  SignIn,
} from '../members/schemas.ts'
import { usePasswordLink } from '../passwords/new-passwords.ts'
import { requireCsrfToken } from '../sessions/csrf.ts'
import { endOtherSessions, listOwnSessions } from '../sessions/own-sessions.ts'
import { endSession, findSession, forgottenCookie, requireSession } from '../sessions/sessions.ts'
import { changeProfile } from './profile.ts'
import { chooseAccount, sessionView } from './session-view.ts'
import { setUp } from './setup.ts'
import { confirmPassword, type SignInRequest, signIn } from './sign-in.ts'

/** Routes of sign-in and sessions. All responses except that of sign-out are the current session. */
export function sessionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    const schema = { response: { 200: Session } }

    web.get('/session', { schema }, async (request) =>
      sessionView(ctx, await findSession(ctx, request.headers.cookie), request.tenant.subdomain),
    )
    web.post('/session', { schema: { ...schema, body: SignIn } }, async (request, reply) => {
      const previous = await findSession(ctx, request.headers.cookie)
      const { subdomain } = request.tenant
      const started = await signIn(ctx, request.body, { ...signInRequestOf(request), subdomain, previous })
      reply.header('set-cookie', [started.set_cookie, started.set_device])
      return sessionView(ctx, started.session, subdomain)
    })
    web.post('/setup', { schema: { ...schema, body: FirstSetUp } }, async (request, reply) => {
      const { session, set_cookie } = await setUp(ctx, request.body, signInRequestOf(request))
      reply.header('set-cookie', set_cookie)
      return sessionView(ctx, session, request.tenant.subdomain)
    })
    web.post('/password', { schema: { ...schema, body: NewPassword } }, async (request, reply) => {
      await ctx.limits.take('sign_in_network', networkOf(request.ip))
      const { session, set_cookie } = await usePasswordLink(ctx, request.body, signInRequestOf(request))
      reply.header('set-cookie', set_cookie)
      return sessionView(ctx, session, request.tenant.subdomain)
    })
    await web.register(ownSessionRoutes(ctx))
  }
}

/** Routes that require a session. */
function ownSessionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    const schema = { response: { 200: Session } }
    web.decorateRequest('session')
    web.addHook('onRequest', async (request) => {
      request.session = await requireSession(ctx, request)
      requireCsrfToken(request.session, request)
    })

    web.get('/sessions', { schema: { response: { 200: OwnSessions } } }, ({ session }) =>
      listOwnSessions(ctx, session),
    )
    web.delete('/sessions', { schema: { response: { 200: OwnSessions } } }, async (request) => {
      await endOtherSessions(ctx, request.session, signInRequestOf(request))
      return listOwnSessions(ctx, request.session)
    })
    web.delete('/session', async (request, reply) => {
      await endSession(ctx, request.session.hash)
      return reply.code(204).header('set-cookie', forgottenCookie(ctx)).send()
    })
    web.patch('/session', { schema: { ...schema, body: SessionPatch } }, async (request) => {
      const { subdomain } = request.tenant
      await chooseAccount(ctx, request.session, subdomain, request.body.account_id)
      // The chosen account has a CSRF token of its own.
      return sessionView(ctx, await requireSession(ctx, request), subdomain)
    })
    web.post('/session/confirm', { schema: { ...schema, body: PasswordConfirmation } }, async (request) => {
      const session = await confirmPassword(
        ctx,
        request.session,
        request.body.password,
        signInRequestOf(request),
      )
      return sessionView(ctx, session, request.tenant.subdomain)
    })
    web.patch('/profile', { schema: { ...schema, body: ProfilePatch } }, async (request) => {
      await changeProfile(ctx, request.session, request.body, signInRequestOf(request))
      return sessionView(ctx, request.session, request.tenant.subdomain)
    })
  }
}

const signInRequestOf = (request: FastifyRequest): SignInRequest => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  request_id: request.id,
  cookies: request.headers.cookie,
})
