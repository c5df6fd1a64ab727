import { crossOrigin, isOfOtherPage, readCookie } from '../accounts/accounts.ts'
import { textOf } from '../http/queries/bracket-query.ts'
import { authenticate, authenticateByHash } from '../integrations/integrations.ts'
import { byBearer } from './bearer.ts'

/** By the token in the header, or in the cookie of a client that signed in (F11). Requests of other pages have no cookie. */
const byTokenOrCookie: typeof byBearer = (ctx, request) => {
  const { authorization, cookie } = request.headers
  const isClient = authorization === undefined && !isOfOtherPage(request)
  const token = isClient ? readCookie(ctx.config, 'patchbay-api', cookie) : undefined
  if (token === undefined) return byBearer(ctx, request)
  return authenticate(ctx, token, { request_id: request.id, address: request.ip })
}

/**
 * Old clients send no header and authenticate in the query (F7), with either pair of names. The log contains routes, not
 * addresses.
 */
export const byTokenOrHash: typeof byBearer = (ctx, request) => {
  const query = request.query as Record<string, unknown>
  const login = textOf(query.USER_LOGIN) || textOf(query.login)
  const hash = textOf(query.USER_HASH) || textOf(query.api_key)
  if (request.headers.authorization !== undefined || hash === '') return byTokenOrCookie(ctx, request)
  return authenticateByHash(ctx, { login, hash }, { request_id: request.id, address: request.ip })
}

/** By the body of a sign-in, which must be valid. Another page could sign the browser in as somebody else. */
export const byHashInBody: typeof byBearer = async (ctx, request) => {
  if (isOfOtherPage(request)) throw crossOrigin()
  const { USER_LOGIN: login, USER_HASH: hash } = request.body as { USER_LOGIN: string; USER_HASH: string }
  return authenticateByHash(ctx, { login, hash }, { request_id: request.id, address: request.ip })
}
