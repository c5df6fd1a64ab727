import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

const namesOf = (body: { _embedded: Record<string, { name: string }[]> }, type = 'leads') =>
  body._embedded[type]?.map(({ name }) => name)

const list = async (caller: Client, query: string, type = 'leads') => {
  const answer = await caller.get(`/web/v4/${type}?${query}`)
  if (answer.status >= 300) throw new Error(answer.text)
  return namesOf(answer.body, type)
}

/** Five leads that differ in everything by which lists are filtered. */
async function shop(): Promise<World & { ann: number }> {
  const all = await world()
  const { admin, addPerson, clock } = all
  const ann = (await addPerson()).id
  const drafts = [
    { name: 'One', price: 100 },
    { name: 'Two', price: 200, responsible_user_id: ann },
    { name: 'Three', price: 300, status_id: 142 },
    { name: 'Four, and more', price: 400, responsible_user_id: ann, status_id: 143 },
    { name: 'Five', price: 500 },
  ]
  for (const draft of drafts) {
    clock.advance(10)
    await add(admin.browser, 'leads', draft)
  }
  return { ...all, ann }
}

describe('Lists', () => {
  test('are sorted by id, with links to the previous and next page', async () => {
    const { admin } = await shop()
    const at = (query: string) => ({ href: `http://demo.localhost:8080/web/v4/leads?${query}` })
    const first = (await admin.browser.get('/web/v4/leads?limit=2')).body
    expect([first._page, namesOf(first), first._links]).toEqual([
      1,
      ['One', 'Two'],
      { self: at('limit=2&page=1'), next: at('limit=2&page=2&position=2.2.2') },
    ])
    const second = (await admin.browser.get(first._links.next.href)).body
    expect([second._page, namesOf(second), second._links]).toEqual([
      2,
      ['Three', 'Four, and more'],
      {
        self: at('limit=2&page=2'),
        next: at('limit=2&page=3&position=3.4.4'),
        first: at('limit=2&page=1'),
        prev: at('limit=2&page=1'),
      },
    ])
    const third = (await admin.browser.get(second._links.next.href)).body
    expect([namesOf(third), third._links.next]).toEqual([['Five'], undefined])
  })

  test('also support page numbers, and ignore the position of another page', async () => {
    const { admin } = await shop()
    expect(await list(admin.browser, 'limit=2&page=2')).toEqual(['Three', 'Four, and more'])
    expect(await list(admin.browser, 'limit=2&page=3&position=2.2.2')).toEqual(['Five'])
    expect(await list(admin.browser, 'limit=2&page=9')).toEqual([])
    expect(await list(admin.browser, 'limit=2&page=0')).toEqual(['One', 'Two'])
    expect(await list(admin.browser, 'limit=2&position=x')).toEqual(['One', 'Two'])
  })

  test.each([
    ['id', 'asc', ['One', 'Two', 'Three', 'Four, and more', 'Five']],
    ['id', 'desc', ['Five', 'Four, and more', 'Three', 'Two', 'One']],
    ['created_at', 'desc', ['Five', 'Four, and more', 'Three', 'Two', 'One']],
    ['updated_at', 'desc', ['One', 'Five', 'Four, and more', 'Three', 'Two']],
    ['updated_at', 'asc', ['Two', 'Three', 'Four, and more', 'Five', 'One']],
  ])('sorted by %s, %s, each record occurs once across the pages', async (column, direction, names) => {
    const { admin, clock } = await shop()
    clock.advance(100)
    await admin.browser.patch('/web/v4/leads/1', { price: 1 })
    let url: string | undefined = `/web/v4/leads?limit=2&order[${column}]=${direction}`
    const seen: string[] = []
    while (url) {
      const { body }: Answer = await admin.browser.get(url)
      seen.push(...(namesOf(body) ?? []))
      url = body._links.next?.href
    }
    expect(seen).toEqual(names)
  })

  test('each row occurs exactly once while rows are being added', async () => {
    const { admin } = await world()
    await addAll(
      admin.browser,
      'leads',
      Array.from({ length: 20 }, (_, i) => ({ name: `old ${i}` })),
    )
    const seen: string[] = []
    let url: string | undefined = '/web/v4/leads?limit=3&order[created_at]=desc'
    while (url) {
      const { body }: Answer = await admin.browser.get(url)
      seen.push(...(namesOf(body) ?? []))
      await add(admin.browser, 'leads', { name: 'new', created_at: BEGINNING + 1_000 })
      url = body._links.next?.href
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => `old ${19 - i}`))
  })

  test.each<[string, (world: { ann: number }) => string, string[]]>([
    ['ids', () => 'filter[id][]=2&filter[id][]=4', ['Two', 'Four, and more']],
    ['ids with commas', () => 'filter[id]=5,1', ['One', 'Five']],
    ['a name, whole', () => 'filter[name]=One', ['One']],
    ['a name with a comma', () => `filter[name]=${encodeURIComponent('Four, and more')}`, ['Four, and more']],
    ['names', () => 'filter[name][]=One&filter[name][]=Five', ['One', 'Five']],
    ['a price', () => 'filter[price]=300', ['Three']],
    [
      'a range of prices',
      () => 'filter[price][from]=200&filter[price][to]=400',
      ['Two', 'Three', 'Four, and more'],
    ],
    ['an open range', () => 'filter[price][from]=400', ['Four, and more', 'Five']],
    ['a person', ({ ann }) => `filter[responsible_user_id]=${ann}`, ['Two', 'Four, and more']],
    ['stages', () => 'filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=142', ['Three']],
    [
      'two stages',
      () =>
        'filter[statuses][0][pipeline_id]=1&filter[statuses][0][status_id]=142&filter[statuses][1][pipeline_id]=1&filter[statuses][1][status_id]=143',
      ['Three', 'Four, and more'],
    ],
    ['a stage of any pipeline', () => 'filter[statuses][0][status_id]=142', ['Three']],
    [
      'several stages of any pipeline',
      () => 'filter[statuses][0][status_id][]=142&filter[statuses][0][status_id][]=143',
      ['Three', 'Four, and more'],
    ],
    ['a stage as a plain id', () => 'filter[statuses]=142', ['Three']],
    [
      'stages as plain ids',
      () => 'filter[statuses][]=142&filter[statuses][]=143',
      ['Three', 'Four, and more'],
    ],
    [
      'pairs without numbers',
      () =>
        [142, 143]
          .map((id) => `filter[statuses][][pipeline_id]=1&filter[statuses][][status_id]=${id}`)
          .join('&'),
      ['Three', 'Four, and more'],
    ],
    ['a stage that does not exist', () => 'filter[statuses][0][status_id]=999', []],
    ['a pipeline', () => 'filter[pipeline_id][]=1', ['One', 'Two', 'Three', 'Four, and more', 'Five']],
    ['another pipeline', () => 'filter[pipeline_id][]=2', []],
    [
      'its creation time',
      () => `filter[created_at][from]=${BEGINNING + 20}&filter[created_at][to]=${BEGINNING + 30}`,
      ['Two', 'Three'],
    ],
    [
      'its creation time in milliseconds',
      () => `filter[created_at][from]=${BEGINNING + 20}000&filter[created_at][to]=${BEGINNING + 30}999`,
      ['Two', 'Three'],
    ],
    ['when it was closed', () => `filter[closed_at][from]=${BEGINNING + 40}`, ['Four, and more']],
    [
      'an unknown name',
      () => 'filter[anything]=1&filter[statusus]=2',
      ['One', 'Two', 'Three', 'Four, and more', 'Five'],
    ],
    ['two filters at once', ({ ann }) => `filter[responsible_user_id]=${ann}&filter[price][to]=300`, ['Two']],
    ['no open tasks', () => 'filter[tasks]=1&filter[price][to]=200', ['One', 'Two']],
    ['open tasks', () => 'filter[tasks]=2', []],
    ['a word', () => 'query=four', ['Four, and more']],
    ['beginnings of words', () => 'query=fo+mo', ['Four, and more']],
    ['words that nothing has', () => 'query=four+five', []],
    ['no word at all', () => 'query=...', []],
    ['an empty search', () => 'query=', ['One', 'Two', 'Three', 'Four, and more', 'Five']],
  ])('are filtered by %s', async (_what, query, names) => {
    const all = await shop()
    expect(await list(all.admin.browser, query(all))).toEqual(names)
  })

  onEmbedded.each([
    ['filter[id]=x', 'filter.id', 'InvalidType'],
    ['filter[price]=1e400', 'filter.price', 'InvalidType'],
    ['filter[created_at][from]=yesterday', 'filter.created_at.from', 'InvalidType'],
    ['filter[created_at][from][x]=1', 'filter.created_at.from', 'InvalidType'],
    ['filter[statuses]=won', 'filter.statuses', 'InvalidType'],
    ['filter[statuses]=', 'filter.statuses', 'FieldMissing'],
    ['filter[statuses][]=', 'filter.statuses.0', 'FieldMissing'],
    ['filter[statuses][]=won', 'filter.statuses.0', 'InvalidType'],
    ['filter[statuses][0][pipeline_id]=1', 'filter.statuses.0.status_id', 'FieldMissing'],
    [
      'filter[statuses][0][pipeline_id][]=1&filter[statuses][0][pipeline_id][]=2&filter[statuses][0][status_id]=142',
      'filter.statuses.0.pipeline_id',
      'InvalidType',
    ],
    ['filter[tasks]=3', 'filter.tasks', 'NotSupportedChoice'],
    ['order[id]=up', 'order.id', 'NotSupportedChoice'],
    ['limit=251', 'limit', 'OutOfRange'],
    ['page=-1', 'page', 'OutOfRange'],
  ])('%s is rejected by name', async (query, path, code) => {
    const { admin } = await world()
    const answer = await admin.browser.get(`/web/v4/leads?${query}`)
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '0', errors: [{ code, path, detail: expect.any(String) }] }],
    ])
  })

  test('people are found by the last digits of their telephone number in any notation', async () => {
    const { admin } = await world()
    await add(admin.browser, 'contacts', {
      name: 'Ann',
      custom_fields_values: [
        { field_code: 'PHONE', values: [{ value: '+7 (912) 345-67-89', enum_code: 'WORK' }] },
        { field_code: 'EMAIL', values: [{ value: 'Ann@Shop.example', enum_code: 'WORK' }] },
      ],
    })
    for (const query of [
      '79123456789',
      '8 912 345 67 89',
      '9123456789',
      '345-67-89',
      'ann@shop.example',
      'shop',
    ])
      expect([query, await list(admin.browser, `query=${encodeURIComponent(query)}`, 'contacts')]).toEqual([
        query,
        ['Ann'],
      ])
    expect(await list(admin.browser, 'query=9123456780', 'contacts')).toEqual([])
  })

  test('people are found by their telephone number also if a description before it has many words', async () => {
    const { browser } = (await world()).admin
    const field = { name: 'About', type: 'textarea', sort: 1 }
    const [{ id: field_id }] = (await browser.post('/web/v4/contacts/custom_fields', [field])).body._embedded
      .custom_fields
    const about = Array.from({ length: 130 }, (_, i) => `word${i}`).join(' ')
    await add(browser, 'contacts', {
      name: 'Ann',
      custom_fields_values: [
        { field_id, values: [{ value: about }] },
        { field_code: 'PHONE', values: [{ value: '+7 (912) 345-67-89', enum_code: 'WORK' }] },
      ],
    })
    for (const query of ['9123456789', 'word0'])
      expect(await list(browser, `query=${query}`, 'contacts')).toEqual(['Ann'])
  })

  test('lists of another account are separate', async () => {
    const { admin, addAccount, addPerson } = await world()
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    const id = await add(admin.browser, 'leads', { name: 'Ours' })
    expect(await list(other.browser, '')).toEqual([])
    expect((await other.browser.get(`/web/v4/leads/${id}`)).status).toBe(204)
    expect((await other.browser.patch(`/web/v4/leads/${id}`, { name: 'x' })).status).toBe(404)
    expect((await other.browser.delete(`/web/v4/leads/${id}`)).status).toBe(404)
  })

  test('an unpaid account gets 402', async () => {
    const { admin, ctx, account } = await world()
    const id = await add(admin.browser, 'leads')
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: 1 }).where('id', '=', account.id).execute(),
      )
    for (const path of ['leads', `leads/${id}`, 'contacts', 'companies', 'customers'])
      expect([path, (await admin.browser.get(`/web/v4/${path}`)).status]).toEqual([path, 402])
  })
})
