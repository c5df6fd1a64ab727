import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { kindOfRun } from '../../test/databases/databases.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { completeRights } from '../accounts/members/rights.ts'

/** A listening server and a token. An injected request would wait for the end of a tail. */
async function listening(options = {}) {
  const all = await world({ ownServer: true, ...options })
  const integration = await register(all.admin)
  const token = (await connect(all.stranger, integration)).access_token
  const origin = await all.app.http.listen({ port: 0, host: '127.0.0.1' })
  return { ...all, integration, token, url: `${origin}/api/v4/events` }
}

interface Tail {
  status: number
  headers: Headers
  /** The next `count` events. */
  take(count: number): Promise<{ id: string; data: { type: string; entity_id: number } }[]>
  /** The rest of the answer. */
  rest(): Promise<string>
  stop(): void
}

const START = 'retry: 2000\n\n: still here\n\n'

async function tail(url: string, headers: Record<string, string>): Promise<Tail> {
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
  const opened: Tail = {
    status: answer.status,
    headers: answer.headers,
    async take(count) {
      const blocks: string[] = []
      while (blocks.length < count) {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          if (!(await pull())) throw new Error(`the tail ended after ${blocks.length}`)
          continue
        }
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        if (block.startsWith('id: ')) blocks.push(block)
      }
      return blocks.map((block) => {
        const [, id, data] = /^id: (\w+)\ndata: (.*)$/.exec(block) ?? []
        return { id: id as string, data: JSON.parse(data as string) }
      })
    },
    async rest() {
      while (await pull());
      return text
    },
    stop: () => stop.abort(),
  }
  // The headers come with the first text, when the tail has begun.
  if (answer.ok) {
    await pull()
    expect(text.startsWith(START)).toBe(true)
    text = text.slice(START.length)
  }
  return opened
}

interface Listed {
  _embedded: { events: object[] }
}
interface Refused {
  'validation-errors': { errors: object[] }[]
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const leads = (all: Pick<World, 'admin'>, count: number) =>
  addAll(
    all.admin.browser,
    'leads',
    Array.from({ length: count }, () => ({})),
  )

describe('The tail of the log', () => {
  test('sends each event once, in order and as in the list, from the time it was opened', async () => {
    const all = await listening()
    await leads(all, 3)
    const opened = await tail(all.url, bearer(all.token))
    expect([opened.status, opened.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(opened.headers.get('cache-control')).toBe('no-store')
    const ids = [...(await leads(all, 2)), ...(await leads(all, 250)), ...(await leads(all, 1))]
    const sent = await opened.take(253)
    expect(sent.map(({ data }) => data.entity_id)).toEqual(ids)
    opened.stop()
    const list: Listed = (await (
      await fetch(`${all.url}?limit=1`, { headers: bearer(all.token) })
    ).json()) as Listed
    expect(sent.at(-1)?.data).toEqual(list._embedded.events[0])
  })

  test.runIf(kindOfRun() === 'postgres')(
    'begins before the client has the headers, so everything that is added after them is in it',
    async () => {
      const all = await listening()
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const locking = all.ctx.db.transaction().execute(async (tx) => {
        await sql`lock table events in access exclusive mode`.execute(tx)
        locked.resolve()
        await released.promise
      })
      await locked.promise
      let hasHeaders = false
      const opening = tail(all.url, bearer(all.token)).finally(() => {
        hasHeaders = true
      })
      await sleep(300)
      expect(hasHeaders).toBe(false)
      released.resolve()
      await locking
      const opened = await opening
      const ids = await leads(all, 1)
      expect((await opened.take(1)).map(({ data }) => data.entity_id)).toEqual(ids)
      opened.stop()
    },
  )

  test.runIf(kindOfRun() === 'postgres')(
    'begins after the events that were there, although an older transaction can still add events before them',
    async () => {
      const all = await listening()
      const older = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const transaction = all.ctx.db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx)
        begun.resolve()
        await older.promise
      })
      await begun.promise
      await leads(all, 3)
      const opened = await tail(all.url, bearer(all.token))
      const ids = await leads(all, 2)
      older.resolve()
      await transaction
      const sent = await opened.take(2)
      expect(sent.map(({ data }) => data.entity_id)).toEqual(ids)
      opened.stop()
    },
  )

  test('of a page begins when the page began to read', async () => {
    const all = await listening()
    await leads(all, 1)
    all.clock.advance(11)
    const recent = await leads(all, 2)
    const cookie = all.admin.browser.identity.cookie as string
    const at = all.url.replace('/api/', '/web/')
    const page = await tail(`${at}?page_age=10000`, { cookie })
    const others = await Promise.all(
      ['', '0', '-5', 'x'].map((age) => tail(`${at}?page_age=${age}`, { cookie })),
    )
    const later = await leads(all, 1)
    const sent = await page.take(3)
    expect(sent.map(({ data }) => data.entity_id)).toEqual([...recent, ...later])
    for (const other of others) expect((await other.take(1))[0]?.data.entity_id).toBe(later[0])
    for (const opened of [page, ...others]) opened.stop()
  })

  test('continues after the last event that a client received', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    await leads(all, 5)
    const first = await opened.take(2)
    opened.stop()
    const missed = await leads(all, 2)
    const again = await tail(all.url, { ...bearer(all.token), 'last-event-id': first[1]?.id as string })
    const rest = await again.take(5)
    expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(7)
    expect(rest.slice(3).map(({ data }) => data.entity_id)).toEqual(missed)
    again.stop()
  })

