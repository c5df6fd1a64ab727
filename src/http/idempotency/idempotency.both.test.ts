import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Answer, type Client, client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { add, log } from '../../../test/fixtures/records.ts'
import { times } from '../../../test/long.ts'
import { patiently } from '../../../test/patiently.ts'
import { type World, world } from '../../../test/world.ts'
import { readSetting, writeSetting } from '../../db/settings.ts'
import { Refusal } from '../../errors.ts'
import { createServer } from '../server.ts'
import { acceptRepeats } from './idempotency.ts'

const LEADS = '/web/v4/leads'
const docs = 'http://demo.localhost:8080/docs/errors'
const key = (text: string) => ({ 'idempotency-key': text })

const REUSED = {
  title: 'Conflict',
  type: `${docs}#idempotency_key_reused`,
  status: 409,
  detail: 'This Idempotency-Key was used for a different request.',
}
const IN_USE = {
  title: 'Conflict',
  type: `${docs}#idempotency_key_in_use`,
  status: 409,
  detail: 'The first request with this Idempotency-Key has no answer yet.',
  retry_after: 1,
}

/** The visible parts of an answer. They must be equal for the first answer and its repetition. */
const seen = ({ status, text, headers }: Answer) => [status, text, headers['content-type']]
const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'
const keysOf = ({ ctx }: World) => ctx.db.selectFrom('idempotency_keys').selectAll().execute()
const leadsOf = async (caller: Client) =>
  (await caller.get(`${LEADS}?limit=250`)).body._embedded.leads.map(({ name }: { name: string }) => name)

/** A server whose routes end in every way. `done` counts what they did. */
async function ending() {
  const all = await world()
  const http = createServer(all.ctx)
  const done: Record<string, number> = {}
  acceptRepeats(all.ctx, http, () => ({ account_id: all.account.id, caller: 'shop' }))
  const commit = () => all.ctx.db.transaction().execute((tx) => writeSetting(tx, 'done', 'yes'))
  const gates: (() => void)[] = []
  const routes: Record<string, () => unknown> = {
    '/ok': () => ({ ok: true }),
    '/fails': () => {
      throw new Error('broken')
    },
    '/busy': () => {
      throw new Refusal('unavailable', 'Later.', { retry_after: 1 })
    },
    '/many': () => {
      throw new Refusal('too_many', 'Slower.', { retry_after: 1 })
    },
    '/stranger': () => {
      throw new Refusal('not_authorized', 'Who?')
    },
    '/forbidden': () => {
      throw new Refusal('forbidden', 'No.')
    },
    '/commits-and-fails': async () => {
      await commit()
      throw new Error('broken')
    },
    '/refused-and-fails': async () => {
      await all.ctx.db.transaction().execute(async (tx) => {
        await writeSetting(tx, 'done', 'no')
        throw new Error('taken back')
      })
    },
    '/waits': () => new Promise((resolve) => gates.push(() => resolve({ waited: true }))),
  }
  for (const [path, act] of Object.entries(routes))
    http.post(path, async () => {
      done[path] = (done[path] ?? 0) + 1
      return act()
    })
  await http.ready()
  return { ...all, caller: client(http, { host: 'demo.localhost:8080' }), done, gates }
}

