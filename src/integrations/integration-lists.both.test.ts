import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, consent, register } from '../../test/fixtures/integrations.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

/** A world with two integrations, each with a client that has its token. */
async function withTwo() {
  const here = await world()
  const courier = await register(here.admin, { name: 'Courier' })
  const shop = await register(here.admin, { name: 'Shop' })
  const clientOf = async (one: typeof shop) =>
    here.stranger.as({ token: (await connect(here.stranger, one)).access_token })
  return { ...here, courier, shop, byCourier: await clientOf(courier), byShop: await clientOf(shop) }
}
type Scene = Awaited<ReturnType<typeof withTwo>>

const rowsOf = async (client: Client, path: string): Promise<number[]> => {
  const { status, body, text } = await client.get(path)
  if (status === 204) return []
  if (status !== 200) throw new Error(`${status} ${text}`)
  return (Object.values(body._embedded)[0] as { id: number }[]).map(({ id }) => id)
}

/** Kinds of rows that have such a list: the path of the list, a row, and whether it has totals. */
const lists: [
  what: string,
  place: (scene: Scene) => Promise<[list: string, draft: object]>,
  hasTotals: boolean,
][] = [
  ...(['leads', 'contacts', 'companies', 'customers'] as const).map((type): (typeof lists)[number] => [
    type,
    async () => [type, { name: 'Parcel' }],
    true,
  ]),
  [
    'elements of a list',
    async ({ admin }) => [
      `catalogs/${await add(admin.browser, 'catalogs', { name: 'Goods' })}/elements`,
      { name: 'Box' },
    ],
    true,
  ],
  ['tasks', async () => ['tasks', { text: 'Call', complete_till: 9 }], true],
  [
    'the notes of a record',
    async ({ admin }) => [
      `leads/${await add(admin.browser, 'leads')}/notes`,
      { note_type: 'common', params: { text: 'On its way' } },
    ],
    false,
  ],
]

