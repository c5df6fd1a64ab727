import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { line, textOf } from '../../../test/fixtures/conversations.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { createStreams } from '../../events/events.ts'
import { createPlaces } from '../../http/limits/places.ts'
import { createMetrics } from '../../http/metrics.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import { appendMessage } from '../messages/append-message.ts'

/** The server listening, and a token: a stream has no end that an injected request could wait for. */
async function listening() {
  const all = await world({ ownServer: true })
  const open = await line(all)
  const integration = await register(all.admin)
  const token = (await connect(all.stranger, integration)).access_token
  const origin = await all.app.http.listen({ port: 0, host: '127.0.0.1' })
  return { ...all, open, integration, token, url: `${origin}/api/v4/chats` }
}

interface Sent {
  id: string
  chat: { id: string; version: number }
}

async function follow(url: string, headers: Record<string, string>) {
  const stop = new AbortController()
  const answer = await fetch(url, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const pull = async (): Promise<boolean> => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    text += value ?? ''
    return !done
  }
  // The first comment says that the stream follows all further changes.
  while (!text.includes(': still here') && answer.ok && (await pull()));
  text = text.slice(text.indexOf('\n\n', text.indexOf(': still here')) + 2)
  return {
    status: answer.status,
    headers: answer.headers,
    async take(count: number): Promise<Sent[]> {
      const sent: Sent[] = []
      while (sent.length < count) {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          if (!(await pull())) throw new Error(`the stream ended after ${sent.length}`)
          continue
        }
        const [, id, data] = /^event: chat\nid: (\d+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        if (id && data) sent.push({ id, chat: JSON.parse(data) })
      }
      return sent
    },
    async rest() {
      while (await pull());
      return text
    },
    stop: () => stop.abort(),
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('The stream of chats', () => {
  test('sends each change within a second, with the version of the chat', async () => {
    const all = await listening()
    const old = await all.open.write('Old')
    const opened = await follow(all.url, bearer(all.token))
    expect([opened.status, opened.headers.get('content-type'), opened.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ])
    const waits: number[] = []
    const next = async () => {
      const began = performance.now()
      const [change] = await opened.take(1)
      waits.push(performance.now() - began)
      return change
    }
    const id = await all.open.write('Ann')
    const change = await next()
    const shown = (await all.admin.browser.get(`/web/v4/chats/${id}`)).body
    expect(change).toEqual({ id: String(all.ctx.now()), chat: { id, version: shown.version } })
    await all.admin.browser.post(`/web/v4/chats/${old}/read`)
    expect((await next())?.chat.id).toBe(old)
    const sent = await all.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' })
    expect((await next())?.chat).toEqual({ id, version: shown.version + 1 })
    await all.app.deliveries.runDue()
    expect((await next())?.chat).toEqual({ id, version: shown.version + 2 })
    expect(sent.status).toBe(200)
    // A busy machine adds to some of them.
    expect(Math.min(...waits)).toBeLessThan(1_000)
    opened.stop()
  })

  onEmbedded('reports a failed attempt that will be repeated', async () => {
    const all = await listening()
    const id = await all.open.write('Ann')
    const { id: message } = (await all.admin.browser.post(`/web/v4/chats/${id}/messages`, { text: 'Hi' }))
      .body
    const before = (await all.admin.browser.get(`/web/v4/chats/${id}`)).body.version
    const opened = await follow(all.url, bearer(all.token))
    all.open.there.answer = (_request, response) => response.writeHead(500).end()
    await all.app.deliveries.runDue()
    expect((await opened.take(1))[0]?.chat).toEqual({ id, version: before + 1 })
    const { messages } = (await all.admin.browser.get(`/web/v4/chats/${id}/messages`)).body._embedded
    expect(messages[0]).toMatchObject({ id: message, state: 'pending', attempts: 1 })
    opened.stop()
  })

  test('of a page begins when the page began to read', async () => {
    const all = await listening()
    await all.open.write('Old')
    all.clock.advance(11)
    const recent = await all.open.write('Ann')
    const cookie = all.admin.browser.identity.cookie as string
    const page = await follow(`${all.url.replace('/api/', '/web/')}?page_age=9500`, { cookie })
    expect((await page.take(1))[0]?.chat.id).toBe(recent)
    const later = await all.open.write('Bob')
    expect((await page.take(1))[0]?.chat.id).toBe(later)
    page.stop()
  })

  onEmbedded('continues when the clock is set back', async () => {
    const all = await listening()
    all.clock.set(all.clock.now() + 2 * 3_600)
    const opened = await follow(all.url, bearer(all.token))
    const before = await all.open.write('Ann')
    expect((await opened.take(1))[0]?.chat.id).toBe(before)
    all.clock.set(all.clock.now() - 2 * 3_600)
    const after = await all.open.write('Bob')
    expect((await opened.take(1))[0]?.chat.id).toBe(after)
    opened.stop()
  })

  test('sends the changes of another process', async () => {
    const all = await listening()
    const id = await all.open.write('Ann')
    const opened = await follow(all.url, bearer(all.token))
    const second = await all.secondProcess()
    await second.ctx.db.transaction().execute(async (tx) => {
      const conversation = await lockConversation(tx, all.account.id, id)
      if (!conversation) throw new Error('no chat')
      const by = { account_id: all.account.id, user_id: 0, request_id: 'r' }
      await appendMessage(second.ctx, tx, by, conversation, {
        direction: 'in',
        origin: 'channel',
        type: 'text',
        text: 'from elsewhere',
        state: 'received',
        sent_at: second.ctx.now(),
      })
    })
    const [change] = await opened.take(1)
    expect(change?.chat.id).toBe(id)
    opened.stop()
  })

  test('resumes after a break without a gap', async () => {
    const all = await listening()
    const opened = await follow(all.url, bearer(all.token))
    await all.open.write('Ann')
    const [last] = await opened.take(1)
    opened.stop()
    all.clock.advance(3600)
    const missed = [await all.open.write('Bob'), await all.open.write('Cid')]
    const again = await follow(all.url, { ...bearer(all.token), 'last-event-id': (last as Sent).id })
    // Ann once more: a change may be sent twice.
    const sent = await again.take(3)
    expect(sent.slice(1).map(({ chat }) => chat.id)).toEqual(missed.toSorted())
    again.stop()
  })

  test('sends many concurrent changes, each chat with its latest version', async () => {
    const all = await listening()
    const opened = await follow(all.url, bearer(all.token))
    const versions = new Map<string, number>()
    const names = Array.from({ length: 20 }, (_, i) => `who-${i}`)
    const ids = await Promise.all(names.map((who) => all.open.write(who)))
    await Promise.all(names.map((who) => all.open.push(textOf(all, who, 'again'))))
    const shown = (await all.admin.browser.get('/web/v4/chats')).body._embedded.chats
    const final = new Map<string, number>(
      shown.map(({ id, version }: { id: string; version: number }) => [id, version]),
    )
    while (ids.some((id) => versions.get(id) !== final.get(id))) {
      const [change] = await opened.take(1)
      if (change) versions.set(change.chat.id, change.chat.version)
    }
    expect(versions).toEqual(final)
    opened.stop()
  })

  onEmbedded('sends a user only the chats that they see', async () => {
    const all = await listening()
    const own = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
    const me = await all.addPerson({ name: 'Me', rights: completeRights({ leads: own, contacts: own }) })
    const mine = await all.open.write('Ann')
    const { lead_id } = (await all.admin.browser.get(`/web/v4/chats/${mine}`)).body
    await all.admin.browser.patch(`/web/v4/leads/${lead_id}`, { responsible_user_id: me.id })
    const cookie = me.browser.identity.cookie as string
    const opened = await follow(all.url.replace('/api/', '/web/'), { cookie })
    await all.open.write('Bob')
    await all.open.push(textOf(all, 'Ann', 'again'))
    expect((await opened.take(1))[0]?.chat.id).toBe(mine)
    opened.stop()
  })

  onEmbedded('ends when its token is revoked, and needs a valid one to begin', async () => {
    const all = await listening()
    const opened = await follow(all.url, bearer(all.token))
    const off = await all.admin.browser.post(`/web/installations/${all.integration.client_id}/disable`)
    expect(off.status).toBeLessThan(300)
    all.clock.advance(11)
    expect(await opened.rest()).toBe('')
    expect((await follow(all.url, bearer(all.token))).status).toBe(401)
  })

  onEmbedded('is refused for an invalid position', async () => {
    const all = await listening()
    const wrong = await follow(all.url, { ...bearer(all.token), 'last-event-id': 'x' })
    expect(wrong.status).toBe(400)
  })

  onEmbedded('is limited in number per person, and for all integrations of an account', async () => {
    const streams = createStreams({ metrics: createMetrics(), places: createPlaces() }, 'streams', 2)
    const closers: (() => void)[] = []
    const open = (user_id: number, integration: object | null = null) =>
      streams.begin(
        { account_id: 1, user_id, integration } as never,
        { destroyed: false, once: (_event: string, close: () => void) => closers.push(close) } as never,
        async function* () {},
      )
    await open(1)
    await open(1)
    await open(2)
    await expect(open(1)).rejects.toThrow('You have 2 streams open, which is the maximum.')
    await open(1, {})
    await open(2, {})
    await expect(open(3, {})).rejects.toThrow('You have 2 streams open, which is the maximum.')
    closers[0]?.()
    await open(1)
  })

  onEmbedded('does not prevent the server from stopping', async () => {
    const all = await listening()
    const opened = await follow(all.url, bearer(all.token))
    const closed = all.app.http.close()
    expect(await opened.rest()).toBe('')
    await closed
  })

  onEmbedded('is not the default for a client that accepts anything', async () => {
    const all = await listening()
    for (const accept of ['*/*', 'application/json, text/plain, */*', 'text/event-stream;q=0.1, */*']) {
      const answer = await fetch(all.url, { headers: { ...bearer(all.token), accept } })
      // The list has no chats; a stream would be 200.
      expect(answer.status).toBe(204)
    }
  })
})
