import { describe, expect, test } from 'vitest'
import { type Client, client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { add, addAll, log, traces } from '../../../test/fixtures/records.ts'
import { itemsOf, subscribed } from '../../../test/fixtures/webhooks.ts'
import { type World, world } from '../../../test/world.ts'

const SETTINGS = '/web/v4/catalogs/products/settings'
const price = (value: number) => [{ field_code: 'PRICE', values: [{ value }] }]

interface Shop extends World {
  browser: Client
  list: number
  tile: number
  beam: number
  /** A lead with two tiles. */
  lead: number
}

/** Products make the prices of leads. A tile costs 12.5, a beam 100. */
async function shop(options: Parameters<typeof world>[0] = {}): Promise<Shop> {
  const all = await world(options)
  const { browser } = all.admin
  const list = (await browser.patch(SETTINGS, { is_enabled: true, sums_leads: true })).body.catalog_id
  const [tile, beam] = (await addAll(browser, `catalogs/${list}/elements`, [
    { name: 'Tile', custom_fields_values: price(12.5) },
    { name: 'Beam', custom_fields_values: price(100) },
  ])) as [number, number]
  const lead = await add(browser, 'leads', {
    name: 'Roof',
    _embedded: { catalog_elements: [{ id: tile, metadata: { quantity: 3 } }] },
  })
  return { ...all, browser, list, tile, beam, lead }
}

const to = (id: number, metadata?: object) => ({
  to_entity_type: 'catalog_elements',
  to_entity_id: id,
  ...(metadata && { metadata }),
})
const pricesIn = async ({ browser }: Shop, id: number) => {
  const { body } = await browser.get(`/web/v4/leads/${id}`)
  return [body.price, body.price_with_minor_units]
}
const sales = async ({ ctx }: Shop, id: number) =>
  (await log(ctx, { entity_id: id }))
    .filter(({ type }) => type === 'sale_field_changed')
    .map(({ after }) => (after as [{ sale_field_value: { sale: number } }])[0].sale_field_value.sale)

describe('The price of a lead with products', () => {
  test('is the sum of quantity by price, and follows links, quantities and prices', async () => {
    const here = await shop()
    const { browser, list, tile, beam, lead } = here
    const link = (...items: object[]) => browser.post(`/web/v4/leads/${lead}/link`, items)
    expect(await pricesIn(here, lead)).toEqual([37, 37.5])
    await link(to(beam), to(tile, { quantity: 2 }))
    expect(await pricesIn(here, lead)).toEqual([125, 125])
    await link(to(tile, { quantity: 2 }))
    await browser.patch(`/web/v4/catalogs/${list}/elements/${beam}`, { custom_fields_values: price(90.1) })
    expect(await pricesIn(here, lead)).toEqual([115, 115.1])
    await browser.post(`/web/v4/leads/${lead}/unlink`, [to(tile)])
    expect(await pricesIn(here, lead)).toEqual([90, 90.1])
    await browser.patch(`/web/v4/leads/${lead}`, {
      _embedded: { catalog_elements: [{ id: tile, metadata: { quantity: 0.5 } }] },
    })
    expect(await pricesIn(here, lead)).toEqual([96, 96.35])
    await browser.post(`/web/v4/leads/${lead}/unlink`, [to(tile), to(beam)])
    expect(await pricesIn(here, lead)).toEqual([0, 0])
    expect(await sales(here, lead)).toEqual([37, 125, 115, 90, 96, 0])
  })

  test('takes the price of the field that a link names, and counts elements of other lists as nothing', async () => {
    const here = await shop()
    const { browser, list, tile, lead } = here
    const [{ id: wholesale }] = (
      await browser.post(`/web/v4/catalogs/${list}/custom_fields`, [{ name: 'Wholesale', type: 'price' }])
    ).body._embedded.custom_fields
    await browser.patch(`/web/v4/catalogs/${list}/elements/${tile}`, {
      custom_fields_values: [{ field_id: wholesale, values: [{ value: 8 }] }],
    })
    await browser.post(`/web/v4/leads/${lead}/link`, [to(tile, { price_id: wholesale })])
    expect(await pricesIn(here, lead)).toEqual([24, 24])
    const [other] = (await addAll(browser, 'catalogs', [{ name: 'Machines' }])) as [number]
    const machine = await add(browser, `catalogs/${other}/elements`, { name: 'Saw' })
    const plain = await add(browser, 'leads', { price: 700 })
    await browser.post(`/web/v4/leads/${plain}/link`, [to(machine)])
    expect(await pricesIn(here, plain)).toEqual([700, 700])
  })

  test('cannot be written by hand, except as it is', async () => {
    const here = await shop()
    const { browser, lead, ctx } = here
    const before = await traces(ctx)
    expect([
      faultsOf(await browser.patch(`/web/v4/leads/${lead}`, { price: 5 })),
      faultsOf(await browser.patch('/web/v4/leads', [{ id: lead, price: 37, request_id: 'q' }])),
    ]).toEqual([
      [400, '0 NotSupportedChoice price'],
      [400, 'q NotSupportedChoice price'],
    ])
    expect(await traces(ctx)).toEqual(before)
    expect((await browser.patch(`/web/v4/leads/${lead}`, { price: 37.5, name: 'Wall' })).status).toBe(200)
    const plain = await add(browser, 'leads', { price: 5 })
    expect((await browser.patch(`/web/v4/leads/${plain}`, { price: 6 })).status).toBe(200)
    await browser.patch(SETTINGS, { sums_leads: false })
    expect((await browser.patch(`/web/v4/leads/${lead}`, { price: 5 })).status).toBe(200)
    expect(await pricesIn(here, lead)).toEqual([5, 5])
  })

  test('follows a product into the trash and back, and stays when the lead is closed', async () => {
    const here = await shop()
    const { browser, list, tile, beam, lead } = here
    const closed = await add(browser, 'leads', {
      status_id: 142,
      _embedded: { catalog_elements: [{ id: tile }] },
    })
    const element = `/web/v4/catalogs/${list}/elements/${tile}`
    await browser.post(`/web/v4/leads/${lead}/link`, [to(beam)])
    await browser.delete(element)
    expect([await pricesIn(here, lead), await pricesIn(here, closed)]).toEqual([
      [100, 100],
      [12, 12.5],
    ])
    await browser.post(`${element}/restore`)
    expect(await pricesIn(here, lead)).toEqual([137, 137.5])
  })

  test('follows the links that a merge moves', async () => {
    const here = await shop()
    const { browser, beam, lead } = here
    const other = await add(browser, 'leads', { _embedded: { catalog_elements: [{ id: beam }] } })
    expect((await browser.post('/web/v4/leads/merge', { id: lead, merge: [other] })).status).toBe(200)
    expect(await pricesIn(here, lead)).toEqual([137, 137.5])
  })

  test('is announced once for each change', async () => {
    const here = await shop({ ownServer: true })
    const { browser, list, tile, beam, lead } = here
    const hook = await subscribed(here, ['add_lead', 'update_lead'])
    const prices = async (change: () => Promise<unknown>) => {
      await change()
      return (await hook.arrived()).flatMap(itemsOf).map((item) => item.price)
    }
    const embedded = { catalog_elements: [{ id: beam }] }
    expect([
      await prices(() => add(browser, 'leads', { _embedded: embedded })),
      await prices(() => browser.post(`/web/v4/leads/${lead}/link`, [to(tile, { quantity: 1 })])),
      await prices(() => browser.patch(`/web/v4/leads/${lead}`, { name: 'Two', _embedded: embedded })),
      await prices(() =>
        browser.patch(`/web/v4/catalogs/${list}/elements/${tile}`, { custom_fields_values: price(13) }),
      ),
      await prices(() => browser.post(`/web/v4/leads/${lead}/link`, [to(tile, { quantity: 1 })])),
    ]).toEqual([['100'], ['12'], ['112'], ['113'], []])
  })

  test('is right after concurrent changes of links and prices', async () => {
    const here = await shop()
    const { browser, list, tile, beam, lead } = here
    const second = process.env.TEST_DATABASE === 'postgres' ? await here.secondProcess() : { app: here.app }
    const two = client(second.app.http, browser.identity)
    for (let round = 1; round <= 6; round++) {
      await Promise.all([
        browser.post(`/web/v4/leads/${lead}/link`, [to(beam, { quantity: round })]),
        two.patch(`/web/v4/catalogs/${list}/elements/${tile}`, { custom_fields_values: price(round) }),
      ])
      expect(await pricesIn(here, lead)).toEqual([103 * round, 103 * round])
    }
  })
})

onEmbedded('products must be enabled before they make prices, and administrators decide', async () => {
  const { admin, addPerson } = await world()
  const sam = (await addPerson()).browser
  expect([
    faultsOf(await admin.browser.patch(SETTINGS, { sums_leads: true })),
    (await admin.browser.patch(SETTINGS, {})).status,
    (await sam.patch(SETTINGS, { sums_leads: true })).status,
  ]).toEqual([[400, '0 NotSupportedChoice sums_leads'], 400, 403])
})