describe('A list is filtered by the integration that created its rows', () => {
  test.each(lists)('%s', async (_what, place, hasTotals) => {
    const scene = await withTwo()
    const { admin, byCourier, byShop, courier, shop, stranger } = scene
    const [list, draft] = await place(scene)
    const ids: number[] = []
    for (const client of [byCourier, byShop, admin.browser, byCourier])
      ids.push(await add(client, list, draft))
    const [one, two, , four] = ids
    // Changing a row does not make somebody else its creator.
    expect((await admin.browser.patch(`/web/v4/${list}/${one}`, draft)).status).toBe(200)
    expect((await byShop.patch(`/api/v4/${list}/${ids[2]}`, draft)).status).toBe(200)
    const asked = (names: string, more = '') =>
      rowsOf(admin.browser, `/web/v4/${list}?filter[integration]=${names}${more}`)
    expect(await asked(courier.client_id)).toEqual([one, four])
    expect(await asked(`${courier.client_id.toUpperCase()},${courier.client_id}`)).toEqual([one, four])
    expect(await asked(`${courier.client_id},${shop.client_id},x`)).toEqual([one, two, four])
    expect(await asked('x')).toEqual([])
    expect(await asked('1')).toEqual([])
    const whole = await rowsOf(admin.browser, `/web/v4/${list}`)
    expect(whole).toEqual(expect.arrayContaining(ids))
    expect(await asked('')).toEqual(whole)
    // The number of an integration is internal.
    expect(await rowsOf(admin.browser, `/web/v4/${list}?integrations[]=1`)).toEqual(whole)
    expect(await asked(courier.client_id, '&limit=1&page=2')).toEqual([four])
    expect(await asked(courier.client_id, '&order[id]=desc')).toEqual([four, one])
    expect(await asked(courier.client_id, '&order[updated_at]=desc&order[created_at]=desc')).toHaveLength(2)
    if (hasTotals) {
      const totals = await admin.browser.get(
        `/web/v4/${list}/totals?filter[integration]=${courier.client_id}`,
      )
      expect(totals.body.total).toBe(2)
    }
    const many = Array.from({ length: 11 }, (_, i) => `x${i}`).join()
    const refused = await admin.browser.get(`/web/v4/${list}?filter[integration]=${many}`)
    expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([
      400,
      'filter.integration',
    ])
    expect((await stranger.get(`/api/v4/${list}?filter[integration]=${courier.client_id}`)).status).toBe(401)
  })

  test('notes of all records of a kind, and of some types', async () => {
    const { admin, byCourier, courier } = await withTwo()
    const lead = await add(admin.browser, 'leads')
    const common = { note_type: 'common', params: { text: 'On its way' } }
    const cashier = { note_type: 'message_cashier', params: { status: 'shown', text: 'Paid' } }
    const written: number[] = []
    for (const [client, note] of [
      [byCourier, common],
      [admin.browser, common],
      [byCourier, cashier],
    ] as const)
      written.push(await add(client, `leads/${lead}/notes`, note))
    const [one, , three] = written
    const of = `/web/v4/leads/notes?filter[integration]=${courier.client_id}`
    expect(await rowsOf(admin.browser, of)).toEqual([one, three])
    expect(await rowsOf(admin.browser, `${of}&order[updated_at]=desc`)).toHaveLength(2)
    expect(await rowsOf(admin.browser, `${of}&filter[note_type]=message_cashier`)).toEqual([three])
    expect(await rowsOf(admin.browser, `${of}&filter[note_type]=message_cashier,common`)).toEqual([
      one,
      three,
    ])
    const mixed = `${of}&filter[note_type]=message_cashier,common&order[updated_at]=asc`
    expect(await rowsOf(admin.browser, mixed)).toEqual([one, three])
    const card = `/web/v4/leads/${lead}/notes?filter[integration]=${courier.client_id}`
    expect(await rowsOf(admin.browser, `${card}&filter[note_type]=common`)).toEqual([one])
  })

  onEmbedded('exports, bulk changes and the timeline have it too; a segment refuses it', async () => {
    const scene = await withTwo()
    const { admin, byCourier, courier } = scene
    const own = await add(admin.browser, 'leads', { name: 'Mine' })
    const [one, two] = await addAll(byCourier, 'leads', [{ name: 'One' }, { name: 'Two' }])
    const filter = `filter[integration]=${courier.client_id}`
    const lines = (await byCourier.get(`/api/v4/leads?${filter}`, { accept: 'application/x-ndjson' })).text
    const exported = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    expect(exported).toEqual([one, two])
    const job = await admin.browser.post('/web/v4/jobs/bulk_changes', {
      entity_type: 'leads',
      search: `?${filter}`,
      changes: { responsible_user_id: admin.id },
    })
    expect([job.status, job.body.total]).toEqual([200, 2])
    await add(byCourier, `leads/${own}/notes`, { note_type: 'common', params: { text: 'On its way' } })
    const timeline = await admin.browser.get(`/web/v4/leads/${own}/timeline?${filter}`)
    const kinds = timeline.body._embedded.items.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['note'])
    const nothing = await admin.browser.get(`/web/v4/leads/${own}/timeline?filter[integration]=x`)
    expect(nothing.body._embedded.items).toEqual([])
    const changes = await admin.browser.get(`/web/v4/leads/${own}/timeline?${filter}&filter[kind]=change`)
    expect(changes.body._embedded.items).toEqual([])
    const segment = await admin.browser.post('/web/v4/customers/segments', { name: 'Theirs', filter })
    expect([segment.status, segment.text]).toEqual([400, expect.stringContaining('cannot name integrations')])
  })

  test('shows a person what they may see, and knows handles in other accounts', async () => {
    const here = await world({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
    const shop = await register(here.admin, { name: 'Shop', access: 'public' })
    const other = await here.addAccount('other')
    const boss = await here.addPerson({ name: 'Boss', account: other, is_admin: true })
    const { code } = await consent(boss, shop)
    const host = here.ctx.hosts.accountHost('other')
    const token = (await connect(here.stranger.as({ host }), shop, code)).access_token
    const lead = await add(here.stranger.as({ host, token }), 'leads')
    const [known] = (await boss.browser.get('/web/v4/events/integrations')).body._embedded.integrations
    expect(known.id).not.toBe(shop.client_id)
    expect(await rowsOf(boss.browser, `/web/v4/leads?filter[integration]=${known.id}`)).toEqual([lead])
    expect(await rowsOf(here.admin.browser, `/web/v4/leads?filter[integration]=${shop.client_id}`)).toEqual(
      [],
    )
    const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
    const sam = await here.addPerson({ name: 'Sam', account: other, rights: { leads: own } })
    const seen = () => rowsOf(sam.browser, `/web/v4/leads?filter[integration]=${known.id}`)
    expect(await seen()).toEqual([])
    await boss.browser.patch(`/web/v4/leads/${lead}`, { responsible_user_id: sam.id })
    expect(await seen()).toEqual([lead])
  })
})