describe('A write with an Idempotency-Key', () => {
  test('happens once, and its answer is repeated', async () => {
    const all = await world()
    const { browser } = all.admin
    const first = await browser.post(LEADS, [{ name: 'Roof' }], key('a'))
    const again = await browser.post(LEADS, [{ name: 'Roof' }], key('a'))
    expect([first.status, isReplayed(first), isReplayed(again)]).toEqual([200, false, true])
    expect(seen(again)).toEqual(seen(first))
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await leadsOf(browser)).toEqual(['Roof'])
    expect((await log(all.ctx)).map(({ type }) => type)).toEqual(['lead_added'])
  })

  onEmbedded('works with a token and hal+json', async () => {
    const { admin, stranger } = await world()
    const { access_token } = await connect(stranger, await register(admin))
    const api = stranger.as({ token: access_token })
    const ask = () => api.post('/api/v4/leads', [{ name: 'Roof' }], key('a'))
    const [first, again] = [await ask(), await ask()]
    expect([seen(again), isReplayed(again)]).toEqual([seen(first), true])
    expect(again.headers['content-type']).toBe('application/hal+json')
    expect(await leadsOf(admin.browser)).toEqual(['Roof'])
  })

  onEmbedded('is refused with 409 if the body, address, query or method differs', async () => {
    const { admin } = await world()
    const { browser } = admin
    const id = await add(browser, 'leads', { name: 'Roof' })
    await browser.patch(`${LEADS}/${id}`, { price: 1 }, key('a'))
    const others = [
      browser.patch(`${LEADS}/${id}`, { price: 2 }, key('a')),
      browser.patch(`${LEADS}/${id}`, '{"price":1 }', { ...key('a'), 'content-type': 'application/json' }),
      browser.patch(`${LEADS}/${id}?x=1`, { price: 1 }, key('a')),
      browser.patch(`${LEADS}/${id + 1}`, { price: 1 }, key('a')),
      browser.post(LEADS, [{ price: 1 }], key('a')),
    ]
    for (const other of others) {
      const answer = await other
      expect([answer.status, answer.body]).toEqual([409, REUSED])
    }
    expect((await browser.get(`${LEADS}/${id}`)).body.price).toBe(1)
    const same = await browser.patch(`${LEADS}/${id}`, { price: 1 }, key('a'))
    expect([same.status, isReplayed(same)]).toEqual([200, true])
  })

  onEmbedded('has a key of its own per person, integration and account', async () => {
    const { admin, addPerson, addAccount, stranger } = await world()
    const ben = await addPerson({ name: 'Ben', is_admin: true })
    const far = await addPerson({ account: await addAccount('other'), is_admin: true })
    const tokens = [
      (await connect(stranger, await register(admin))).access_token,
      (await connect(stranger, await register(admin, { name: 'Other' }))).access_token,
    ]
    const callers: [Client, string][] = [
      [admin.browser, LEADS],
      [ben.browser, LEADS],
      [far.browser, LEADS],
      ...tokens.map((token): [Client, string] => [stranger.as({ token }), '/api/v4/leads']),
    ]
    for (const [caller, at] of callers) {
      const answer = await caller.post(at, [{ name: 'Roof' }], key('a'))
      expect([answer.status, isReplayed(answer)]).toEqual([200, false])
    }
    expect(await leadsOf(admin.browser)).toEqual(Array(4).fill('Roof'))
  })

  test('repeats permanent refusals: of the body, a rule, rights or a missing record', async () => {
    const { admin, addPerson } = await world()
    const { browser } = admin
    const ann = (await addPerson()).browser
    const asked: [number, () => Promise<Answer>][] = [
      [400, () => browser.post(LEADS, [{ price: 'x' }], key('a'))],
      [400, () => browser.post(LEADS, [{ status_id: 9_999 }], key('b'))],
      [404, () => browser.patch(`${LEADS}/9999`, { price: 1 }, key('c'))],
      [403, () => ann.post(LEADS, [{}], key('e'))],
    ]
    for (const [status, ask] of asked) {
      const [first, again] = [await ask(), await ask()]
      expect([first.status, isReplayed(first), isReplayed(again)]).toEqual([status, false, true])
      expect(seen(again)).toEqual(seen(first))
    }
    const corrected = await browser.post(LEADS, [{ price: 1 }], key('a'))
    expect([corrected.status, corrected.body]).toEqual([409, REUSED])
  })

  test('repeats an answer without a body', async () => {
    const { admin } = await world()
    const { browser } = admin
    const [lead, contact] = [await add(browser, 'leads'), await add(browser, 'contacts')]
    const link = [{ to_entity_type: 'contacts', to_entity_id: contact }]
    await browser.post(`${LEADS}/${lead}/link`, link)
    const ask = () => browser.post(`${LEADS}/${lead}/unlink`, link, key('a'))
    const [first, again] = [await ask(), await ask()]
    expect([first.status, seen(again), isReplayed(again)]).toEqual([204, seen(first), true])
  })

  onEmbedded.each([
    ['an empty key', ''],
    ['a key that is too long', 'k'.repeat(256)],
    ['a key beyond ASCII', 'schlüssel'],
    ['a key with a tab', 'a\tb'],
  ])('is refused with %s, and changes nothing', async (_what, text) => {
    const all = await world()
    const { browser } = all.admin
    const answer = await browser.post(LEADS, [{}], key(text))
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        title: 'Bad Request',
        type: `${docs}#idempotency_key_invalid`,
        status: 400,
        detail: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
      },
    ])
    expect([await leadsOf(browser), await keysOf(all)]).toEqual([[], []])
  })

  test('accepts any printable key of 1 to 255 characters', async () => {
    const { admin } = await world()
    for (const text of ['1', 'k'.repeat(255), '"8e03978e-40d5-43dd"', 'a b', '~!@#$%^&*()'])
      expect((await admin.browser.post(LEADS, [{}], key(text))).status).toBe(200)
  })

  test('can reuse the key after 24 hours, when a job has deleted it', async () => {
    const all = await world()
    const { admin, clock, signIn, app } = all
    const ask = async () => (await signIn(admin)).post(LEADS, [{ name: 'Roof' }], key('a'))
    const first = await ask()
    clock.advance(24 * 3_600 - 1)
    expect(seen(await ask())).toEqual(seen(first))
    clock.advance(1)
    const fresh = await ask()
    expect([isReplayed(fresh), fresh.body._embedded.leads[0].id]).toEqual([false, 2])
    const sweep = async () => {
      await app.chores.find(({ name }) => name === 'expired idempotency keys')?.run()
      return (await keysOf(all)).length
    }
    expect(await sweep()).toBe(1)
    clock.advance(24 * 3_600)
    expect(await sweep()).toBe(0)
  })

  onEmbedded(
    'stores a key only for POST and PATCH, and of the operations of pages for those that add something',
    async () => {
      const all = await world()
      const { browser } = all.admin
      const id = await add(browser, 'leads')
      await browser.get(`${LEADS}/${id}`, key('a'))
      await browser.delete(`${LEADS}/${id}`, undefined, key('a'))
      await browser.post('/web/retention/forecasts', { days: {} }, key('a'))
      await browser.post(LEADS, '{"not":"json', { ...key('a'), 'content-type': 'application/json' })
      expect(await keysOf(all)).toEqual([])
    },
  )
})

