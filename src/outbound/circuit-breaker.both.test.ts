import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { answering, queue, rowOf, secondOf, stateOf, worker } from '../../test/fixtures/deliveries.ts'
import { runsOn } from '../../test/long.ts'
import { type World, world } from '../../test/world.ts'
import type { CircuitRow } from '../db/tables.ts'
import type { Outcome } from './backoff.ts'
import { circuitAfter, closeCircuit, findCircuits, isOpen } from './circuit-breaker.ts'
import { deleteUnusedCircuits } from './circuit-queries.ts'
import { cancelDeliveries, type DeliveryKind, listAttempts } from './deliveries.ts'
import { RETENTION } from './delivery-queries.ts'

const DAY = 86_400
const CIRCUIT = 'channel:1'
const closed: CircuitRow = {
  ...{ name: CIRCUIT, failures: 0, failing_since: null, tries: 0, state: 'closed', due_at: null },
  ...{ last_success_at: null, last_failure_at: null, last_error: null },
}
/** The same, as its owner sees it. */
const { due_at: _, ...closedStatus } = { ...closed, next_probe_at: null }
const said = (status: number, retry_after: number | null = null): Outcome => ({
  status,
  retry_after,
  error: null,
})
const broken = (error: NonNullable<Outcome['error']>): Outcome => ({ status: null, retry_after: null, error })
/** Without jitter. */
const become = (circuit: CircuitRow, outcome: Outcome, now: number, is_probe = false) =>
  circuitAfter(circuit, outcome, { now, is_probe, opens: true, random: 0.5 })
const failed = (times: number, outcome = said(500)) =>
  Array.from({ length: times }).reduce<CircuitRow>((circuit) => become(circuit, outcome, 100), closed)

describe.runIf(runsOn('sqlite'))('the state of a circuit', () => {
  test.each([
    ...[500, 502, 503, 599, 408, 425, 429, 410, 301, 302, 304, 600].map(
      (status) => [`a ${status}`, said(status)] as const,
    ),
    ...(
      ['dns', 'connect', 'timeout', 'tls', 'reset', 'protocol', 'bad_url', 'forbidden_address'] as const
    ).map((error) => [error, broken(error)] as const),
  ])('%s is a failure: the fifth in a row opens it', (_, outcome) => {
    expect(isOpen(failed(4, outcome))).toBe(false)
    const open = failed(5, outcome)
    expect(open).toMatchObject({ failures: 5, failing_since: 100, tries: 5, last_failure_at: 100 })
    expect([isOpen(open), open.last_error]).toEqual([true, outcome.error ?? String(outcome.status)])
  })

  test.each([200, 202, 400, 401, 403, 404, 413, 422, 499])(
    'a %d is an answer and closes the circuit',
    (status) => {
      for (const circuit of [failed(1), failed(4)])
        expect(become(circuit, said(status), 200)).toMatchObject({
          failures: 0,
          tries: 0,
          state: 'closed',
          due_at: null,
        })
      const shut = become(failed(5), said(status), 200, true)
      expect(shut).toMatchObject({
        failures: 0,
        failing_since: null,
        tries: 0,
        state: 'recovering',
        due_at: 200,
      })
      expect([isOpen(shut), shut.last_success_at]).toEqual([false, status < 300 ? 200 : null])
    },
  )

  test('a fault does not count, and another delivery sends the next probe', () => {
    for (const circuit of [closed, failed(4), failed(5)])
      expect(become(circuit, broken('fault'), 200)).toBe(circuit)
    expect(become(failed(5), broken('fault'), 200, true)).toEqual({ ...failed(5), due_at: 205 })
  })

  test('each failed probe takes a step of the schedule, up to ten minutes', () => {
    let circuit = failed(5)
    const waits = [(circuit.due_at ?? 0) - 100]
    for (let i = 0; i < 8; i++) {
      const now = circuit.due_at ?? 0
      circuit = become(circuit, said(500), now, true)
      waits.push((circuit.due_at ?? 0) - now)
    }
    expect(waits).toEqual([5, 30, 120, 600, 600, 600, 600, 600, 600])
    expect(circuit).toMatchObject({ failures: 13, tries: 13, failing_since: 100 })
  })

  test('an attempt that was in flight at the opening does not postpone the probe, unless the receiver asks for time', () => {
    const open = failed(5)
    expect(become(open, said(500), 101)).toMatchObject({ failures: 5, tries: 6, due_at: 105 })
    expect(become(open, said(503, 8), 101)).toMatchObject({ failures: 5, due_at: 109 })
    expect(become({ ...open, due_at: 300 }, said(503, 8), 101)).toMatchObject({ due_at: 300 })
  })

  test.each([
    // the outcome, and the granted delay: between the step and twice that
    [said(503, 7), 7],
    [said(503, 9999), 10],
    [said(429, 90), 90],
    [said(429, 9999), 120],
    [said(429), 66],
    [broken('timeout'), 66],
    [said(500), 5],
  ])('%j has the next probe go in %d s', (outcome, seconds) => {
    expect(become(failed(4), outcome, 200).due_at).toBe(200 + seconds)
  })

  test('a success of a working endpoint is stored once a minute', () => {
    const well = become(closed, said(200), 1000)
    expect(well).toEqual({ ...closed, last_success_at: 1000 })
    expect(become(well, said(200), 1059)).toBe(well)
    expect(become(well, said(404), 5000)).toBe(well)
    expect(become(well, said(200), 1060)).toEqual({ ...closed, last_success_at: 1060 })
  })
})

