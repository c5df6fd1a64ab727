import { expect, test } from 'vitest'
import { Problem, Unreachable } from '../../web/api/problem.ts'
import { repeatable } from '../../web/api/repeats.ts'

const write = (path: string, body?: object, method = 'POST') =>
  new Request(`http://demo.localhost${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** Sends requests of which the first ones fail. Returns the key of each. */
async function keysOf(requests: Request[], failures: Error[]): Promise<(string | null)[]> {
  const keys: (string | null)[] = []
  for (const request of requests)
    await repeatable(request, async ({ headers }) => {
      const failure = failures[keys.push(headers.get('idempotency-key')) - 1]
      if (failure) throw failure
      return new Response()
    }).catch(() => {})
  return keys
}

test('a write without a response is repeated with its key, and another one has its own', async () => {
  const list = () => write('/web/v4/catalogs', [{ name: 'Parts' }])
  const other = write('/web/v4/catalogs', [{ name: 'Tools' }])
  const lost = new Unreachable('lost')
  const [first, different, again, later] = await keysOf([list(), other, list(), list()], [lost])
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
  expect(new Set([first, different, later]).size).toBe(3)
})

test('a write that an error or a proxy answered is repeated with its key, because the server may have done it', async () => {
  for (const status of [500, 502, 503, 504]) {
    const list = () => write('/web/v4/catalogs', [{ name: `Answered by ${status}` }])
    const [first, again] = await keysOf([list(), list()], [new Problem(status, {})])
    expect([status, again]).toEqual([status, first])
  }
})

test('a write waits for the response to an earlier request, and keeps its key if there is none', async () => {
  const inUse = new Problem(409, { type: '/docs/errors#idempotency_key_in_use', retry_after: 0 })
  const list = () => write('/web/v4/catalogs', [{ name: 'Slow' }])
  const [first, ...others] = await keysOf([list()], [new Unreachable('lost')])
  const waiting = await keysOf([list()], [inUse, inUse])
  expect([others, waiting]).toEqual([[], [first, first, first]])
  const [second] = await keysOf([list()], [new Unreachable('lost')])
  const vain = await keysOf([list(), list()], Array(5).fill(inUse))
  expect(vain).toEqual(Array(6).fill(second))
})

test('a refused write has another key when it is sent again, and so has one after a password', async () => {
  const list = () => write('/web/v4/catalogs', [{ name: 'Refused' }])
  const [first, again] = await keysOf([list(), list()], [new Problem(403, {})])
  expect(again).not.toBe(first)
})

test('reads, writes without a body and those of other surfaces have no key', async () => {
  const requests = [
    new Request('http://demo.localhost/web/v4/leads'),
    write('/web/v4/chats/1/read'),
    write('/web/session', { email: 'a@example.com' }),
    write('/web/v4/leads/1', { name: 'x' }, 'PATCH'),
  ]
  expect(await keysOf(requests, [])).toEqual([null, null, null, null])
})
