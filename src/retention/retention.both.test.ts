import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { times } from '../../test/long.ts'
import { allRows, play, type Rows, remaining, type Step, whats } from '../../test/models/retention-model.ts'
import { type World, world } from '../../test/world.ts'
import { continueIds, nextId } from '../db/dialect.ts'
import { freeSpace } from '../db/free-space.ts'
import { insertRows } from '../db/row-sets.ts'
import { measureDatabase } from '../db/sizes.ts'
import { firstUlidAt } from '../db/ulids.ts'
import { type KindName, kindNames, kindTypes } from './kind-types.ts'
import { planAccounts, planNow } from './plans.ts'

const DAY = 86_400

/** Deletes everything that is due, as the server does once a day. */
async function runNow(all: World): Promise<void> {
  const browser = await all.signIn(all.admin)
  expect((await browser.post('/web/retention/runs')).status).toBe(202)
  await all.app.retention.runDue()
}

async function setDays(all: World, days: Partial<Record<KindName, number | null>>): Promise<void> {
  const browser = await all.signIn(all.admin)
  const answer = await browser.patch('/web/retention', { days })
  expect(answer.status, answer.text).toBe(204)
}

/** Tables that the deletion itself, and signing in, write. */
const ownTables = ['audit_log', 'retention_runs', 'retention_settings', 'sessions', 'settings'] as const

const sorted = (rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows)
      .filter(([table]) => !ownTables.some((own) => own === table))
      .map(([table, list]) => [table, (list as object[]).map((row) => JSON.stringify(row)).sort()]),
  )

describe('A deletion of old rows', () => {
  test('deletes exactly what the rules say, and what the dry run counted', { timeout: 600_000 }, async () => {
    const steps = fc.array(
      fc.record({
        days: fc.integer({ min: 1, max: 60 }),
        what: fc.constantFrom(...whats, 'lead' as const, 'contact' as const, 'message' as const),
        pick: fc.nat(1_000),
      }) satisfies fc.Arbitrary<Step>,
      { minLength: 30, maxLength: 45 },
    )
    const days = fc.record(
      Object.fromEntries(
        kindNames.map((kind) => [
          kind,
          fc.option(fc.integer({ min: kindTypes[kind].least_days, max: 900 }), { freq: 4 }),
        ]),
      ) as Record<KindName, fc.Arbitrary<number | null>>,
    )
    await fc.assert(
      fc.asyncProperty(steps, days, async (history, periods) => {
        const all = await world()
        await play(all, history)
        await setDays(all, periods)
        const browser = await all.signIn(all.admin)
        const before = await allRows(all.ctx)
        const since = Object.fromEntries(
          Object.entries(periods).flatMap(([kind, of]) =>
            of === null ? [] : [[kind, all.clock.now() - of * DAY]],
          ),
        )
        const expected = remaining(before, since)
        const forecast = await browser.post('/web/retention/forecasts', { days: {} })
        await runNow(all)
        const after = await allRows(all.ctx)
        expect(sorted(after)).toEqual(sorted(expected))
        const kept = new Set(after.audit_log.map(({ id }) => id))
        expect(before.audit_log.filter(({ id }) => kept.has(id))).toEqual(expected.audit_log)
        const { deleted, state } = (await browser.get('/web/retention')).body.run
        expect(state).toBe('ended')
        const counted = forecast.body.kinds.flatMap((kind: { kind: string; rows: number }) =>
          kind.rows > 0 ? [[kind.kind, kind.rows]] : [],
        )
        expect(Object.entries(deleted).sort()).toEqual(counted.sort())
      }),
      { numRuns: times(1, 60), endOnFailure: true },
    )
  })
})

/** Writes events that are `days` old. */
async function addEvents({ ctx, account, clock }: World, count: number, days: number): Promise<void> {
  const created_at = clock.now() - days * DAY
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ account_id: account.id, type: 1, entity_type: 'lead', entity_id: 1, created_by: 0, created_at },
    id: firstUlidAt(created_at) + String(i).padStart(16, '0'),
    ...{
      created_by_integration: null,
      value_after: '[]',
      value_before: '[]',
      field_id: null,
      field_name: null,
    },
    ...{ talk_contact_id: null, card_id: null, request_id: 'r' },
  }))
  await ctx.db.transaction().execute((tx) => insertRows(tx, 'events', rows))
}

const countEvents = async ({ ctx }: World): Promise<number> => (await allRows(ctx)).events.length