  onEmbedded('sends events that match the filter and are visible, with names', async () => {
    const all = await listening()
    const me = await all.addPerson({ name: 'Me', rights: completeRights() })
    await all.admin.browser.patch(`/web/v4/users/${me.id}`, {})
    const opened = await tail(`${all.url}?filter[type]=contact_added&with=contact_name`, bearer(all.token))
    const cookie = me.browser.identity.cookie as string
    const mine = await tail(all.url.replace('/api/', '/web/'), { cookie })
    await add(all.admin.browser, 'leads')
    await add(all.admin.browser, 'contacts', { name: 'Ann' })
    await add(all.admin.browser, 'tasks', { text: 'Call', complete_till: 5, responsible_user_id: me.id })
    const [sent] = await opened.take(1)
    expect(sent?.data).toMatchObject({ type: 'contact_added', _embedded: { entity: { name: 'Ann' } } })
    expect((await mine.take(1))[0]?.data.type).toBe('task_added')
    opened.stop()
    mine.stop()
  })

  test('of a page ends when another window switches the account, and does not come back in the new one', async () => {
    const all = await listening()
    const other = await all.addAccount('other')
    const me = await all.addPerson({ is_admin: true })
    await all.addPerson({ email: me.email, account: other, is_admin: true })
    const bare = me.browser.as({ host: 'localhost:8080' })
    const cookie = me.browser.identity.cookie as string
    const at = (owner: string) => `${all.url.replace('/api/', '/web/')}?page_of=${owner}`
    const own = `${me.id}.${me.account.id}`
    const mine = await tail(at(own), { cookie })
    await leads(all, 1)
    expect(await mine.take(1)).toHaveLength(1)
    expect((await bare.patch('/web/session', { account_id: other.id })).status).toBe(200)
    all.clock.advance(11)
    expect(await mine.rest()).not.toContain('data:')
    // The browser opens the stream again by itself.
    const again = await tail(at(own), { cookie })
    expect([again.status, JSON.parse(await again.rest()).type.split('#')[1]]).toEqual([403, 'csrf_token'])
    const there = await tail(at(`${me.id}.${other.id}`), { cookie })
    expect(there.status).toBe(200)
    there.stop()
    for (const owner of ['', 'x', `${all.admin.id}.${other.id}`]) {
      const refused = await tail(at(owner), { cookie })
      expect([owner, refused.status]).toEqual([owner, 403])
      await refused.rest()
    }
  })

  onEmbedded('sends what one integration does, with its name', async () => {
    const all = await listening()
    const { client_id } = all.integration
    const asked = `${all.url}?filter[integration]=${client_id}&with=integration`
    const opened = await tail(asked, bearer(all.token))
    await add(all.admin.browser, 'leads')
    const lead = await add(all.stranger.as({ token: all.token }), 'leads')
    const [sent] = await opened.take(1)
    const courier = { id: client_id, name: 'Shop' }
    expect(sent?.data).toMatchObject({ entity_id: lead, created_by_integration: courier })
    opened.stop()
  })

