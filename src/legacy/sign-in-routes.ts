import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { selectAccount, setCookie } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { answerOf } from './bodies.ts'
import { answer } from './link-routes.ts'

/** Of the cookie, in seconds. Each use checks the token in it. */
const LIFETIME = 86_400
/** Enough for an e-mail and a token. */
const BODY_LIMIT = 16_384

const signIn = {
  operationId: 'legacy.auth',
  summary: 'Signs a client of the older APIs in, with a cookie.',
  description:
    'A form is accepted as well as JSON. The cookie is valid as long as the token, for a day at most.',
  returns: 'The account and the person.',
  tags: ['Legacy'],
  querystring: Type.Object({
    type: Type.Optional(Type.String({ description: '`json`. Every answer is JSON.' })),
  }),
  body: Type.Object({
    USER_LOGIN: Type.String({ description: 'The e-mail of a person.' }),
    USER_HASH: Type.String({ description: 'A long-lived token of that person.' }),
  }),
  response: {
    200: answerOf({
      auth: Type.Boolean({ description: 'True. A refusal has false.' }),
      accounts: Type.Array(
        Type.Object({
          id: Type.Integer({ description: 'The id of the account.' }),
          name: Type.String(),
          subdomain: Type.String(),
          language: Type.String(),
          timezone: Type.String(),
        }),
      ),
      user: Type.Object({
        id: Type.Integer({ description: 'The id of the person.' }),
        language: Type.String(),
      }),
    }),
  },
}

/** `/auth.php`: the cookie of F11 contains the token with which the client signs in. */
export function signInRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.post('/auth.php', { bodyLimit: BODY_LIMIT, schema: signIn }, async (request, reply) => {
      const { actor, body } = request
      const { id, name, subdomain, language, timezone } = await selectAccount(ctx.db)
        .where('id', '=', actor.account_id)
        .executeTakeFirstOrThrow()
      reply.header('set-cookie', setCookie(ctx.config, 'patchbay-api', body.USER_HASH, LIFETIME))
      return answer(ctx, {
        auth: true,
        accounts: [{ id, name, subdomain, language, timezone }],
        user: { id: actor.user_id, language: actor.lang },
      })
    })
  }
}