describe('The process that deletes', () => {
  test('is one at a time, and the next one continues after its lease has ended', async () => {
    const all = await world()
    await setDays(all, { events: 365 })
    await addEvents(all, 600, 400)
    const { retention } = (await all.secondProcess()).app
    expect((await all.admin.browser.post('/web/retention/runs')).status).toBe(202)
    const lease = { lease: 'of a dead process', due_at: all.clock.now() + 60, started_at: all.clock.now() }
    await all.ctx.db.transaction().execute((tx) => tx.updateTable('retention_runs').set(lease).execute())
    await Promise.all([retention.runDue(), all.app.retention.runDue()])
    const { state } = (await all.admin.browser.get('/web/retention')).body.run
    expect([await countEvents(all), state]).toEqual([600, 'running'])
    all.clock.advance(61)
    await Promise.all([retention.runDue(), all.app.retention.runDue()])
    const { run } = (await all.admin.browser.get('/web/retention')).body
    expect([await countEvents(all), run.state, run.deleted]).toEqual([0, 'ended', { events: 600 }])
    expect(run.due_at).toBe(all.clock.now() + DAY)
  })

  onEmbedded(
    'does it once a day for every account, and ends at once when the period becomes longer',
    async () => {
      const all = await world()
      await setDays(all, { events: 365 })
      await addEvents(all, 10, 400)
      await planAccounts(all.ctx)
      await all.app.retention.runDue()
      await addEvents(all, 10, 401)
      await all.app.retention.runDue()
      expect(await countEvents(all)).toBe(10)
      all.clock.advance(DAY)
      await setDays(all, { events: null })
      await all.app.retention.runDue()
      expect(await countEvents(all)).toBe(10)
      const browser = await all.signIn(all.admin)
      const { run } = (await browser.get('/web/retention')).body
      expect([run.state, run.deleted, run.ended_at]).toEqual(['ended', {}, all.clock.now()])
      await setDays(all, { events: 730 })
      all.clock.advance(DAY)
      await all.app.retention.runDue()
      expect(await countEvents(all)).toBe(10)
    },
  )
})

describe('A deleted record', () => {
  test('is gone from the trash, and its id is never used again, not even after a restore', async () => {
    const all = await world()
    const id = await add(all.admin.browser, 'leads', { name: 'Roof' })
    await all.admin.browser.delete(`/web/v4/leads/${id}`)
    await setDays(all, { trash: 30 })
    all.clock.advance(31 * DAY)
    await runNow(all)
    const browser = await all.signIn(all.admin)
    expect((await browser.post(`/web/v4/leads/${id}/restore`)).status).toBe(404)
    expect((await browser.get('/web/v4/leads?filter[trash]=1')).status).toBe(204)
    const events = await browser.get('/web/v4/events?with=lead_name')
    expect([events.status, events.body._embedded.events.length > 0]).toEqual([200, true])
    const next = await all.ctx.db.transaction().execute(async (tx) => {
      await continueIds(tx, 'entities')
      return nextId(tx, 'entities')
    })
    expect(next).toBeGreaterThan(id)
  })
})

test('What belongs to a deleted record is counted where the dry run counted it', async () => {
  const all = await world()
  const { browser } = all.admin
  const [kept, merged] = await addAll(browser, 'leads', [{ name: 'Roof' }, { name: 'Roof', price: 5 }])
  const [task] = await addAll(browser, 'tasks', [
    { text: 'call', complete_till: 1, entity_type: 'leads', entity_id: kept },
  ])
  const note = await add(browser, `leads/${kept}/notes`, { note_type: 'common', params: { text: 'x' } })
  await browser.patch(`/web/v4/leads/${merged}`, { tags_to_add: [{ name: 'old' }] })
  await browser.post('/web/v4/leads/merge', { id: kept, merge: [merged] })
  await browser.delete(`/web/v4/leads/notes/${note}`)
  await browser.delete(`/web/v4/tasks/${task}`)
  await browser.delete(`/web/v4/leads/${kept}`)
  await setDays(all, { trash: 30, merged: 30, notes: 30, tasks: 30, grants: null })
  all.clock.advance(31 * DAY)
  const later = await all.signIn(all.admin)
  const { kinds } = (await later.post('/web/retention/forecasts', { days: {} })).body
  const counted = kinds.map(({ kind, rows }: { kind: string; rows: number }) => [kind, rows])
  await runNow(all)
  const { deleted } = (await later.get('/web/retention')).body.run
  expect(deleted).toEqual({ notes: 1, tasks: 1, merged: 1, trash: 1 })
  expect(Object.fromEntries(counted)).toEqual(deleted)
})

