import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answering, queue, rowOf, worker } from '../../test/fixtures/deliveries.ts'
import { world } from '../../test/world.ts'
import { DatabaseUnavailable } from '../db/failures.ts'
import { listAttempts, type Preparation } from './deliveries.ts'

test('the prepared request replaces the stored one, for each attempt', async () => {
  const here = await world()
  const old = await answering()
  const now = await answering(() => 500)
  const asked: [number, string, number][] = []
  const { runDue } = worker(here.ctx, {
    prepare: async ({ id, subject, attempts }) => {
      asked.push([id, subject, attempts])
      return { url: `${now.url}/now`, headers: { 'X-Signature': `s${attempts}` } }
    },
  })
  const headers = { 'x-signature': 'stored', 'content-type': 'application/json' }
  const [id = 0] = await queue(here, [{ url: `${old.url}/old`, subject: 'm1', headers, body: '{"a":1}' }])
  await runDue()
  here.clock.advance(6)
  await runDue()
  expect(old.hits).toEqual([])
  expect(
    now.hits.map(({ path, body, headers: sent }) => [path, body, sent['x-signature'], sent['content-type']]),
  ).toEqual([0, 1].map((n) => ['/now', '{"a":1}', `s${n}`, 'application/json']))
  expect(now.hits.map(({ headers: sent }) => sent['webhook-id'])).toEqual([`del_${id}`, `del_${id}`])
  // Twice each: the endpoint was not known while it waited for its turn.
  expect(asked).toEqual([0, 0, 1, 1].map((n) => [id, 'm1', n]))
  // The stored request does not change.
  expect(await rowOf(here, id)).toMatchObject({ url: `${old.url}/old`, headers: JSON.stringify(headers) })
})

test('a prepared body is sent and signed in place of the stored one, and is not stored', async () => {
  const here = await world()
  const { url, hits } = await answering()
  const signing_key = Buffer.from('key')
  const { runDue } = worker(here.ctx, { prepare: async () => ({ body: 'secret=1', signing_key }) })
  const [id = 0] = await queue(here, [{ url, body: 'a=1' }])
  await runDue()
  const signed = `del_${id}.${here.clock.now()}.secret=1`
  const signature = `v1,${createHmac('sha256', signing_key).update(signed).digest('base64')}`
  expect(hits.map(({ body, headers }) => [body, headers['webhook-signature']])).toEqual([
    ['secret=1', signature],
  ])
  expect(await rowOf(here, id)).toMatchObject({ body: 'a=1' })
})

test.each<[string, Preparation, number, string]>([
  ['once is once', { tries: 1 }, 1, 'failed exhausted'],
  ['three tries are three', { tries: 3 }, 3, 'failed exhausted'],
  ['an address that may not be called is none', { url: 'http://10.0.0.1/' }, 1, 'failed forbidden_address'],
  ['what is no address is none', { url: 'about:blank' }, 1, 'failed bad_url'],
])('%s, if that is what is prepared', async (_, prepared, tries, end) => {
  const here = await world()
  const { url } = await answering(() => 500)
  const { outcomes, runDue } = worker(here.ctx, { prepare: async () => prepared, tries: 5 })
  const [id] = await queue(here, [{ url }])
  let made = 0
  for (let i = 0; i < 4; i++) {
    made += await runDue()
    here.clock.advance(50_000)
  }
  expect([made, outcomes]).toEqual([tries, [`${id} ${end}`]])
})

test('an attempt lasts no longer than was prepared', async () => {
  const here = await world()
  const { url } = await answering(() => 'hang')
  const { runDue } = worker(here.ctx, { prepare: async () => ({ timeout_ms: 100 }) })
  const [id = 0] = await queue(here, [{ url }])
  await runDue()
  const [attempt] = await listAttempts(here.ctx.db, here.account.id, id)
  expect([attempt?.error, (attempt?.duration_ms ?? 9999) < 5000]).toEqual(['timeout', true])
})

test('an attempt counts when its owner cannot prepare it, and does not block others for ever', async () => {
  const here = await world()
  const { url, paths } = await answering()
  const { outcomes, runDue } = worker(here.ctx, {
    prepare: async ({ subject }) => {
      if (subject === 's0') throw new Error('no such subject')
      return {}
    },
  })
  const [bad = 0, good] = await queue(
    here,
    ['/bad', '/good'].map((path) => ({ url: url + path, ordering_key: 'a', circuit: 'channel:1' })),
  )
  for (let i = 0; i < 11; i++) {
    expect(await runDue()).toBe(i < 10 ? 1 : 2)
    here.clock.advance(50_000)
  }
  expect([paths(), outcomes]).toEqual([['/good'], [`${bad} failed exhausted`, `${good} delivered 200`]])
  expect(await listAttempts(here.ctx.db, here.account.id, bad)).toMatchObject(
    Array(11).fill({ status: null, error: 'fault', duration_ms: 0 }),
  )
  expect(here.logged()).toContain('no such subject')
  // It does not count as a failure of the endpoint.
  expect(await here.ctx.db.selectFrom('circuits').select(['failures', 'last_error']).execute()).toEqual([
    { failures: 0, last_error: null },
  ])
})

test('an owner prepares outside any transaction', async () => {
  const here = await world()
  const { url } = await answering()
  const { outcomes, runDue } = worker(here.ctx, {
    prepare: async () => {
      const name = 'prepared'
      await here.ctx.db
        .transaction()
        .execute((tx) => tx.insertInto('settings').values({ name, value: '' }).execute())
      return {}
    },
  })
  const [id] = await queue(here, [{ url }])
  await runDue()
  expect(outcomes).toEqual([`${id} delivered 200`])
})

test('deliveries that are prepared for one endpoint share its limit, regardless of what is stored', async () => {
  const here = await world()
  const { url, hits, state } = await answering(async () => {
    await sleep(200)
    return 200
  })
  // Shorter than the wait for the connections of the others would be.
  const { runDue, outcomes } = worker(here.ctx, { prepare: async () => ({ url, timeout_ms: 2_200 }) })
  await queue(
    here,
    Array.from({ length: 48 }, (_, i) => ({ url: `http://receiver-${i % 12}.example/` })),
  )
  expect(await runDue()).toBe(48)
  expect(outcomes.filter((line) => line.endsWith('delivered 200'))).toHaveLength(48)
  expect([hits.length, state.most]).toEqual([48, 4])
})

test('an outage of the database is no attempt: what is sent once is sent when it is back', async () => {
  const here = await world()
  const { url, hits } = await answering()
  let isAway = true
  const { outcomes, runDue } = worker(here.ctx, {
    tries: 1,
    prepare: async () => {
      if (!isAway) return {}
      isAway = false
      throw new DatabaseUnavailable('the connection was lost')
    },
  })
  const [id = 0] = await queue(here, [{ url }])
  await runDue()
  expect([hits.length, outcomes]).toEqual([1, [`${id} delivered 200`]])
})