  test('includes records that become visible while it is open', async () => {
    const all = await listening()
    const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
    const me = await all.addPerson({ name: 'Me', rights: completeRights({ leads: own }) })
    const mine = await tail(all.url.replace('/api/', '/web/'), {
      cookie: me.browser.identity.cookie as string,
    })
    const given = { responsible_user_id: me.id }
    const first = await add(all.admin.browser, 'leads', given)
    await add(all.admin.browser, 'leads')
    expect((await mine.take(1))[0]?.data.entity_id).toBe(first)
    const second = await add(all.admin.browser, 'leads', given)
    expect((await mine.take(1))[0]?.data.entity_id).toBe(second)
    mine.stop()
  })

  test('sends the events of another process within a second', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    const second = await all.secondProcess()
    const lead = JSON.parse(
      (
        await second.app.http.inject({
          method: 'POST',
          url: '/api/v4/leads',
          headers: { ...bearer(all.token), host: 'demo.localhost:8080' },
          payload: [{ name: 'Roof' }],
        })
      ).body,
    )._embedded.leads[0].id
    expect((await opened.take(1))[0]?.data.entity_id).toBe(lead)
    opened.stop()
  })

  test('loses no event of concurrent writers', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    const rounds = Array.from({ length: 40 }, (_, n) => leads(all, 1 + (n % 5)))
    const ids = (await Promise.all(rounds)).flat()
    const sent = (await opened.take(ids.length)).map(({ data }) => data.entity_id)
    expect(sent.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    opened.stop()
  })

  onEmbedded('ends when its token is revoked and then requires a valid one', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    const off = await all.admin.browser.post(`/web/installations/${all.integration.client_id}/disable`)
    expect(off.status).toBeLessThan(300)
    all.clock.advance(11)
    expect(await opened.rest()).toBe('')
    expect((await tail(all.url, bearer(all.token))).status).toBe(401)
  })

  onEmbedded('ends after a revocation even if the clock was put back', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    all.clock.set(all.clock.now() - 2 * 3_600)
    const off = await all.admin.browser.post(`/web/installations/${all.integration.client_id}/disable`)
    expect(off.status).toBeLessThan(300)
    all.clock.advance(11)
    expect(await opened.rest()).toBe('')
  })

  onEmbedded('refuses an unknown position and more streams than an account can have', async () => {
    const all = await listening()
    const ask = (headers: object) =>
      fetch(all.url, { headers: { ...bearer(all.token), accept: 'text/event-stream', ...headers } })
    const wrong = await ask({ 'last-event-id': 'x' })
    expect([wrong.status, ((await wrong.json()) as Refused)['validation-errors'][0]?.errors]).toEqual([
      400,
      [
        {
          code: 'InvalidFormat',
          path: 'Last-Event-ID',
          detail: 'Last-Event-ID must be the id of an event.',
        },
      ],
    ])
    const open = await Promise.all(Array.from({ length: 20 }, () => tail(all.url, bearer(all.token))))
    const refused = await ask({})
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    for (const one of open) one.stop()
    // The server hears of it a moment later.
    const again = async () => {
      const opened = await tail(all.url, bearer(all.token))
      opened.stop()
      return opened.status
    }
    await expect.poll(again).toBe(200)
  })

  onEmbedded('does not keep the server from stopping', async () => {
    const all = await listening()
    const opened = await tail(all.url, bearer(all.token))
    const closed = all.app.http.close()
    expect(await opened.rest()).toBe('')
    await closed
  })
})

