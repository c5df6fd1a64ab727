import { describe, expect, test } from 'vitest'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { type Person, type World, world } from '../../test/world.ts'

const BASE = 'http://demo.localhost:8080'
const TARGET = 'https://shop.example/sale?utm=1#top'

const draft = (entity_id: number, url = TARGET) => ({ url, metadata: { entity_type: 'contacts', entity_id } })

/** The path of a new short link. */
async function shortLink({ browser }: Person, contact: number, url = TARGET): Promise<string> {
  const { body } = await browser.post('/web/v4/short_links', [draft(contact, url)])
  return body._embedded.short_links[0].url.slice(BASE.length)
}

const followed = async ({ ctx }: World) => {
  const notes = await ctx.db
    .selectFrom('notes')
    .select(['id', 'entity_type', 'entity_id', 'params', 'created_by', 'responsible_user_id'])
    .where('note_type', '=', 'link_followed')
    .orderBy('id')
    .execute()
  return notes.map((note) => ({ ...note, params: JSON.parse(note.params) }))
}

describe('POST /short_links', () => {
  test('returns a short address on the account’s host for each contact', async () => {
    const { admin, account } = await world()
    const contact = await add(admin.browser, 'contacts')
    const answer = await admin.browser.post('/web/v4/short_links', [
      { ...draft(contact), request_id: 'r' },
      draft(contact, 'http://shop.example'),
    ])
    const metadata = { entity_type: 'contacts', entity_id: contact }
    const url = expect.stringMatching(/^http:\/\/demo\.localhost:8080\/s\/[A-Za-z0-9]{12}$/)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: { self: { href: `${BASE}/web/v4/short_links` } },
        _embedded: {
          short_links: [
            { url, account_id: account.id, metadata, request_id: 'r' },
            { url, account_id: account.id, metadata, request_id: '1' },
          ],
        },
      },
    ])
  })

  test('accepts one link without an array, and answers with a list', async () => {
    const { admin } = await world()
    const contact = await add(admin.browser, 'contacts')
    const answer = await admin.browser.post('/web/v4/short_links', draft(contact))
    const links = answer.body._embedded?.short_links
    expect([answer.status, links?.length, links?.[0].metadata.entity_id]).toEqual([200, 1, contact])
    expect((await admin.browser.post('/web/v4/short_links', { url: TARGET })).status).toBe(400)
  })

  test('ignores other metadata, even if it is named like a column', async () => {
    const { ctx, admin, account, addAccount } = await world()
    const other = await addAccount('other')
    const { url, metadata } = draft(await add(admin.browser, 'contacts'))
    const more = { account_id: other.id, token: 'mine', created_by: 99, '': 1, nothing: 1 }
    const answer = await admin.browser.post('/web/v4/short_links', [
      { url, metadata: { ...metadata, ...more } },
    ])
    const [shown] = answer.body._embedded.short_links
    expect([answer.status, shown.account_id, shown.metadata]).toEqual([200, account.id, metadata])
    const rows = await ctx.db
      .selectFrom('short_links')
      .select(['account_id', 'token', 'created_by'])
      .execute()
    expect(rows).toEqual([{ account_id: account.id, token: shown.url.slice(-12), created_by: admin.id }])
  })

  test.each<[string, (contact: number) => object, string, string]>([
    ['a script', (id) => draft(id, 'javascript:alert(1)'), 'url', 'InvalidFormat'],
    ['data', (id) => draft(id, 'data:text/html,x'), 'url', 'InvalidFormat'],
    ['a path', (id) => draft(id, '//shop.example'), 'url', 'InvalidFormat'],
    ['a URL with a password', (id) => draft(id, 'https://a:b@shop.example'), 'url', 'InvalidFormat'],
    [
      'a URL that becomes too long',
      (id) => draft(id, `https://a.b/${'ü'.repeat(1_000)}`),
      'url',
      'InvalidFormat',
    ],
    ['a URL that is too long', (id) => draft(id, `https://a.b/${'x'.repeat(2_048)}`), 'url', 'TooLong'],
    ['no address', (id) => ({ metadata: draft(id).metadata }), 'url', 'FieldMissing'],
    ['an unknown contact', () => draft(999_999), 'metadata.entity_id', 'NotSupportedChoice'],
    [
      'a lead',
      (id) => ({ url: TARGET, metadata: { entity_type: 'leads', entity_id: id } }),
      'metadata.entity_type',
      'NotSupportedChoice',
    ],
  ])('refuses %s with its path, and stores nothing of the batch', async (_what, bad, path, code) => {
    const { admin, ctx } = await world()
    const contact = await add(admin.browser, 'contacts')
    const body = [draft(contact), { ...bad(contact), request_id: 'bad' }]
    const answer = await admin.browser.post('/web/v4/short_links', body)
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: 'bad', errors: [{ code, path, detail: expect.any(String) }] }],
    ])
    expect(await ctx.db.selectFrom('short_links').selectAll().execute()).toEqual([])
  })

  test('requires the right to change the contact; unknown ids are refused in the same way', async () => {
    const { admin, addPerson, addAccount, stranger, ctx } = await world()
    const contact = await add(admin.browser, 'contacts')
    const ann = await addPerson({
      rights: { contacts: { view: 'A', edit: 'M', add: 'A', delete: 'D', export: 'D' } },
    })
    const bob = await addPerson({
      rights: { contacts: { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } },
    })
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const ask = async ({ browser }: Pick<Person, 'browser'>, id: number) =>
      (await browser.post('/web/v4/short_links', [draft(id)])).status
    expect([
      await ask({ browser: stranger }, contact),
      await ask(ann, contact),
      await ask(bob, contact),
      await ask(bob, 999_999),
      await ask(other, contact),
    ]).toEqual([401, 403, 403, 403, 400])
    expect(await ctx.db.selectFrom('short_links').selectAll().execute()).toEqual([])
    const many = await admin.browser.post('/web/v4/short_links', Array(251).fill(draft(contact)))
    expect(many.status).toBe(400)
  })
})

