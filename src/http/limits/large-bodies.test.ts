import Fastify, { type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { Refusal } from '../../errors.ts'
import { boundLargeBodies } from './large-bodies.ts'
import { createPlaces } from './places.ts'

const large = JSON.stringify('a'.repeat(300_000))

/** A server with one route, which answers on demand and records the order in which it parsed bodies. */
async function holding() {
  const app = Fastify({ bodyLimit: 1_000 })
  // As the surfaces do. The scheme and the token can be written in several ways.
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    const grant_id = String(request.headers.authorization).toLowerCase()
    const actor: unknown = { account_id: 1, user_id: 1, integration: { grant_id } }
    request.actor = actor as FastifyRequest['actor']
  })
  const parseInTurn = boundLargeBodies({ config: readConfig('dev', {}), places: createPlaces() }, app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) =>
    parseInTurn(request, bytes as Buffer, () => JSON.parse(String(bytes)), done),
  )
  const parsed: string[] = []
  const answers: (() => void)[] = []
  app.post('/', { bodyLimit: 1_000_000 }, ({ headers }) => {
    parsed.push(String(headers.authorization))
    return new Promise((resolve) => answers.push(() => resolve('done')))
  })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Refusal ? 429 : 400).send({ message: (error as Error).message }),
  )
  onTestFinished(() => app.close())
  const send = (authorization: string, payload: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { authorization, 'content-type': 'application/json' },
      payload,
    })
  /** Answers the oldest open request. */
  const answer = () => answers.shift()?.()
  return { app, send, parsed, answer }
}

test('four large bodies are processed at once, small ones immediately, and callers take turns', async () => {
  const { send, parsed, answer } = await holding()
  const sent = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map((caller) => send(caller, large))
  await expect.poll(() => parsed).toEqual(['a', 'a', 'a', 'a'])
  sent.push(send('c', '"small"'))
  await expect.poll(() => parsed.slice(4)).toEqual(['c'])
  for (let ended = 1; ended <= 3; ended++) {
    answer()
    await expect.poll(() => parsed.length).toBe(5 + ended)
  }
  expect(parsed.slice(5)).toEqual(['a', 'b', 'a'])
  while (parsed.length > 0) {
    answer()
    parsed.pop()
  }
  expect((await Promise.all(sent)).map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
})

test('an unreadable large body is refused and frees its place', async () => {
  const { send, parsed, answer } = await holding()
  const broken = await Promise.all(Array.from({ length: 8 }, () => send('a', `${large}x`)))
  expect(broken.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(400))
  const sent = send('a', large)
  await expect.poll(() => parsed).toEqual(['a'])
  answer()
  expect((await sent).statusCode).toBe(200)
})

test('a caller with sixteen large bodies in progress is refused before the next one is read', async () => {
  const { send, parsed, answer } = await holding()
  const sent = Array.from({ length: 16 }, () => send('a', large))
  await expect.poll(() => parsed).toHaveLength(4)
  for (const spelling of ['a', 'A']) {
    const refused = await send(spelling, `${large}x`)
    expect([refused.statusCode, refused.json().message]).toEqual([
      429,
      'At most 16 requests with a large body can be in progress.',
    ])
  }
  sent.push(send('b', large), send('a', '"small"'))
  for (let ended = 0; ended < 18; ended++) {
    await expect.poll(() => parsed.length).toBeGreaterThan(ended)
    answer()
  }
  expect((await Promise.all(sent)).every(({ statusCode }) => statusCode === 200)).toBe(true)
  const again = send('a', large)
  await expect.poll(() => parsed.length).toBe(19)
  answer()
  expect((await again).statusCode).toBe(200)
})

test('a caller that disconnects while its body waits has none in progress', async () => {
  const { app, send, parsed, answer } = await holding()
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const held = Array.from({ length: 4 }, () => send('a', large))
  await expect.poll(() => parsed).toHaveLength(4)
  const taken = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  app.server.on('request', (request) => {
    request.on('end', taken.resolve)
    request.socket.on('close', () => closed.resolve())
  })
  const controller = new AbortController()
  const headers = { authorization: 'a', 'content-type': 'application/json' }
  const gone = fetch(origin, { method: 'POST', headers, body: large, signal: controller.signal })
  await taken.promise
  controller.abort()
  await expect(gone).rejects.toThrow()
  await closed.promise
  const later = send('a', large)
  answer()
  // The disconnected one is not parsed, and the next one gets its turn.
  await expect.poll(() => parsed.length).toBe(5)
  for (let ended = 0; ended < 4; ended++) answer()
  const statuses = (await Promise.all([...held, later])).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual(Array(5).fill(200))
})