/** Queues deliveries of one circuit, each with an ordering key of its own. */
const queueSeparately = (here: World, url: string, lanes: number, more: { circuit?: string } = {}) =>
  queue(
    here,
    Array.from({ length: lanes }, (_, i) => ({
      url: `${url}/${i}`,
      ordering_key: `${i}`,
      circuit: CIRCUIT,
      ...more,
    })),
  )
const circuitIn = async ({ ctx }: World) => {
  const found = (await findCircuits(ctx.db, [CIRCUIT])).get(CIRCUIT)
  if (!found) throw new Error('no circuit')
  return found
}
const waitOf = async (here: World) => ((await circuitIn(here)).next_probe_at ?? 0) - here.clock.now()
/** Moves the clock to the next probe. */
const toProbe = async (here: World) => here.clock.advance(await waitOf(here))

describe('an open circuit', () => {
  test('sends one probe per step, with another delivery each time, and the others use no attempts', async () => {
    const here = await world()
    const { url, hits } = await answering(() => 500)
    const { runDue } = worker(here.ctx)
    const ids = await queueSeparately(here, url, 60)
    const first = await runDue()
    // Attempts that were in flight at the fifth failure count too.
    expect(first >= 5 && first <= 16).toBe(true)
    expect(await circuitIn(here)).toMatchObject({ failures: 5, waiting: 60, last_error: '500', tries: first })
    for (const step of [5, 30, 120, 600, 600, 600]) {
      const wait = await waitOf(here)
      expect([step, wait >= step * 0.8 && wait <= step * 1.2]).toEqual([step, true])
      here.clock.advance(wait - 1)
      expect(await runDue()).toBe(0)
      here.clock.advance(1)
      expect(await runDue()).toBe(1)
    }
    expect(new Set(hits.map(({ path }) => path)).size).toBe(hits.length)
    const tries = await Promise.all(ids.map(async (id) => (await rowOf(here, id)).attempts))
    expect([Math.max(...tries), tries.filter((n) => n === 0).length]).toEqual([1, 60 - hits.length])
  })

  test('stops claimed deliveries that have not begun', async () => {
    const here = await world()
    const { url, hits, release } = await answering(() => 'hang')
    const { runDue } = worker(here.ctx)
    await queueSeparately(here, url, 16)
    const running = runDue()
    for (let i = 1; i <= 5; i++) {
      await expect.poll(() => hits.length).toBe(3 + i)
      release(500, 1)
      await expect.poll(async () => (await circuitIn(here)).tries).toBe(i)
    }
    // One more may have begun before the fifth failure was stored.
    const begun = async () => {
      release(500)
      return [(await circuitIn(here)).tries, hits.length]
    }
    await expect.poll(async () => new Set(await begun()).size).toBe(1)
    expect(await running).toBe(hits.length)
    expect(hits.length).toBeLessThanOrEqual(9)
    expect(await circuitIn(here)).toMatchObject({ failures: 5, waiting: 16 })
  })

  test('is closed by a success: a delivery that would wait for hours is sent too', async () => {
    const here = await world()
    let down = true
    const { url, paths } = await answering(() => (down ? 500 : 200))
    const { runDue, outcomes } = worker(here.ctx)
    const [old = 0] = await queueSeparately(here, `${url}/old`, 1)
    for (let i = 0; i < 7; i++) {
      here.clock.set((await rowOf(here, old)).next_attempt_at)
      while ((await runDue()) === 0) here.clock.advance(60)
    }
    expect((await rowOf(here, old)).next_attempt_at - here.clock.now()).toBeGreaterThan(5000)
    down = false
    here.clock.advance(900)
    const [young] = await queue(here, [{ url: `${url}/young`, ordering_key: 'young', circuit: CIRCUIT }])
    expect([await runDue(), outcomes]).toEqual([2, [`${young} delivered 200`, `${old} delivered 200`]])
    expect(paths().slice(-2)).toEqual(['/young', '/old/0'])
  })

  test('is closed by a success: everything is sent at once, including failed deliveries', async () => {
    const here = await world()
    let down = true
    const { url, hits } = await answering(() => (down ? 500 : 200))
    const { runDue, outcomes } = worker(here.ctx)
    await queueSeparately(here, url, 50)
    for (let i = 0; i < 6; i++) {
      await runDue()
      await toProbe(here)
    }
    down = false
    const before = hits.length
    expect(await runDue()).toBe(50)
    expect([outcomes.length, hits.length - before]).toEqual([50, 50])
    expect(await circuitIn(here)).toEqual({
      ...closedStatus,
      last_success_at: here.clock.now(),
      last_failure_at: expect.any(Number),
      last_error: '500',
      waiting: 0,
    })
    // The circuit needs no more work.
    expect(await here.ctx.db.selectFrom('circuits').select(['state', 'due_at']).execute()).toEqual([
      { state: 'closed', due_at: null },
    ])
  })

  onEmbedded('is closed by a rejected probe: that message fails, and the others are sent', async () => {
    const here = await world()
    let down = true
    const { url } = await answering(({ path }) => (down ? 503 : Number(path.slice(1)) > 4 ? 422 : 200))
    const { runDue, outcomes } = worker(here.ctx)
    const ids = await queueSeparately(here, url, 12)
    await runDue()
    down = false
    await toProbe(here)
    await runDue()
    expect(await circuitIn(here)).toMatchObject({ failures: 0, next_probe_at: null })
    for (const seconds of [6, 36, 36]) {
      here.clock.advance(seconds)
      await runDue()
    }
    expect(outcomes.toSorted()).toEqual(
      ids.map((id, i) => `${id} ${i > 4 ? 'failed refused' : 'delivered 200'}`).toSorted(),
    )
  })

  onEmbedded('is not kept open by a message that crashes the receiver', async () => {
    const here = await world()
    let down = true
    const { url } = await answering(({ path }) => (down || path === '/0' ? 500 : 200))
    const { runDue, outcomes } = worker(here.ctx)
    const ids = await queueSeparately(here, url, 20)
    await runDue()
    down = false
    await toProbe(here)
    await runDue()
    // The delivery that has just failed follows its own schedule.
    here.clock.advance(6)
    await runDue()
    expect(outcomes).toHaveLength(19)
    expect(await stateOf(here, ids[0] ?? 0)).toBe('ready')
  })

  onEmbedded('leaves a single message its eleven attempts in about a day', async () => {
    const here = await world()
    const { url, hits } = await answering(() => 500)
    const { runDue, outcomes } = worker(here.ctx)
    const [id = 0] = await queueSeparately(here, url, 1)
    const started = here.clock.now()
    while ((await rowOf(here, id)).ended_at === null) {
      await runDue()
      here.clock.advance(60)
    }
    const hours = (here.clock.now() - started) / 3600
    expect([hits.length, outcomes, hours > 18 && hours < 30]).toEqual([11, [`${id} failed exhausted`], true])
  })

  test('does not pause deliveries of another circuit, or without one', async () => {
    const here = await world()
    const { url } = await answering(({ path }) => (path.startsWith('/other') ? 200 : 500))
    const { runDue } = worker(here.ctx)
    await queueSeparately(here, url, 20)
    await runDue()
    await queue(here, [
      { url: `${url}/other`, circuit: 'channel:2' },
      { url: `${url}/other` },
      { url: `${url}/new`, circuit: CIRCUIT },
    ])
    expect(await runDue()).toBe(2)
  })

  test('is probed again when the lease of a lost probe ends', async () => {
    const here = await world()
    const dying = await here.secondProcess()
    let state: 'down' | 'dying' | 'up' = 'down'
    const { url } = await answering(async () => {
      if (state === 'dying') await dying.ctx.db.destroy()
      return state === 'down' ? 500 : 200
    })
    await queueSeparately(here, url, 30)
    const survivor = worker(here.ctx)
    await survivor.runDue()
    await toProbe(here)
    state = 'dying'
    await worker(dying.ctx)
      .runDue()
      .catch(() => {})
    state = 'up'
    here.clock.advance(59)
    // Only deliveries that had failed before were due, and they were paused.
    expect(await survivor.runDue()).toBe(0)
    here.clock.advance(1)
    expect(await survivor.runDue()).toBe(30)
  })

  test('has one probe, however many processes there are', async () => {
    const here = await world()
    const { url, hits } = await answering(() => 500)
    const other = await secondOf(here)
    const workers = [worker(here.ctx), worker(other.ctx)]
    await queueSeparately(here, url, 100)
    await Promise.all(workers.map(({ runDue }) => runDue()))
    for (let i = 0; i < 4; i++) {
      await toProbe(here)
      const before = hits.length
      await Promise.all(workers.map(({ runDue }) => runDue()))
      expect(hits.length - before).toBe(1)
    }
  })
})

