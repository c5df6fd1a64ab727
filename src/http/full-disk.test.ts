import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, log } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { failureOf } from '../db/failures.ts'

/** Lets the database file grow by this many pages. SQLite then reports a full disk. */
const limit = ({ ctx }: World, pages: number) =>
  ctx.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx)
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + pages)}`.execute(tx)
  })

/** Larger than the remaining space. */
const many = Array.from({ length: 250 }, (_, i) => ({ name: `Lead ${i} ${'x'.repeat(200)}` }))

describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A full disk', () => {
  test('refuses writes with 507 and no trace, allows reads, and allows writes when there is space again', async () => {
    const all = await world({ ownDatabase: true })
    const { browser } = all.admin
    const { access_token } = await connect(all.stranger, await register(all.admin))
    const api = all.stranger.as({ token: access_token })
    await api.get('/api/v4/leads')
    const id = await add(browser, 'leads', { name: 'Roof' })
    const known = await log(all.ctx)
    await limit(all, 2)
    for (const headers of [{}, { 'idempotency-key': 'a' }]) {
      const refused = await browser.post('/web/v4/leads', many, headers)
      expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
        507,
        '60',
        {
          title: 'Insufficient Storage',
          type: 'http://demo.localhost:8080/docs/errors#disk_full',
          status: 507,
          detail: 'The disk of the server is full. Nothing can be written.',
          retry_after: 60,
        },
      ])
    }
    expect(all.logged()).toMatch(
      /^\{"level":40,.*"msg":"The disk of the server is full\. Nothing can be written\."/m,
    )
    // Bookkeeping such as the last use must not prevent a read.
    all.clock.advance(2 * 3_600)
    expect((await browser.get(`/web/v4/leads/${id}`)).body.name).toBe('Roof')
    expect((await api.get('/api/v4/leads')).body._embedded.leads.length).toBe(1)
    expect(await log(all.ctx)).toEqual(known)
    await limit(all, 100_000)
    const done = await browser.post('/web/v4/leads', many, { 'idempotency-key': 'a' })
    expect([done.status, done.body._embedded.leads.length]).toEqual([200, 250])
  })
})

test("is recognised by PostgreSQL's error code", () => {
  expect(failureOf(Object.assign(new Error(), { code: '53100' }))).toBe('disk_full')
})
