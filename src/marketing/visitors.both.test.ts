import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { type World, type WorldOptions, world } from '../../test/world.ts'

const PAGE = 'https://shop.example/roofs?utm=1'
const UID = '5692210d-58d0-468c-acb2-dce7f93eef87'

const pixel = (url: string = PAGE, uid = UID) => `/px/${uid}.gif?url=${encodeURIComponent(url)}`

const visits = async ({ ctx }: World) => {
  const notes = await ctx.db
    .selectFrom('notes')
    .select(['id', 'entity_type', 'entity_id', 'params', 'created_by'])
    .where('note_type', '=', 'site_visit')
    .orderBy('id')
    .execute()
  return notes.map((note) => ({ ...note, params: JSON.parse(note.params) }))
}

/** The recorded visits: records and pages. */
const seen = async (all: World) => (await visits(all)).map(({ entity_id, params }) => [entity_id, params.url])

async function leadOfVisitor(options: WorldOptions = {}): Promise<World & { lead: number }> {
  const all = await world(options)
  return { ...all, lead: await add(all.admin.browser, 'leads', { visitor_uid: UID }) }
}

describe('The visitor pixel', () => {
  test('is a picture of 43 bytes that every site can embed and nobody caches', async () => {
    const { app, stranger } = await world()
    const { host } = stranger.identity
    const answer = await app.http.inject({ url: pixel(), headers: { host } })
    const { 'content-type': type, 'cache-control': cache, 'content-length': length } = answer.headers
    expect([
      answer.statusCode,
      type,
      cache,
      length,
      answer.rawPayload.subarray(0, 10).toString('latin1'),
    ]).toEqual([200, 'image/gif', 'no-store', '43', 'GIF89a\x01\x00\x01\x00'])
    expect([
      answer.headers['cross-origin-resource-policy'],
      answer.headers['access-control-allow-origin'],
      answer.headers['set-cookie'],
    ]).toEqual(['cross-origin', '*', undefined])
  })

  test('records the visited page on the visitor’s lead, with a note without an author', async () => {
    const all = await leadOfVisitor()
    const known = (await log(all.ctx)).length
    expect((await all.stranger.get(pixel(`${PAGE}#prices`))).status).toBe(200)
    const [note] = await visits(all)
    expect(note).toEqual({
      id: note?.id,
      entity_type: 'leads',
      entity_id: all.lead,
      params: { url: PAGE },
      created_by: 0,
    })
    expect((await log(all.ctx)).slice(known)).toEqual([
      {
        type: 'site_visit_note_added',
        entity: ['lead', all.lead],
        by: 0,
        before: [],
        after: [{ note: { id: note?.id } }],
      },
    ])
  })

  test('records a page at most once per half hour', async () => {
    const all = await leadOfVisitor()
    const look = (url?: string) => all.stranger.get(pixel(url))
    await look()
    await look(`${PAGE}#other-place`)
    await look('https://shop.example/walls')
    all.clock.advance(1_799)
    await look()
    expect((await seen(all)).map(([, url]) => url)).toEqual([PAGE, 'https://shop.example/walls'])
    all.clock.advance(1)
    await look()
    await look()
    expect((await seen(all)).map(([, url]) => url)).toEqual([PAGE, 'https://shop.example/walls', PAGE])
  })

  test('records a page again if the last visit was while the clock was ahead', async () => {
    const all = await leadOfVisitor()
    all.clock.set(all.clock.now() + 86_400)
    await all.stranger.get(pixel())
    all.clock.set(all.clock.now() - 86_400)
    await all.stranger.get(pixel())
    expect((await seen(all)).map(([, url]) => url)).toEqual([PAGE, PAGE])
  })

  test('records concurrent visits once', async () => {
    const all = await leadOfVisitor()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const { host } = all.stranger.identity
    await Promise.all(
      [all.app, second.app, all.app, second.app, all.app, second.app].map(({ http }) =>
        http.inject({ url: pixel(), headers: { host } }),
      ),
    )
    expect(await seen(all)).toEqual([[all.lead, PAGE]])
  })

  test.each([
    ['for an unknown visitor', pixel(PAGE, 'somebody-else')],
    ['for an invalid name', '/px/%2e%2e%2f%27%3b.gif?url=https://a.b'],
    ['for a name that is too long', pixel(PAGE, 'x'.repeat(100))],
    ['without a name', '/px/.gif?url=https://a.b'],
    ['without a page', `/px/${UID}.gif`],
    ['with a script instead of a page', pixel('javascript:alert(1)')],
    ['with a password in the page', pixel('https://a:b@shop.example')],
    ['with a page that is too long', pixel(`https://a.b/${'x'.repeat(3_000)}`)],
    ['with two pages', `/px/${UID}.gif?url=https://a.b&url=https://a.c`],
  ])('%s is sent, and nothing is recorded', async (_what, path) => {
    const all = await leadOfVisitor()
    const before = await traces(all.ctx)
    const { status, headers } = await all.stranger.get(path)
    expect([status, headers['content-type'], headers['content-length']]).toEqual([200, 'image/gif', '43'])
    expect(await traces(all.ctx)).toEqual(before)
  })

  test('has only one address', async () => {
    const { stranger } = await world()
    expect((await stranger.get(`/px/${UID}`)).status).toBe(404)
  })

  test('records nothing for HEAD and browser prefetches', async () => {
    const all = await leadOfVisitor()
    const { host } = all.stranger.identity
    await all.app.http.inject({ method: 'HEAD', url: pixel(), headers: { host } })
    await all.stranger.get(pixel(), { purpose: 'prefetch' })
    expect(await visits(all)).toEqual([])
  })

  test('uses the account of the host, or of the query if the host has none', async () => {
    const all = await leadOfVisitor()
    const other = await all.addPerson({ account: await all.addAccount('other'), is_admin: true })
    const at = (host: string, query = '') => all.stranger.as({ host }).get(pixel() + query)
    await at('localhost:8080')
    await at('other.localhost:8080', '&account=demo')
    expect(await visits(all)).toEqual([])
    await at('localhost:8080', '&account=demo')
    expect(await seen(all)).toEqual([[all.lead, PAGE]])
    const theirs = await add(other.browser, 'contacts', { visitor_uid: UID })
    await at('other.localhost:8080')
    expect(await seen(all)).toEqual([
      [all.lead, PAGE],
      [theirs, PAGE],
    ])
  })

  onEmbedded('is always sent, but records only a documented number of visits', async () => {
    const all = await leadOfVisitor({ env: { RATE_LIMITS: 'on' } })
    const statuses = new Set<number>()
    for (let i = 0; i < 130; i++) statuses.add((await all.stranger.get(pixel(`${PAGE}&${i}`))).status)
    expect([[...statuses], (await visits(all)).length]).toEqual([[200], 20])
  })
})