describe('an endpoint that is given up', () => {
  /** An owner that cancels everything when its endpoint is given up. */
  const stopping = (here: World, stops: string[]): DeliveryKind => ({
    stopped: async (tx, { circuit }, why) => {
      const gone = await cancelDeliveries(tx, { circuit: circuit ?? '' }, here.clock.now())
      stops.push(`${why} ${gone.length}`)
    },
  })

  test('after a 410, at once', async () => {
    const here = await world()
    const { url, hits } = await answering(() => 410)
    const stops: string[] = []
    const { runDue, outcomes } = worker(here.ctx, stopping(here, stops))
    const [first] = await queue(
      here,
      ['a', 'a', 'a', 'b'].map((lane) => ({ url, ordering_key: lane, circuit: CIRCUIT })),
    )
    await runDue()
    expect([outcomes.includes(`${first} failed gone`), stops[0]?.startsWith('gone')]).toEqual([true, true])
    // The other one may have been in flight.
    expect(hits.length).toBeLessThanOrEqual(2)
    const states = await here.ctx.db.selectFrom('deliveries').select('state').execute()
    expect(states).toEqual(Array(4).fill({ state: 'failed' }))
    expect(await circuitIn(here)).toMatchObject({ waiting: 0, last_error: '410' })
  })

  onEmbedded('after five days of only failures in at least ten attempts', async () => {
    const here = await world()
    const { url } = await answering(() => 500)
    const stops: string[] = []
    const { runDue } = worker(here.ctx, stopping(here, stops))
    await queueSeparately(here, url, 200)
    const since = here.clock.now()
    while (stops.length === 0) {
      await runDue()
      await toProbe(here)
      if (here.clock.now() - since < 4 * DAY) here.clock.advance(DAY / 4)
    }
    const took = here.clock.now() - since
    expect([took >= 5 * DAY, took <= 5 * DAY + 2000, stops[0]?.startsWith('dead')]).toEqual([
      true,
      true,
      true,
    ])
    expect(
      await here.ctx.db.selectFrom('deliveries').select('id').where('ended_at', 'is', null).execute(),
    ).toEqual([])
  })

  test('not after an answer, nor after fewer than ten attempts', () => {
    const open = { ...failed(5), failing_since: 0, tries: 8 }
    expect(become(open, said(500), 6 * DAY, true).tries).toBe(9)
    expect(become(open, said(404), 6 * DAY, true)).toMatchObject({ failing_since: null, tries: 0 })
  })

  test('and then resumed by a person: waiting deliveries are due, and the five days start again', async () => {
    const here = await world()
    let down = true
    const { url } = await answering(() => (down ? 500 : 200))
    const { runDue } = worker(here.ctx)
    await queueSeparately(here, url, 30)
    await runDue()
    down = false
    expect(await runDue()).toBe(0)
    await here.ctx.db.transaction().execute((tx) => closeCircuit(tx, CIRCUIT, here.clock.now()))
    expect(await circuitIn(here)).toMatchObject({
      failures: 0,
      failing_since: null,
      next_probe_at: null,
      waiting: 30,
    })
    // The deliveries that had just failed are attempted again within a minute.
    const sent = await runDue()
    expect(sent).toBeGreaterThanOrEqual(14)
    here.clock.advance(6)
    expect(sent + (await runDue())).toBe(30)
  })

  test('is resumed: leased deliveries and unused circuits do not change', async () => {
    const here = await world()
    const { url } = await answering(() => 500)
    await queueSeparately(here, url, 20)
    await worker(here.ctx).runDue()
    const [id = 0] = await queue(here, [{ url, circuit: CIRCUIT }])
    // The clock of the other process is ahead.
    const lease = here.clock.now() + 70
    await here.ctx.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('deliveries')
          .set({ state: 'in_flight', leased_until: lease, next_attempt_at: lease })
          .where('id', '=', id)
          .execute(),
      )
    await here.ctx.db.transaction().execute((tx) => closeCircuit(tx, CIRCUIT, here.clock.now()))
    expect(await rowOf(here, id)).toMatchObject({ leased_until: lease, next_attempt_at: lease })
    await here.ctx.db.transaction().execute((tx) => closeCircuit(tx, 'channel:9', here.clock.now()))
    expect((await findCircuits(here.ctx.db, ['channel:9'])).get('channel:9')).toEqual({
      ...closedStatus,
      name: 'channel:9',
      waiting: 0,
    })
  })
})

