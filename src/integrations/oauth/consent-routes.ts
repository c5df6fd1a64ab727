import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requireSameOrigin, requireSession } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { problemHandler, refusalOf } from '../../http/problems/problem.ts'
import { sendShell } from '../../http/shell.ts'
import { readIcon } from '../registry/icons.ts'
import { Consent, ConsentQuery } from '../registry/schemas.ts'
import { type Consenting, consentClient, decideConsent, prepareConsent, rawState } from './consent.ts'
import { parseForm } from './token-request.ts'

const FORM_BYTES = 16_384
const DecisionForm = Type.Object({
  form_token: Type.String({ minLength: 1, maxLength: 100 }),
  decision: Type.Enum(['allow', 'decline']),
  account_id: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
})

/** The consent page in its three modes (specification, Consent page; A8), on every host. */
export function consentRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.setErrorHandler(consentErrorHandler)
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, text: string) =>
        // Copied because the schema's defaults and checks need a plain object.
        ({ ...parseForm(text) }),
    )
    app.get('/oauth', { config: { any_bytes: true } }, async (request, reply) => {
      return sendShell(reply, { openerKept: true, formAction: await redirectOrigin(ctx, request) })
    })
    app.get(
      '/web/consent',
      { config: { any_bytes: true }, schema: { querystring: ConsentQuery, response: { 200: Consent } } },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return prepareConsent(ctx, await consenting(ctx, request), request.query, rawState(request.url))
      },
    )
    app.post('/oauth', { bodyLimit: FORM_BYTES, schema: { body: DecisionForm } }, async (request, reply) => {
      requireSameOrigin(request)
      const { form_token, decision, account_id } = request.body
      const { location, mode } = await decideConsent(ctx, await consenting(ctx, request), {
        form_token,
        decision,
        account_id: account_id === undefined ? null : Number(account_id),
      })
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      return mode === 'popup' ? sendPopup(reply, location) : reply.redirect(location, 303)
    })
    app.get(
      '/icons/:id',
      { schema: { params: Type.Object({ id: Type.String({ maxLength: 64 }) }) } },
      async ({ params }, reply) => {
        const icon = await readIcon(ctx, params.id)
        if (!icon) throw new Refusal('not_found', 'Icon not found.')
        reply
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'public, max-age=300')
        return reply.type(icon.type).send(icon.bytes)
      },
    )
  }
}

/** In a browser, shows the reason on a page. Programs get the problem document. */
function consentErrorHandler(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error, request)
  if (refusal && request.method === 'POST' && request.headers.accept?.includes('text/html'))
    reply.redirect(`/oauth/refused?reason=${encodeURIComponent(refusal.code)}`, 303)
  else problemHandler(error, request, reply)
}

async function consenting(ctx: Context, request: FastifyRequest): Promise<Consenting> {
  const session = await requireSession(ctx, request)
  return {
    user_id: session.user_id,
    session_hash: session.hash,
    request_id: request.id,
    address: request.ip,
    base_host: request.tenant.base_host,
  }
}

/** Chromium applies form-action to the redirect after a form, so it must contain the integrator's origin. */
async function redirectOrigin(ctx: Context, request: FastifyRequest): Promise<string | undefined> {
  const { client_id, redirect_uri } = request.query as Record<string, unknown>
  if (typeof client_id !== 'string' || (redirect_uri !== undefined && typeof redirect_uri !== 'string'))
    return undefined
  try {
    return new URL((await consentClient(ctx, { client_id, redirect_uri })).redirect_uri).origin
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Redirects the window that opened the consent window, and closes the latter. */
function sendPopup(reply: FastifyReply, location: string): FastifyReply {
  const href = location.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .header('x-frame-options', 'DENY')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Patchbay</title><a id="go" href="${href}">Continue</a><script src="/popup.js"></script></html>`,
    )
}
