import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Context } from '../src/context.ts'
import type { DeliveryRow } from '../src/db/tables.ts'
import {
  createDeliveries,
  type DeliveryDraft,
  type DeliveryKind,
  enqueueDeliveries,
} from '../src/outbound/deliveries.ts'
import type { World } from './world.ts'

export interface Hit {
  path: string
  body: string
  headers: IncomingHttpHeaders
}
export type Answer = number | { status: number; headers?: Record<string, string>; body?: string } | 'hang'

/** A receiver with configurable answers, which records the requests in order. */
export async function answering(answer: (hit: Hit, n: number) => Answer | Promise<Answer> = () => 200) {
  const hits: Hit[] = []
  const hanging: ServerResponse[] = []
  const state = { open: 0, most: 0 }
  const server = createServer(async (request, response) => {
    state.most = Math.max(state.most, ++state.open)
    response.on('close', () => state.open--)
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const hit = { path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers: request.headers }
    hits.push(hit)
    const said = await answer(hit, hits.length)
    if (said === 'hang') return void hanging.push(response)
    const { status, headers = {}, body = '' } = typeof said === 'number' ? { status: said } : said
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const release = (status: number, count = hanging.length) => {
    for (const response of hanging.splice(0, count)) response.writeHead(status).end()
  }
  return { url, hits, state, release, paths: () => hits.map((hit) => hit.path) }
}

/** Queues deliveries of the kind `test` and returns their ids. */
export function queue(
  { ctx, account, clock }: World,
  drafts: (Partial<DeliveryDraft> & { url: string })[],
): Promise<number[]> {
  const usual = {
    account_id: account.id,
    kind: 'test',
    method: 'POST',
    body: '{}',
    request_id: 'r1',
  } as const
  const whole = drafts.map((draft, i): DeliveryDraft => ({ ...usual, subject: `s${i}`, ...draft }))
  return ctx.db.transaction().execute((tx) => enqueueDeliveries(tx, whole, clock.now()))
}

/** A worker, and the outcomes of which its owner was informed. */
export function worker(ctx: Context, kind: DeliveryKind = {}, options: { poll_ms?: number } = {}) {
  const outcomes: string[] = []
  const owner: DeliveryKind = {
    delivered: async (_tx, { id, state }, { status }) => void outcomes.push(`${id} ${state} ${status}`),
    failed: async (_tx, { id, state }, _attempt, why) => void outcomes.push(`${id} ${state} ${why}`),
    ...kind,
  }
  const deliveries = createDeliveries(ctx, { test: owner }, options)
  onTestFinished(() => deliveries.stop())
  return { outcomes, deliveries, runDue: () => deliveries.runDue() }
}

export const rowOf = ({ ctx }: World, id: number): Promise<DeliveryRow> =>
  ctx.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
export const stateOf = async (here: World, id: number): Promise<string> => (await rowOf(here, id)).state

/** Two SQLite drivers in one thread would block each other, so they share one. */
export const secondOf = async (here: World): Promise<{ ctx: Context }> =>
  process.env.TEST_DATABASE === 'postgres' ? await here.secondProcess() : here
