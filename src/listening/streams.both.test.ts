import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { itemsOf } from '../../test/fixtures/webhooks.ts'
import { world } from '../../test/world.ts'
import { type ServerEvent, serverEvents } from '../outbound/server-client.ts'

/** A server that listens on a port, and streams of it. */
async function streaming() {
  const here = await world({ ownServer: true })
  await here.app.http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(here.app.http.server.address() as AddressInfo).port}`
  const integration = await register(here.admin)
  const token = (await connect(here.stranger, integration)).access_token
  const open = (query = '', last: string | null = null, path = '/api/v4/outgoing_requests') => {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const events: ServerEvent[] = []
    const ended = (async () => {
      const key = path.startsWith('/test_helpers') ? (here.ctx.testHelpersKey ?? '') : token
      for await (const event of serverEvents({ url, token: key }, `${path}?${query}`, last, stop.signal))
        events.push(event)
    })().catch((error) => error)
    const requests = () => events.filter(({ name }) => name === 'request').map(({ data }) => JSON.parse(data))
    return { events, requests, ended, stop: () => stop.abort() }
  }
  const began = (stream: ReturnType<typeof open>) =>
    vi.waitFor(() => expect(stream.events[0]?.name).toBe('session'), 20_000)
  return { here, integration, open, began }
}

const SESSION = 'session=session-of-a-stream'
const namesIn = (requests: { body: string }[]) =>
  requests.flatMap((request) => itemsOf(request)).map(({ name }) => name)

test('requests arrive while it is open, and a stream continues after the last one that was read', async () => {
  const { here, open, began } = await streaming()
  const first = open(SESSION)
  await began(first)
  expect(JSON.parse(first.events[0]?.data ?? '')).toMatchObject({ is_resumed: false })
  const write = async (name: string) => {
    await add(here.admin.browser, 'leads', { name })
    await here.app.deliveries.runDue()
  }
  await write('One')
  await expect.poll(() => namesIn(first.requests())).toEqual(['One'])
  first.stop()
  await first.ended
  await write('Two')
  await write('Three')
  const second = open(SESSION, first.events.at(-1)?.id ?? null)
  await expect.poll(() => namesIn(second.requests())).toEqual(['Two', 'Three'])
  expect(JSON.parse(second.events[0]?.data ?? '')).toMatchObject({ is_resumed: true })
  // With the key of the test helpers, it is the same.
  const third = open(`${SESSION}&after=${second.requests()[0].id}`, null, '/test_helpers/listen')
  await expect.poll(() => namesIn(third.requests())).toEqual(['Three'])
})

onEmbedded('an integration has five streams, and each ends when the integration is disabled', async () => {
  const { here, integration, open, began } = await streaming()
  const streams = Array.from({ length: 5 }, () => open())
  for (const stream of streams) await began(stream)
  const sixth = await open().ended
  expect([sixth.status, sixth.retry_after]).toEqual([429, 5])
  await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
  here.clock.advance(10)
  for (const stream of streams) expect(await stream.ended).toBeUndefined()
  expect((await open().ended).status).toBe(401)
})