describe('A visitor', () => {
  test('is bound to the contact or lead that is written with the visitor_uid, new or existing', async () => {
    const all = await world()
    const { browser } = all.admin
    const contact = await add(browser, 'contacts', { visitor_uid: 'one' })
    const lead = await add(browser, 'leads')
    const patch = await browser.patch(`/web/v4/leads/${lead}`, { visitor_uid: 'two' })
    expect(patch.status).toBe(200)
    // Forms send an empty id if the site has not set its cookie.
    await add(browser, 'leads', { visitor_uid: '' })
    await all.stranger.get(pixel(PAGE, 'one'))
    await all.stranger.get(pixel(PAGE, 'two'))
    expect(await seen(all)).toEqual([
      [contact, PAGE],
      [lead, PAGE],
    ])
  })

  test('stays with the first record, even if somebody else uses the visitor_uid', async () => {
    const all = await leadOfVisitor()
    const { browser } = all.admin
    const before = await log(all.ctx)
    const [later, ...rest] = [await add(browser, 'leads'), await add(browser, 'leads')]
    await browser.patch(
      '/web/v4/leads',
      [later, ...rest].map((id) => ({ id, visitor_uid: UID })),
    )
    await all.stranger.get(pixel())
    expect(await seen(all)).toEqual([[all.lead, PAGE]])
    expect((await log(all.ctx)).slice(before.length).map(({ type }) => type)).toEqual([
      'lead_added',
      'lead_added',
      'site_visit_note_added',
    ])
  })

  test('of a lead in the trash is not recorded until another lead has the visitor_uid', async () => {
    const all = await leadOfVisitor()
    const { browser } = all.admin
    await browser.delete(`/web/v4/leads/${all.lead}`)
    const before = await traces(all.ctx)
    await all.stranger.get(pixel())
    expect(await traces(all.ctx)).toEqual(before)
    const next = await add(browser, 'leads', { visitor_uid: UID })
    await all.stranger.get(pixel())
    expect(await seen(all)).toEqual([[next, PAGE]])
  })

  test('of a merged lead is recorded on the remaining one', async () => {
    const all = await leadOfVisitor()
    const { browser } = all.admin
    const survivor = await add(browser, 'leads')
    await browser.post('/web/v4/leads/merge', { id: survivor, merge: [all.lead] })
    await add(browser, 'leads', { visitor_uid: UID })
    await all.stranger.get(pixel())
    expect(await seen(all)).toEqual([[survivor, PAGE]])
  })

  onEmbedded.each<[string, unknown, string]>([
    ['too long', 'x'.repeat(65), 'TooLong'],
    ['with other characters', 'a b', 'InvalidFormat'],
    ['a number', 5, 'InvalidType'],
  ])(
    'with a visitor_uid that is %s is refused with its path, and nothing of the batch is stored',
    async (_what, visitor_uid, code) => {
      const { admin, ctx } = await world()
      const before = await traces(ctx)
      const answer = await admin.browser.post('/web/v4/leads', [
        { visitor_uid: UID },
        { visitor_uid, request_id: 'b' },
      ])
      expect([answer.status, answer.body['validation-errors']]).toEqual([
        400,
        [{ request_id: 'b', errors: [{ code, path: 'visitor_uid', detail: expect.any(String) }] }],
      ])
      expect([await traces(ctx), await ctx.db.selectFrom('visitors').selectAll().execute()]).toEqual([
        before,
        [],
      ])
    },
  )

  test('cannot be bound to other kinds of records, where visitor_uid is an unknown member', async () => {
    const { admin, ctx } = await world()
    await add(admin.browser, 'companies', { visitor_uid: { any: 'thing' } })
    await add(admin.browser, 'customers', { name: 'x', visitor_uid: 'x' })
    expect(await ctx.db.selectFrom('visitors').selectAll().execute()).toEqual([])
  })

  test('visit is deleted once the next one would be recorded', async () => {
    const all = await leadOfVisitor()
    const sweep = all.app.chores.find(({ name }) => name === 'old visits')
    await all.stranger.get(pixel())
    const kept = async () => {
      await sweep?.run()
      return (await all.ctx.db.selectFrom('visits').selectAll().execute()).length
    }
    all.clock.advance(1_799)
    expect(await kept()).toBe(1)
    all.clock.advance(1)
    expect(await kept()).toBe(0)
  })
})
