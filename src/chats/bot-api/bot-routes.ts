import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { ById } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import type { RequestOf } from '../../http/operation.ts'
import { type QueryValue, withNames } from '../../http/queries/bracket-query.ts'
import { countedPage, pageOf } from '../../http/queries/paging.ts'
import { choices, ids, withAny } from '../../http/queries/query-parameters.ts'
import { changeBot } from '../bot/bot-settings.ts'
import { Nothing } from '../scopes/provider-schemas.ts'
import { runBots, stopBots } from './bot-runs.ts'
import { BotPage, BotPatch, BotRuns, BotsQuery, BotTarget, functionalities, OneBot } from './bot-schemas.ts'
import { botView, listBots } from './bots.ts'
import { continueBot } from './continue.ts'
import { ByContinue, ContinueBody } from './continue-schemas.ts'

const tags = ['Reply bot']

const operations = {
  list: {
    operationId: 'bots.list',
    summary: 'Lists the bots of the account: its reply bot.',
    returns: 'One page of bots.',
    tags,
    parameters: [...ids('id'), ...choices('type_functionality', functionalities), ...withAny('favorite')],
    querystring: BotsQuery,
    response: { 200: BotPage },
  },
  get: {
    operationId: 'bots.get',
    summary: 'Shows one bot.',
    returns: 'The bot.',
    tags,
    params: ById,
    response: { 200: OneBot, 204: Nothing },
  },
  update: {
    operationId: 'bots.update',
    summary: 'Changes the name and the greeting of one bot.',
    description: 'For administrators.',
    returns: 'The bot after the change.',
    tags,
    params: ById,
    body: BotPatch,
    response: { 200: OneBot },
  },
  run: {
    operationId: 'bots.run',
    summary: 'Runs one bot for a record: it answers in the chats of the record, and sends its greeting.',
    returns: 'The bot runs.',
    tags,
    params: ById,
    body: BotTarget,
    response: { 202: Nothing },
  },
  runMany: {
    operationId: 'bots.run_many',
    summary: 'Runs bots for records, all of the batch or none.',
    returns: 'The bots run.',
    tags,
    body: BotRuns,
    response: { 202: Nothing },
  },
  resume: {
    summary: 'Sends messages as the bot in answer to a message of a customer that nobody has answered yet.',
    description: 'For administrators. `continue_id` is the id of the message, as webhooks announce it.',
    returns: 'The messages are sent.',
    tags,
    params: ByContinue,
    body: ContinueBody,
    response: { 202: Nothing },
  },
  stop: {
    operationId: 'bots.stop',
    summary: 'Stops one bot for a record: it is silent in its chats until it is run or a new talk begins.',
    returns: 'The bot is silent.',
    tags,
    params: ById,
    body: BotTarget,
    response: { 202: Nothing },
  },
}

/** `/bots`: the reply bot in the platform's form (C18). */
export function botRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/bots', { schema: operations.list }, (request) => list(ctx, request))
    v4.get('/bots/:id', { schema: operations.get }, async ({ actor, params }, reply) => {
      const bot = (await listBots(ctx.db, actor)).find(({ row }) => row.id === params.id)
      return bot ? { ...botView(bot), is_visual_editor: false } : reply.code(204).send()
    })
    v4.patch('/bots/:id', { bodyLimit: GREETING_BYTES, schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      const { id } = await changeBot(ctx, actor, params.id, body)
      const bot = (await listBots(ctx.db, actor)).find(({ row }) => row.id === id)
      return { ...botView(bot as NonNullable<typeof bot>), is_visual_editor: false }
    })
    v4.post('/bots/:id/run', { schema: operations.run }, async ({ actor, params, body }, reply) => {
      await runBots(ctx, actor, [{ ...body, bot_id: params.id }])
      return accepted(reply)
    })
    v4.post('/bots/run', { schema: operations.runMany }, async ({ actor, body }, reply) => {
      await runBots(ctx, actor, body)
      return accepted(reply)
    })
    for (const kind of ['salesbot', 'marketingbot'] as const)
      v4.post(
        `/${kind}/:bot_id/continue/:continue_id`,
        { schema: { ...operations.resume, operationId: `${kind}.continue.create` } },
        async ({ actor, params, body }, reply) => {
          await continueBot(ctx, actor, params, body.execute_handlers ?? [])
          return accepted(reply)
        },
      )
    v4.post('/bots/:id/stop', { schema: operations.stop }, async ({ actor, params, body }, reply) => {
      await stopBots(ctx, actor, [{ ...body, bot_id: params.id }])
      return accepted(reply)
    })
  }
}

/** The longest greeting with every character escaped. */
const GREETING_BYTES = 256 * 1024

const accepted = (reply: FastifyReply) => reply.code(202).send()

async function list(ctx: Context, request: RequestOf<typeof operations.list>) {
  const { actor, query } = request
  const page = pageOf(query)
  const bots = await listBots(ctx.db, actor, query.filter as QueryValue | undefined)
  const isFavoriteAsked = withNames(query.with as QueryValue | undefined, ['favorite']).has('favorite')
  const items = bots
    .slice(page.offset, page.offset + page.limit)
    .map((bot) => ({ ...botView(bot), ...(isFavoriteAsked && { is_favorite: false }) }))
  return { ...countedPage(request, page, bots.length), _embedded: { items } }
}