describe('cancelling', () => {
  test('ends the pending deliveries of a circuit, or of one account in it, and drops later outcomes', async () => {
    const here = await world()
    const other = await here.addAccount('other')
    const { url, hits, release } = await answering(() => 'hang')
    const { runDue } = worker(here.ctx)
    const drafts = ['a', 'a', 'b'].map((lane) => ({ url, ordering_key: lane, circuit: CIRCUIT }))
    const mine = await queue(here, drafts)
    const theirs = await queue(here, [{ url, circuit: CIRCUIT, account_id: other.id }])
    const [apart = 0] = await queue(here, [{ url, circuit: 'channel:2', ordering_key: 'c' }])
    const running = runDue()
    await expect.poll(() => hits.length).toBe(4)
    const cancel = (of: { circuit: string; account_id?: number }) =>
      here.ctx.db.transaction().execute((tx) => cancelDeliveries(tx, of, here.clock.now()))
    expect(await cancel({ circuit: CIRCUIT, account_id: here.account.id })).toEqual(
      mine.map((id, i) => ({ id, account_id: here.account.id, kind: 'test', subject: `s${i}` })),
    )
    expect((await cancel({ circuit: CIRCUIT })).map(({ id }) => id)).toEqual(theirs)
    expect(await cancel({ circuit: CIRCUIT })).toEqual([])
    release(200)
    await running
    expect(await stateOf(here, apart)).toBe('delivered')
    for (const id of [...mine, ...theirs]) {
      expect(await rowOf(here, id)).toMatchObject({
        state: 'failed',
        ended_at: here.clock.now(),
        attempts: 0,
      })
      expect(await listAttempts(here.ctx.db, here.account.id, id)).toEqual([])
    }
  })
})

test('a circuit without attempts for 30 days is deleted, unless a delivery waits for it', async () => {
  const here = await world()
  const { url } = await answering(({ path }) => (path === '/ok' ? 200 : 500))
  const { runDue } = worker(here.ctx)
  await queue(here, [
    { url: `${url}/ok`, circuit: 'unused' },
    { url, circuit: 'waiting' },
  ])
  await runDue()
  const names = async () =>
    (await here.ctx.db.selectFrom('circuits').select('name').orderBy('name').execute()).map((row) => row.name)
  const forget = (seconds: number) =>
    here.ctx.db
      .transaction()
      .execute((tx) => deleteUnusedCircuits(tx, here.clock.now() + seconds - RETENTION))
  expect([await forget(30 * DAY), await names()]).toEqual([0, ['unused', 'waiting']])
  expect([await forget(30 * DAY + 1), await names()]).toEqual([1, ['waiting']])
})