describe('An export of the log', () => {
  const ask = (all: { url: string; token: string }, accept: string, query = '') =>
    fetch(`${all.url}${query}`, { headers: { ...bearer(all.token), accept } })

  test('as NDJSON has one line per matching event, newest first', async () => {
    const all = await listening()
    for (const count of [250, 250, 30]) await leads(all, count)
    await add(all.admin.browser, 'contacts', { name: 'Ann' })
    const answer = await ask(all, 'application/x-ndjson', '?filter[type]=lead_added&page=7&limit=3')
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="events.ndjson"')
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines.length).toBe(530)
    const page = (await (
      await ask(all, 'application/json', '?filter[type]=lead_added&limit=250')
    ).json()) as Listed
    expect(lines.slice(0, 250).map((line) => JSON.parse(line))).toEqual(page._embedded.events)
  })

  onEmbedded('as CSV has a header, quotes texts and escapes formulas', async () => {
    const all = await listening()
    const id = await add(all.admin.browser, 'contacts', { name: '=SUM("A1", 2)' })
    await all.admin.browser.patch(`/web/v4/contacts/${id}`, { name: '=1+1' })
    const answer = await ask(all, 'text/csv', '?with=contact_name&filter[type]=name_field_changed')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const [head, line, ...rest] = (await answer.text()).split('\r\n')
    expect(head).toBe(
      'id,type,entity_type,entity_id,entity_name,created_by,created_at,value_after,value_before',
    )
    const created_at = all.ctx.now()
    expect(line?.slice(29)).toBe(
      `"name_field_changed","contact",${id},"'=1+1",${all.admin.id},${created_at},` +
        `"[{""name_field_value"":{""name"":""=1+1""}}]","[{""name_field_value"":{""name"":""=SUM(\\""A1\\"", 2)""}}]"`,
    )
    expect(rest).toEqual([''])
  })

  onEmbedded('can be opened by a link, with a byte order mark for spreadsheets', async () => {
    const all = await listening()
    await add(all.admin.browser, 'contacts', { name: 'Ян' })
    const csv = await ask(all, '*/*', '?format=csv')
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="events.csv"')
    expect([...new Uint8Array(await csv.arrayBuffer()).slice(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64])
    const european = await (await ask(all, '*/*', '?format=csv&delimiter=semicolon')).text()
    expect(european.split('\r\n').slice(0, 2)).toEqual([
      'id;type;entity_type;entity_id;entity_name;created_by;created_at;value_after;value_before',
      expect.stringMatching(/^"\w{26}";"contact_added";"contact";\d+;"/),
    ])
    expect((await ask(all, '*/*', '?format=csv&delimiter=tab')).status).toBe(400)
    expect((await ask(all, '*/*', '?format=csv&headings=fr')).status).toBe(400)
    const ndjson = await ask(all, 'application/json', '?format=ndjson')
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect((await ask(all, '*/*', '?format=tail')).status).toBe(400)
  })

  onEmbedded('for people has words instead of codes, and times in the zone of the account', async () => {
    const all = await listening()
    await all.admin.browser.patch('/web/v4/account', { timezone: 'America/Sao_Paulo' })
    const id = await add(all.admin.browser, 'contacts', { name: 'Ян' })
    const query = '?format=csv&headings=es&with=contact_name,integration&filter[type]=contact_added'
    const [head, line] = (await (await ask(all, '*/*', query)).text()).split('\r\n')
    expect(head).toBe(
      '"ID","Evento","Tipo de registro","ID del registro","Registro","Quién","Cuándo (America/Sao_Paulo)",' +
        '"Después","Antes","ID de la integración","Integración"',
    )
    const cells = `"Nuevo contacto","Contacto",${id},"Ян","Ada","2026-03-01 09:00:00","[`
    expect(line?.slice(29, 29 + cells.length)).toBe(cells)
  })

  onEmbedded('is empty without events and refuses a broken rule as a page does', async () => {
    const all = await listening()
    expect(await (await ask(all, 'application/x-ndjson')).text()).toBe('')
    const refused = await ask(all, 'text/csv', '?filter[type]=x')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expect((await fetch(all.url, { headers: { accept: 'text/csv' } })).status).toBe(401)
  })

  onEmbedded('is not the default for a client that accepts anything', async () => {
    const all = await listening()
    for (const accept of [
      '*/*',
      'application/json, text/plain, */*',
      'text/html',
      'text/event-stream;q=0.1, */*',
    ])
      expect((await ask(all, accept)).headers.get('content-type')).toBe('application/hal+json')
  })
})