describe('GET /s/{token}', () => {
  test('redirects to the stored address and records an event on the contact without an author', async () => {
    const all = await world()
    const { admin, stranger, ctx } = all
    const contact = await add(admin.browser, 'contacts')
    const path = await shortLink(admin, contact)
    const known = (await log(ctx)).length
    const answer = await stranger.get(`${path}?url=https://evil.example`)
    const {
      location,
      'referrer-policy': policy,
      'cache-control': cache,
      'set-cookie': cookie,
    } = answer.headers
    expect([answer.status, location, policy, cache, cookie, answer.text]).toEqual([
      302,
      TARGET,
      'no-referrer',
      'no-store',
      undefined,
      '',
    ])
    const [note] = await followed(all)
    expect(note).toEqual({
      id: note?.id,
      entity_type: 'contacts',
      entity_id: contact,
      params: { url: TARGET },
      created_by: 0,
      responsible_user_id: admin.id,
    })
    expect((await log(ctx)).slice(known)).toEqual([
      {
        type: 'link_followed',
        entity: ['contact', contact],
        by: 0,
        before: [],
        after: [{ note: { id: note?.id } }],
      },
    ])
  })

  test('records nothing for HEAD and browser prefetches', async () => {
    const all = await world()
    const path = await shortLink(all.admin, await add(all.admin.browser, 'contacts'))
    const host = all.stranger.identity.host
    const head = await all.app.http.inject({ method: 'HEAD', url: path, headers: { host } })
    const ahead = await all.stranger.get(path, { 'sec-purpose': 'prefetch;prerender' })
    expect([head.statusCode, head.headers.location, ahead.status]).toEqual([302, TARGET, 302])
    expect(await followed(all)).toEqual([])
  })

  test('works on a host without an account, but not on the host of another account', async () => {
    const all = await world()
    await all.addAccount('other')
    const path = await shortLink(all.admin, await add(all.admin.browser, 'contacts'))
    const at = async (host: string) => (await all.stranger.as({ host }).get(path)).status
    expect([await at('localhost:8080'), await at('other.localhost:8080')]).toEqual([302, 404])
    expect(await followed(all)).toHaveLength(1)
  })

  test('shows a page for an unknown token, in the language of the browser', async () => {
    const { stranger } = await world()
    for (const path of ['/s/AAAAAAAAAAAA', '/s/x', `/s/${'x'.repeat(199)}`, '/s/%F0%9F%98%80']) {
      const answer = await stranger.get(path, { 'accept-language': 'zh-TW, pt-BR;q=0.9, en' })
      expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(answer.text).toMatch(/<html lang="pt">.*<h1>Página não encontrada<\/h1>/s)
    }
  })

  test('redirects without an event if the contact is in the trash, and records a merged contact’s events on the remaining one', async () => {
    const all = await world()
    const { browser } = all.admin
    const contacts = [
      await add(browser, 'contacts'),
      await add(browser, 'contacts'),
      await add(browser, 'contacts'),
    ] as const
    const path = await shortLink(all.admin, contacts[0])
    await browser.post('/web/v4/contacts/merge', { id: contacts[1], merge: [contacts[0]] })
    await browser.post('/web/v4/contacts/merge', { id: contacts[2], merge: [contacts[1]] })
    expect((await all.stranger.get(path)).status).toBe(302)
    expect((await followed(all)).map(({ entity_id }) => entity_id)).toEqual([contacts[2]])
    await browser.delete(`/web/v4/contacts/${contacts[2]}`)
    const before = await traces(all.ctx)
    expect([(await all.stranger.get(path)).status, await traces(all.ctx)]).toEqual([302, before])
  })

  test('always redirects, but records only a documented number of visits', async () => {
    const all = await world({ env: { RATE_LIMITS: 'on' } })
    const path = await shortLink(all.admin, await add(all.admin.browser, 'contacts'))
    const statuses = new Set<number>()
    for (let i = 0; i < 150; i++) statuses.add((await all.stranger.get(path)).status)
    expect([[...statuses], (await followed(all)).length]).toEqual([[302], 20])
  })
})