describe('Stored answers', () => {
  test.each([
    ['/fails', 500],
    ['/busy', 503],
    ['/many', 429],
    ['/stranger', 401],
    ['/refused-and-fails', 500],
  ])('do not include %s, so a repetition runs again', async (path, status) => {
    const all = await ending()
    for (const tries of [1, 2]) {
      const answer = await all.caller.post(path, {}, key('a'))
      expect([answer.status, isReplayed(answer), all.done[path]]).toEqual([status, false, tries])
      expect(await keysOf(all)).toEqual([])
    }
  })

  test('include permanent refusals', async () => {
    const all = await ending()
    for (const path of ['/ok', '/forbidden']) {
      const ask = () => all.caller.post(path, {}, key(path))
      const [first, again] = [await ask(), await ask()]
      expect([seen(again), isReplayed(again), all.done[path]]).toEqual([seen(first), true, 1])
    }
  })

  test('do not include a failed write, whose partial changes are undone', async () => {
    const all = await ending()
    for (const tries of [1, 2]) {
      const answer = await all.caller.post('/commits-and-fails', {}, key('a'))
      expect([answer.status, all.done['/commits-and-fails']]).toEqual([500, tries])
      expect([await readSetting(all.ctx.db, 'done'), await keysOf(all)]).toEqual([undefined, []])
    }
  })

  test('of an earlier version that are incomplete keep the key in use', async () => {
    const all = await world()
    const { browser } = all.admin
    const ask = () => browser.post(LEADS, [{ name: 'Roof' }], key('a'))
    await ask()
    await all.ctx.db
      .transaction()
      .execute((tx) => tx.updateTable('idempotency_keys').set({ status: null, answer: null }).execute())
    const again = await ask()
    expect([again.status, again.body]).toEqual([409, IN_USE])
    expect((await browser.post(LEADS, [{ name: 'Wall' }], key('a'))).body).toEqual(REUSED)
    expect(await leadsOf(browser)).toEqual(['Roof'])
  })
})

describe('Concurrent requests with one key', () => {
  test('get 409 and a retry time while the first one runs', async () => {
    const { caller, done, gates } = await ending()
    const first = caller.post('/waits', {}, key('a'))
    while (gates.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const meanwhile = await caller.post('/waits', {}, key('a'))
    expect([meanwhile.status, meanwhile.body, meanwhile.headers['retry-after']]).toEqual([409, IN_USE, '1'])
    expect((await caller.post('/waits', { other: true }, key('a'))).body).toEqual(REUSED)
    gates[0]?.()
    expect((await first).body).toEqual({ waited: true })
    const again = await caller.post('/waits', {}, key('a'))
    expect([seen(again), isReplayed(again), done['/waits']]).toEqual([seen(await first), true, 1])
  })

  test('from two processes write once', async () => {
    const all = await world()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const { browser } = all.admin
    const servers = [browser, client(second.app.http, browser.identity)]
    const names: string[] = []
    for (let round = 0; round < times(3, 6); round++) {
      const name = `Lead ${round}`
      names.push(name)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          patiently(() => servers[i % 2]?.post(LEADS, [{ name }], key(name)) as Promise<Answer>),
        ),
      )
      const firsts = answers.filter((answer) => answer.status === 200 && !isReplayed(answer))
      expect(firsts.length).toBe(1)
      for (const answer of answers)
        if (answer.status === 200) expect(answer.text).toBe(firsts[0]?.text)
        else expect([answer.status, answer.body]).toEqual([409, IN_USE])
    }
    expect(await leadsOf(browser)).toEqual(names)
  })

  test('find the answer later if the first client disconnected', async () => {
    const all = await world({ ownServer: true })
    const { browser } = all.admin
    const { cookie, csrf_token } = browser.identity
    await all.app.http.listen({ port: 0, host: '127.0.0.1' })
    const { port } = all.app.http.server.address() as AddressInfo
    for (let round = 0; round < 10; round++) {
      const body = JSON.stringify([{ name: `Lead ${round}` }])
      const headers = {
        host: browser.identity.host,
        cookie,
        'x-csrf-token': csrf_token,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        ...key(`${round}`),
      }
      const asked = send({ port, host: '127.0.0.1', method: 'POST', path: LEADS, headers })
      asked.on('error', () => {})
      await new Promise<void>((resolve) => asked.end(body, () => setTimeout(resolve, round)))
      asked.destroy()
      let answer: Answer
      do answer = await browser.post(LEADS, body, { 'content-type': 'application/json', ...key(`${round}`) })
      while (answer.status === 409)
      expect(answer.status).toBe(200)
    }
    expect(await leadsOf(browser)).toEqual(Array.from({ length: 10 }, (_, i) => `Lead ${i}`))
  })
})
