import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { RepeatedRefusals } from './repeated-refusals.ts'

const FORM = { 'content-type': 'application/json', 'retry-after': '2', 'x-request-id': 'first' }

/** A server that repeats stored answers. Each answer describes the request that it was made for. */
async function listening() {
  const repeated = new RepeatedRefusals(['/api/', '/chat/'])
  let rendered = 0
  const server = createServer((request, response) => {
    if (repeated.repeat(request, response, 'busy')) return
    rendered++
    const body = JSON.stringify({ request: describe(request) })
    const headers = { ...FORM, 'content-length': body.length }
    response.writeHead(503, headers).end(body)
    repeated.keep(request, 'busy', headers, { status: 503, body })
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init)
    return { answer, body: await answer.text() }
  }
  return { ask, rendered: () => rendered }
}

const describe = ({ url, headers }: IncomingMessage): string =>
  `${url?.split('/')[1]} ${headers['x-forwarded-host'] ?? headers['x-forwarded-proto'] ?? ''}`

test('an answer is repeated below its address, for every request to the same host', async () => {
  const { ask, rendered } = await listening()
  const first = await ask('/api/v4/leads')
  const second = await ask('/api/v4/account', { method: 'POST', body: '{}' })
  expect([second.answer.status, second.body]).toEqual([503, first.body])
  const [one, other] = [first, second].map(({ answer }) => Object.fromEntries(answer.headers))
  expect(other).toEqual({
    ...one,
    date: expect.any(String),
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(rendered()).toBe(1)
})

test('an answer is not repeated for other requests', async () => {
  const { ask, rendered } = await listening()
  const named = (name: string, value: string) => ({ headers: { [name]: value } })
  const others: [string, RequestInit, string][] = [
    ['/api/a', {}, 'api '],
    ['/chat/a', {}, 'chat '],
    ['/api/a', named('x-forwarded-host', 'a.example'), 'api a.example'],
    ['/api/a', named('x-forwarded-proto', 'https'), 'api https'],
    ['/', {}, ' '],
    ['/', {}, ' '],
    ['/apis', {}, 'apis '],
  ]
  for (const [path, init, request] of others)
    expect((await ask(path, init)).body).toBe(JSON.stringify({ request }))
  expect(rendered()).toBe(others.length)
  await ask('/api/a', { method: 'HEAD' })
  expect(rendered()).toBe(others.length + 1)
})

test('an answer is stored for a second', async () => {
  const { ask, rendered } = await listening()
  await ask('/api/a')
  await sleep(1_050)
  await ask('/api/a')
  expect(rendered()).toBe(2)
})