test('A deletion that was planned while the clock was ahead is done when it is put back', async () => {
  const all = await world()
  await setDays(all, { events: 365 })
  await addEvents(all, 3, 400)
  const began = all.clock.now()
  const before = await countEvents(all)
  await all.ctx.db.transaction().execute((tx) => planNow(tx, all.account.id, began + 100 * DAY))
  await all.app.retention.runDue()
  expect(before - (await countEvents(all))).toBe(3)
})

describe('/web/retention', () => {
  onEmbedded(
    'is for administrators, and refuses periods that are too short, too long or of nothing',
    async () => {
      const all = await world()
      const ann = await all.addPerson()
      const ask = {
        'GET /web/retention': undefined,
        'PATCH /web/retention': { days: { events: 365 } },
        'POST /web/retention/forecasts': { days: { events: 365 } },
        'POST /web/retention/runs': undefined,
        'GET /web/retention/sizes': undefined,
      }
      for (const [address, body] of Object.entries(ask)) {
        const [method = '', path = ''] = address.split(' ')
        expect((await all.stranger.send(method, path, body)).status, address).toBe(401)
        expect((await ann.browser.send(method, path, body)).status, address).toBe(403)
      }
      const { browser } = all.admin
      const before = await allRows(all.ctx)
      for (const days of [
        { events: 89 },
        { audit: 364 },
        { events: 36_501 },
        { events: 0.5 },
        { events: '90' },
      ]) {
        for (const answer of [
          await browser.patch('/web/retention', { days }),
          await browser.post('/web/retention/forecasts', { days }),
        ]) {
          expect(answer.status, JSON.stringify(days)).toBe(400)
          expect(JSON.stringify(faultsOf(answer))).toContain(`days.${Object.keys(days)[0]}`)
        }
      }
      expect((await browser.patch('/web/retention', { days: { unknown: 90 } })).status).toBe(400)
      expect((await browser.patch('/web/retention', {})).status).toBe(400)
      const after = await allRows(all.ctx)
      expect([after.retention_settings, after.audit_log]).toEqual([
        before.retention_settings,
        before.audit_log,
      ])
    },
  )

  test('shows the defaults, and records each change and deletion in the audit log', async () => {
    const all = await world()
    const { kinds, run } = (await all.admin.browser.get('/web/retention')).body
    expect(kinds).toEqual(
      kindNames.map((kind) => ({ kind, days: kindTypes[kind].default_days, ...kindTypes[kind] })),
    )
    expect([run.state, run.deleted]).toEqual(['none', {}])
    await setDays(all, { events: 365, audit: null, grants: null })
    await addEvents(all, 3, 400)
    await runNow(all)
    const { body } = await all.admin.browser.get('/web/audit?filter[area]=account')
    const entries = body.entries
      .filter(({ action }: { action: string }) => action.startsWith('retention'))
      .map(({ action, details }: { action: string; details: object }) => [action, details])
    expect(entries.toReversed()).toEqual([
      ['retention.changed', { name: 'events', days: 365 }],
      ['retention.changed', { name: 'grants', for_ever: true }],
      ['retention.started', {}],
      ['retention.applied', { name: 'events', deleted: 3 }],
    ])
  })

  test('shows sizes to the administrator of the only account', async () => {
    const all = await world({ ownServer: true })
    await addEvents(all, 40, 1)
    if (all.ctx.config.database_url) await sql`analyze events`.execute(all.ctx.db)
    const { status, body } = await all.admin.browser.get('/web/retention/sizes')
    const group = body.groups.find(({ group }: { group: string }) => group === 'events')
    expect([status, group.rows, group.bytes > 4_096, body.bytes > group.bytes]).toEqual([200, 40, true, true])
    await all.addAccount('other')
    expect((await all.admin.browser.get('/web/retention/sizes')).status).toBe(204)
  })

  test('gives free pages of the embedded database back', async () => {
    const all = await world({ ownServer: true })
    await addEvents(all, 3_000, 400)
    const full = await measureDatabase(all.ctx.db)
    await setDays(all, { events: 365 })
    await runNow(all)
    await freeSpace(all.ctx.db, 10)
    const { bytes, free_bytes } = await measureDatabase(all.ctx.db)
    if (all.ctx.config.database_url) expect(free_bytes).toBe(0)
    else expect([free_bytes <= 11 * 4_096, bytes < full.bytes * 0.8]).toEqual([true, true])
  })
})
