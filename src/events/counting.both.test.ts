import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'
import { parseQuery } from '../http/queries/bracket-query.ts'
import { bucketsOf, type Size } from './buckets.ts'
import { countsOf } from './count-queries.ts'
import { readEventFilter } from './filters.ts'
import { rangesOf } from './list-queries.ts'

const at = (text: string) => Date.parse(text) / 1000
const DAY = 86_400

async function counts(caller: Client, query: string) {
  const { status, body, text } = await caller.get(`/web/v4/events/counts?${query}`)
  if (status !== 200) throw new Error(text)
  const { counts } = body._embedded as { counts: { at: number; count: number }[] }
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return { counts, total, complete_from: body.complete_from }
}

describe('Event counts per day', () => {
  test('begin and end at midnight of the time zone', async () => {
    const { admin, clock, signIn } = await world()
    clock.set(at('2026-03-10T22:30:00Z'))
    const browser = await signIn(admin)
    await add(browser, 'leads')
    clock.set(at('2026-03-10T23:30:00Z'))
    await addAll(browser, 'leads', [{}, {}])
    const { counts: days, complete_from } = await counts(browser, 'time_zone=Europe/Madrid')
    expect([days.length, days.at(-2), days.at(-1), complete_from]).toEqual([
      60,
      { at: at('2026-03-09T23:00:00Z'), count: 1 },
      { at: at('2026-03-10T23:00:00Z'), count: 2 },
      null,
    ])
    const utc = await counts(browser, '')
    expect(utc.counts.at(-1)).toEqual({ at: at('2026-03-10'), count: 3 })
    const hours = await counts(browser, 'by=hour&time_zone=Asia/Kathmandu')
    expect([hours.counts.length, hours.total, hours.counts.at(-1)]).toEqual([
      1_440,
      3,
      { at: at('2026-03-10T23:15:00Z'), count: 2 },
    ])
    expect((await browser.get('/web/v4/events/counts?time_zone=Mars/Hole')).status).toBe(400)
    expect((await browser.get('/web/v4/events/counts?by=year')).status).toBe(400)
  })

  test('match the list for the same filter', async () => {
    const place = await world()
    const { admin, clock } = place
    const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
    const ann = await place.addPerson({ name: 'Ann', rights: { leads: all, contacts: all } })
    const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
    const rights = { leads: own, contacts: own }
    const bob = await place.addPerson({ name: 'Bob', rights })
    for (const person of [admin, ann, bob]) {
      const browser = await place.signIn(person)
      const lead = await add(browser, 'leads', { responsible_user_id: person.id, price: 3 })
      await browser.patch(`/web/v4/leads/${lead}`, { price: 5, name: 'Named' })
      await add(browser, 'contacts')
      await add(browser, 'tasks', { text: 'Call', complete_till: 5 })
      clock.advance(DAY)
    }
    const browsers = await Promise.all([admin, ann, bob].map((person) => place.signIn(person)))
    const [first, second] = [clock.now() - 3 * DAY, clock.now() - 2 * DAY]
    const queries = [
      '',
      `filter[created_by]=${bob.id}`,
      `filter[created_by]=${bob.id},${ann.id}&filter[entity]=lead`,
      'filter[type]=lead_added,contact_added,task_added',
      'filter[type]=sale_field_changed&filter[value_after][value]=5',
      `filter[created_at]=${first},${second}`,
      `filter[created_at][from]=${second}`,
      'filter[entity]=task',
    ]
    const many = 'filter[type]=lead_added,contact_added,company_added,customer_added,task_added,lead_deleted,'
    queries.push(
      `${many}contact_deleted,task_deleted,lead_linked,name_field_changed,incoming_call,outgoing_call,link_followed`,
    )
    for (const browser of browsers)
      for (const query of queries) {
        const { body } = await browser.get(`/web/v4/events?limit=250&${query}`)
        for (const by of ['day', 'hour'])
          expect([query, (await counts(browser, `by=${by}&${query}`)).total]).toEqual([
            query,
            body._embedded.events.length,
          ])
      }
  })

  test('begin where the range begins, up to a maximum number of buckets', async () => {
    const { admin, clock } = await world()
    const now = clock.now()
    const short = await counts(admin.browser, `filter[created_at]=${now - 2 * DAY},${now - DAY}`)
    expect([short.counts.length, short.complete_from]).toEqual([2, null])
    const long = await counts(admin.browser, `filter[created_at][from]=0&by=day`)
    expect([long.counts.length, long.complete_from]).toEqual([1_500, long.counts[0]?.at])
    const future = await counts(admin.browser, `filter[created_at][from]=${now + 9 * DAY}`)
    expect([future.counts.length, future.total]).toEqual([0, 0])
  })
})

describe('The days of a time zone', () => {
  const days = (zone: string, from: string, to: string, size: Size = 'day') =>
    [...bucketsOf(size, zone, { from: at(from), to: at(to) }, 100)]
      .reverse()
      .map((one) => (one.end - one.at) / 3_600)

  test('have the length that its clocks give them', () => {
    expect(days('Europe/Madrid', '2026-03-28T00:00Z', '2026-03-30T21:59:59Z')).toEqual([24, 23, 24])
    expect(days('Europe/Madrid', '2026-10-24T00:00Z', '2026-10-26T22:59:59Z')).toEqual([24, 25, 24])
    // In this zone, clocks jump at midnight.
    expect(days('America/Santiago', '2026-09-05T12:00Z', '2026-09-08T02:59:59Z')).toEqual([24, 23, 24])
    expect(days('America/Havana', '2026-10-31T12:00Z', '2026-11-03T04:59:59Z')).toEqual([24, 25, 24])
    expect(days('Asia/Kolkata', '2026-01-01T12:00Z', '2026-01-02T18:29:59Z', 'hour').length).toBe(31)
  })
})

/** SQLite plans without statistics here, so the plans are the same for a million rows. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A chart of the log', () => {
  test.each([
    ['', 'PRIMARY KEY'],
    ['filter[integration]=none', 'COVERING INDEX events_by_integration'],
    ['filter[created_by]=1', 'COVERING INDEX events_by_creator'],
    ['filter[type]=lead_added,nps_rate_added', 'COVERING INDEX events_by_type'],
    ['filter[entity]=lead', 'COVERING INDEX events_by_kind'],
    ['filter[entity]=lead&filter[entity_id]=5', 'COVERING INDEX events_by_entity'],
    ['filter[type]=custom_field_7_value_changed', 'events_by_field'],
  ])('%s uses %s', async (query, index) => {
    const { ctx } = await world()
    const filter = await readEventFilter(ctx, parseQuery(query).filter)
    const ranges = rangesOf(ctx.db, { account_id: 1, filter, direction: 'older', from: null })
    const { sql, parameters } = countsOf(ctx.db, ranges, ['a'.repeat(20)], 9).compile(ctx.db)
    const { rows } = await ctx.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    )
    const searches = rows.map(({ detail }) => detail).filter((step) => step.startsWith('SEARCH'))
    expect(searches.length).toBe(ranges.ranges.length)
    for (const step of searches) {
      expect(step).toContain(index)
      expect(step).toMatch(/id>\? AND id<\?/)
    }
  })
})
