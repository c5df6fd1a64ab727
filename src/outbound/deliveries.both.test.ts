import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import {
  type Answer,
  type Hit,
  queue,
  answering as receiver,
  rowOf,
  secondOf as second,
  stateOf,
  worker,
} from '../../test/fixtures/deliveries.ts'
import { type World, world } from '../../test/world.ts'
import type { Tx } from '../db/database.ts'
import {
  type DeliveryKind,
  enqueueDeliveries,
  findDeliveries,
  listAttempts,
  retryDelivery,
} from './deliveries.ts'

/** Rows that owners have committed. */
const note = async (tx: Tx, text: string) => {
  const row = { name: `note ${text}`, value: text }
  await tx.insertInto('settings').values(row).execute()
}
const noted = async ({ ctx }: World) => {
  const rows = await ctx.db.selectFrom('settings').select('value').where('name', 'like', 'note %').execute()
  return rows.map(({ value }) => value).sort()
}

describe('sending', () => {
  test('a delivery is sent as it was queued, its owner is informed, and its attempt is logged', async () => {
    const here = await world()
    const { url, hits } = await receiver(() => ({ status: 202, body: 'thanks' }))
    const { outcomes, runDue } = worker(here.ctx)
    const body = '{"text":"привет \\u0000"}'
    const [id = 0] = await queue(here, [{ url: `${url}/hook?a=1`, headers: { 'X-Signature': 'abc' }, body }])
    expect(await runDue()).toBe(1)
    expect(hits).toHaveLength(1)
    expect([hits[0]?.path, hits[0]?.body]).toEqual(['/hook?a=1', body])
    expect(hits[0]?.headers).toMatchObject({
      'x-signature': 'abc',
      'user-agent': 'Patchbay',
      'webhook-id': `del_${id}`,
      'webhook-timestamp': String(here.clock.now()),
      'webhook-attempt': '1',
    })
    expect(outcomes).toEqual([`${id} delivered 202`])
    expect(await rowOf(here, id)).toMatchObject({
      attempts: 1,
      leased_until: null,
      ended_at: here.clock.now(),
    })
    expect(await listAttempts(here.ctx.db, here.account.id, id)).toEqual([
      {
        delivery_id: id,
        attempt: 1,
        at: here.clock.now(),
        duration_ms: expect.any(Number),
        status: 202,
        error: null,
        answer: 'thanks',
      },
    ])
    expect(
      await here.ctx.metrics.registry.getSingleMetricAsString('patchbay_delivery_attempts_total'),
    ).toContain('{kind="test",outcome="delivered"} 1')
    expect(await runDue()).toBe(0)
  })

  test('a delivery of a transaction that is rolled back is not sent', async () => {
    const here = await world()
    const { url, hits } = await receiver()
    const draft = {
      account_id: here.account.id,
      kind: 'test',
      subject: 's',
      method: 'POST' as const,
      url,
      request_id: 'r',
    }
    const refused = here.ctx.db.transaction().execute(async (tx) => {
      await enqueueDeliveries(tx, [draft], here.clock.now())
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await worker(here.ctx).runDue()).toBe(0)
    expect(hits).toEqual([])
  })

  onEmbedded('4 KiB of an answer are stored, in whole characters and without NUL', async () => {
    const here = await world()
    const answers = ['a\0b', `a${'é'.repeat(3000)}`, '😀'.repeat(3000)]
    const { url } = await receiver((hit) => ({
      status: 200,
      body: answers[Number(hit.path.slice(1))] ?? '',
    }))
    const ids = await queue(
      here,
      answers.map((_, i) => ({ url: `${url}/${i}` })),
    )
    await worker(here.ctx).runDue()
    const kept = await Promise.all(
      ids.map(async (id) => (await listAttempts(here.ctx.db, here.account.id, id))[0]?.answer),
    )
    expect(kept).toEqual(['a\uFFFDb', `a${'é'.repeat(2047)}`, '😀'.repeat(1024)])
  })

  test('deliveries are found by their subject, only within their account', async () => {
    const here = await world()
    const { url } = await receiver()
    const [id = 0] = await queue(here, [
      { url, subject: 'm1' },
      { url, subject: 'm2' },
    ])
    expect(
      (await findDeliveries(here.ctx.db, here.account.id, 'test', ['m1', 'm3'])).map((row) => row.id),
    ).toEqual([id])
    expect(await findDeliveries(here.ctx.db, 8888, 'test', ['m1'])).toEqual([])
    expect(await findDeliveries(here.ctx.db, here.account.id, 'test', [])).toEqual([])
    await worker(here.ctx).runDue()
    expect(await listAttempts(here.ctx.db, 8888, id)).toEqual([])
  })
})

describe('further attempts', () => {
  onEmbedded(
    'a receiver that stays down gets eleven attempts in about a day, each exactly when it is due',
    async () => {
      const here = await world()
      const { url, hits } = await receiver(() => 500)
      const { outcomes, runDue } = worker(here.ctx)
      const [id = 0] = await queue(here, [{ url }])
      const started = here.clock.now()
      const steps = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000]
      for (const step of steps) {
        expect(await runDue()).toBe(1)
        const delay = (await rowOf(here, id)).next_attempt_at - here.clock.now()
        expect([step, delay >= step * 0.8 && delay <= step * 1.2]).toEqual([step, true])
        here.clock.advance(delay - 1)
        expect(await runDue()).toBe(0)
        here.clock.advance(1)
      }
      expect(outcomes).toEqual([])
      expect(await runDue()).toBe(1)
      expect(outcomes).toEqual([`${id} failed exhausted`])
      expect(hits.map(({ headers }) => headers['webhook-attempt'])).toEqual(
        [...Array(11)].map((_, i) => `${i + 1}`),
      )
      expect(new Set(hits.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(hits.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(11)
      expect(
        (await listAttempts(here.ctx.db, here.account.id, id)).map(({ attempt, status }) => [
          attempt,
          status,
        ]),
      ).toEqual([...Array(11)].map((_, i) => [i + 1, 500]))
      const hours = (here.clock.now() - started) / 3600
      expect(hours > 18 && hours < 29).toBe(true)
      here.clock.advance(1_000_000)
      expect(await runDue()).toBe(0)
    },
  )

  test.each([
    ['a 410 at once', () => 410, 1, 'gone'],
    ['a 404 after three tries within a minute', () => 404, 3, 'refused'],
    ['a 404 after three of them in a row', (_: Hit, n: number) => (n === 3 ? 500 : 404), 6, 'refused'],
  ] as [string, (hit: Hit, n: number) => Answer, number, string][])(
    '%s is final',
    async (_, answer, tries, why) => {
      const here = await world()
      const { url, hits } = await receiver(answer)
      const { outcomes, runDue } = worker(here.ctx)
      const [id = 0] = await queue(here, [{ url }])
      const started = here.clock.now()
      while ((await stateOf(here, id)) === 'ready') {
        here.clock.advance(Math.max(0, (await rowOf(here, id)).next_attempt_at - here.clock.now()))
        expect(await runDue()).toBe(1)
      }
      expect([hits.length, outcomes]).toEqual([tries, [`${id} failed ${why}`]])
      if (tries === 3) expect(here.clock.now() - started).toBeLessThanOrEqual(60)
    },
  )

  test.each([
    ['http://10.0.0.1/', 'forbidden_address'],
    ['http://[::ffff:127.0.0.1]/', 'forbidden_address'],
    ['ftp://127.0.0.1/', 'bad_url'],
    ['not a URL', 'bad_url'],
  ])('%s is given up at once: %s', async (url, why) => {
    const here = await world()
    const { outcomes, runDue } = worker(here.ctx)
    const [id = 0] = await queue(here, [{ url }])
    expect(await runDue()).toBe(1)
    expect(outcomes).toEqual([`${id} failed ${why}`])
    expect(await listAttempts(here.ctx.db, here.account.id, id)).toMatchObject([
      { status: null, error: why, answer: null },
    ])
  })

  onEmbedded('a receiver that asks for time gets it, and one that hangs gets a minute', async () => {
    const here = await world()
    const date = new Date((here.clock.now() + 9) * 1000).toUTCString()
    const asks: Record<string, Answer> = {
      '/seconds': { status: 503, headers: { 'retry-after': '8' } },
      '/date': { status: 503, headers: { 'retry-after': date } },
      '/greedy': { status: 429, headers: { 'retry-after': '86400' } },
      '/hang': 'hang',
    }
    const { url } = await receiver((hit) => asks[hit.path] ?? 500)
    const ids = await queue(
      here,
      Object.keys(asks).map((path) => ({ url: url + path })),
    )
    await worker(here.ctx, { timeout_ms: 1_000 }).runDue()
    const rows = await Promise.all(ids.map((id) => rowOf(here, id)))
    const waits = rows.map((row) => row.next_attempt_at - here.clock.now())
    expect(waits.slice(0, 3)).toEqual([8, 9, 120])
    expect(waits[3]).toBeGreaterThanOrEqual(60)
    expect(await listAttempts(here.ctx.db, here.account.id, ids[3] ?? 0)).toMatchObject([
      { status: null, error: 'timeout' },
    ])
  })

  test('a delivery with one attempt is sent once', async () => {
    const here = await world()
    const { url, hits } = await receiver(() => 500)
    const { outcomes, runDue } = worker(here.ctx, { tries: 1 })
    const [id] = await queue(here, [{ url }])
    await runDue()
    here.clock.advance(100_000)
    expect([await runDue(), hits.length, outcomes]).toEqual([0, 1, [`${id} failed exhausted`]])
  })
})

describe('ordering keys', () => {
  test('a delivery blocks later ones with its key, and no others', async () => {
    const here = await world()
    let down = true
    const { url, paths } = await receiver((hit) => (down && hit.path === '/a1' ? 500 : 200))
    const { runDue } = worker(here.ctx)
    await queue(here, [
      ...['/a1', '/a2', '/a3'].map((path) => ({ url: url + path, ordering_key: 'a' })),
      ...['/b1', '/b2'].map((path) => ({ url: url + path, ordering_key: 'b' })),
    ])
    await queue(here, [{ url: `${url}/a4`, ordering_key: 'a' }, { url: `${url}/x` }])
    expect(await runDue()).toBe(4)
    expect(paths().filter((path) => path !== '/x')).toEqual(expect.arrayContaining(['/a1', '/b1', '/b2']))
    expect(await runDue()).toBe(0)
    here.clock.advance(6)
    await queue(here, [{ url: `${url}/a5`, ordering_key: 'a' }])
    down = false
    expect(await runDue()).toBe(5)
    expect(paths().filter((path) => path.startsWith('/a'))).toEqual([
      '/a1',
      '/a1',
      '/a2',
      '/a3',
      '/a4',
      '/a5',
    ])
    expect(paths().filter((path) => path.startsWith('/b'))).toEqual(['/b1', '/b2'])
  })

  test('the next delivery is sent when one has failed for good', async () => {
    const here = await world()
    const { url, paths } = await receiver((hit) => (hit.path === '/1' ? 410 : 200))
    const { outcomes, runDue } = worker(here.ctx)
    const [first, second] = await queue(
      here,
      ['/1', '/2'].map((path) => ({ url: url + path, ordering_key: 'a' })),
    )
    expect(await runDue()).toBe(2)
    expect(paths()).toEqual(['/1', '/2'])
    expect(outcomes).toEqual([`${first} failed gone`, `${second} delivered 200`])
  })

  onEmbedded('an hour of downtime delays messages, and does not lose, duplicate or reorder any', async () => {
    const here = await world()
    const up_at = here.clock.now() + 3600
    const { url, hits } = await receiver(() => (here.clock.now() < up_at ? 503 : 200))
    const { outcomes, runDue } = worker(here.ctx)
    const ids: number[] = []
    for (let minute = 0; minute < 180; minute++) {
      if (minute < 70)
        ids.push(
          ...(await queue(
            here,
            ['a', 'b'].map((lane) => ({ url: `${url}/${lane}`, ordering_key: lane, body: `${minute}` })),
          )),
        )
      await runDue()
      here.clock.advance(60)
    }
    expect(outcomes).toHaveLength(140)
    const delivered = outcomes.map((line) => Number(line.split(' ')[0]))
    expect(new Set(delivered).size).toBe(140)
    for (const parity of [0, 1]) {
      const lane = ids.filter((_, i) => i % 2 === parity)
      expect(delivered.filter((id) => lane.includes(id))).toEqual(lane)
    }
    // While it was down, only the first delivery of each key was attempted, about six times.
    expect(hits.length - 140).toBeLessThan(20)
  })

  test('a failed delivery that is sent again keeps its id, gets all its attempts and waits for no other', async () => {
    const here = await world()
    let first = 404
    const { url, hits } = await receiver((hit) => (hit.path === '/1' ? first : 500))
    const { outcomes, runDue } = worker(here.ctx)
    const [id = 0, blocked = 0] = await queue(
      here,
      ['/1', '/2'].map((path) => ({ url: url + path, ordering_key: 'a' })),
    )
    for (const seconds of [0, 6, 36]) {
      here.clock.advance(seconds)
      await runDue()
    }
    const again = (account_id: number, which: number) =>
      here.ctx.db.transaction().execute((tx) => retryDelivery(tx, account_id, which, here.clock.now()))
    await expect(again(8888, id)).rejects.toMatchObject({ reason: 'not_found' })
    await expect(again(here.account.id, blocked)).rejects.toMatchObject({ reason: 'conflict' })
    await again(here.account.id, id)
    expect(await rowOf(here, id)).toMatchObject({ state: 'ready', attempts: 0, ended_at: null })
    await runDue()
    expect(await stateOf(here, id)).toBe('ready')
    first = 200
    here.clock.advance(6)
    await runDue()
    expect(outcomes).toEqual([`${id} failed refused`, `${id} delivered 200`])
    const mine = hits.filter(({ path }) => path === '/1').map(({ headers }) => headers)
    expect(mine.map((headers) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4', '5'])
    expect(new Set(mine.map((headers) => headers['webhook-id'])).size).toBe(1)
    expect((await listAttempts(here.ctx.db, here.account.id, id)).map(({ status }) => status)).toEqual([
      404, 404, 404, 404, 200,
    ])
    expect(await stateOf(here, blocked)).toBe('ready')
    await expect(again(here.account.id, id)).rejects.toMatchObject({ reason: 'conflict' })
  })
})

describe('owners', () => {
  test('the changes of the owner are committed with the outcome', async () => {
    const here = await world()
    const { url } = await receiver((hit) => (hit.path === '/ok' ? 200 : 410))
    const { runDue } = worker(here.ctx, {
      delivered: async (tx, delivery) => note(tx, `delivered ${delivery.id}`),
      failed: async (tx, delivery, attempt, why) =>
        note(tx, `failed ${delivery.id} ${attempt.status} ${why}`),
    })
    const [ok, gone] = await queue(here, [{ url: `${url}/ok` }, { url: `${url}/gone` }])
    await runDue()
    expect(await noted(here)).toEqual([`delivered ${ok}`, `failed ${gone} 410 gone`])
  })

  test('an owner that throws changes nothing; the attempt counts, and the owner is not informed for ever', async () => {
    const here = await world()
    const { url, hits } = await receiver()
    const { runDue } = worker(here.ctx, {
      delivered: async (tx) => {
        await note(tx, 'x')
        throw new Error('a fault of the owner')
      },
    })
    const [id = 0] = await queue(here, [
      { url, ordering_key: 'a' },
      { url, ordering_key: 'a', kind: 'nobody' },
    ])
    for (let i = 0; i < 11; i++) {
      expect(await runDue()).toBe(i < 10 ? 1 : 2)
      here.clock.advance(50_000)
    }
    expect(await noted(here)).toEqual([])
    expect(await rowOf(here, id)).toMatchObject({ state: 'failed', attempts: 11 })
    expect(await listAttempts(here.ctx.db, here.account.id, id)).toMatchObject(
      Array(11).fill({ status: 200, error: 'fault' }),
    )
    expect(hits).toHaveLength(12)
    expect(here.logged()).toContain('a fault of the owner')
  })
})

describe('several processes', () => {
  test('two workers on one database send each delivery once, in order of each key', async () => {
    const here = await world()
    const { url, paths } = await receiver()
    const other = await second(here)
    const drafts = [...Array(200)].map((_, i) => ({
      url: `${url}/${i}`,
      ordering_key: i % 10 === 9 ? null : `lane ${i % 10}`,
    }))
    await queue(here, drafts)
    const workers = [worker(here.ctx), worker(other.ctx)]
    const [one = 0, two = 0] = await Promise.all(workers.map(({ runDue }) => runDue()))
    expect(one + two).toBe(200)
    expect(new Set(paths()).size).toBe(200)
    expect(workers.flatMap(({ outcomes }) => outcomes)).toHaveLength(200)
    for (let lane = 0; lane < 9; lane++) {
      const sent = paths()
        .map((path) => Number(path.slice(1)))
        .filter((n) => n % 10 === lane)
      expect(sent).toEqual(sent.toSorted((a, b) => a - b))
    }
  })

  test('the delivery of a process that died between the answer and the commit is sent again when its lease ends', async () => {
    const here = await world()
    const dying = await here.secondProcess()
    const { url, hits } = await receiver(async (_, n) => {
      if (n === 1) await dying.ctx.db.destroy()
      return 200
    })
    const [id = 0] = await queue(here, [
      { url, ordering_key: 'a' },
      { url, ordering_key: 'a' },
    ])
    await worker(dying.ctx)
      .runDue()
      .catch(() => {})
    expect(hits).toHaveLength(1)
    expect(await stateOf(here, id)).toBe('in_flight')
    const survivor = worker(here.ctx)
    here.clock.advance(59)
    expect(await survivor.runDue()).toBe(0)
    here.clock.advance(1)
    expect(await survivor.runDue()).toBe(2)
    expect(hits.map(({ headers }) => headers['webhook-id'])).toEqual([
      `del_${id}`,
      `del_${id}`,
      `del_${id + 1}`,
    ])
    expect(await listAttempts(here.ctx.db, here.account.id, id)).toMatchObject([{ attempt: 1, status: 200 }])
  })

  test('a process that finishes after its lease has ended changes nothing', async () => {
    const here = await world()
    const late = await second(here)
    const { url, hits, release } = await receiver(() => 'hang')
    const [id = 0] = await queue(here, [{ url }])
    const owner: DeliveryKind = {
      delivered: (tx, delivery) => note(tx, `delivered ${delivery.id}`),
      failed: (tx, delivery) => note(tx, `failed ${delivery.id}`),
    }
    const coming = worker(late.ctx, owner).runDue()
    await expect.poll(() => hits.length).toBe(1)
    here.clock.advance(60)
    const taking = worker(here.ctx, owner).runDue()
    await expect.poll(() => hits.length).toBe(2)
    release(410, 1)
    await coming
    expect(await rowOf(here, id)).toMatchObject({ state: 'in_flight', leased_until: here.clock.now() + 60 })
    release(200)
    expect(await taking).toBe(1)
    expect([await stateOf(here, id), await noted(here)]).toEqual(['delivered', [`delivered ${id}`]])
    const tries = await listAttempts(here.ctx.db, here.account.id, id)
    expect(tries.map(({ attempt, status }) => `${attempt} ${status}`)).toEqual(['1 200'])
  })

  test('a worker that is stopped finishes its attempts and returns the other leases at once', async () => {
    const here = await world()
    const { url, hits, release } = await receiver((_, n) => (n <= 4 ? 'hang' : 200))
    const ids = await queue(here, Array(12).fill({ url }))
    const first = worker(here.ctx)
    const running = first.runDue()
    await expect.poll(() => hits.length).toBe(4)
    const stopped = first.deliveries.stop()
    release(200)
    await Promise.all([stopped, running])
    expect(first.outcomes).toHaveLength(4)
    expect(await first.runDue()).toBe(0)
    const rows = await Promise.all(ids.map((id) => rowOf(here, id)))
    expect(
      rows.filter((row) => row.state === 'ready' && row.leased_until === null && row.attempts === 0),
    ).toHaveLength(8)
    expect(await worker((await here.secondProcess()).ctx).runDue()).toBe(8)
    expect(hits).toHaveLength(12)
  })
})

describe('a started worker', () => {
  test('sends when it is woken, and when a delivery becomes due', async () => {
    const here = await world()
    const { url, hits } = await receiver((_, n) => (n === 2 ? 500 : 200))
    const { deliveries } = worker(here.ctx, {}, { poll_ms: 200 })
    deliveries.start()
    await queue(here, [{ url }])
    deliveries.wake()
    await expect.poll(() => hits.length).toBe(1)
    const [failing = 0] = await queue(here, [{ url }])
    await expect.poll(async () => (await rowOf(here, failing)).attempts).toBe(1)
    expect(hits).toHaveLength(2)
    here.clock.advance(6)
    await expect.poll(() => hits.length).toBe(3)
    await deliveries.stop()
    await queue(here, [{ url }])
    deliveries.wake()
    expect(hits).toHaveLength(3)
  })

  onEmbedded('gives a receiver that hangs four connections, and does not delay others', async () => {
    const here = await world()
    const dead = await receiver(() => 'hang')
    const alive = await receiver()
    await queue(
      here,
      // More than one poll reads.
      [...Array(400)].map((_, i) => ({ url: dead.url, ordering_key: `${i}` })),
    )
    await queue(
      here,
      [...Array(60)].map((_, i) => ({ url: alive.url, ordering_key: `${i % 20} alive` })),
    )
    const { deliveries } = worker(here.ctx)
    deliveries.start()
    await expect.poll(() => alive.hits.length).toBe(60)
    expect([dead.state.most, dead.hits.length]).toEqual([4, 4])
    expect(alive.state.most).toBeLessThanOrEqual(4)
    dead.release(500)
  })

  test('claims many deliveries in a few statements', async () => {
    const here = await world()
    const statements: string[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const { url } = await receiver()
    await queue(here, Array(64).fill({ url }))
    const db = here.ctx.db.withPlugin(counting)
    expect(await worker({ ...here.ctx, db }).runDue()).toBe(64)
    // An update and an insert for each outcome, and less than one other statement for each delivery.
    expect(statements.length - 2 * 64).toBeLessThan(64)
  })
})
