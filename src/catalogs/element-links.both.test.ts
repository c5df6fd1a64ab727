import { describe, expect, test } from 'vitest'
import { type Client, client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, log, traces } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'

interface Shop extends World {
  browser: Client
  goods: number
  rooms: number
  tile: number
  room: number
  lead: number
}

/** A list of products, and a list of rooms with can_link_multiple false. */
async function shop(): Promise<Shop> {
  const all = await world()
  const { browser } = all.admin
  const drafts = [{ name: 'Goods' }, { name: 'Rooms', can_link_multiple: false }]
  const [goods, rooms] = (await addAll(browser, 'catalogs', drafts)) as [number, number]
  return {
    ...all,
    browser,
    goods,
    rooms,
    tile: await add(browser, `catalogs/${goods}/elements`, { name: 'Tile' }),
    room: await add(browser, `catalogs/${rooms}/elements`, { name: 'Room 1' }),
    lead: await add(browser, 'leads', { name: 'Roof' }),
  }
}

const to = (id: number, metadata?: object) => ({
  to_entity_type: 'catalog_elements',
  to_entity_id: id,
  ...(metadata && { metadata }),
})

describe('A link from an element', () => {
  const toLead = (id: number) => ({ to_entity_type: 'leads', to_entity_id: id })

  test('is the same link as from the record, and is listed and removed from either side', async () => {
    const { browser, lead, tile, goods } = await shop()
    const path = `/web/v4/catalogs/${goods}/elements/${tile}`
    const contact = await add(browser, 'contacts', { name: 'Ann' })
    const toContact = { to_entity_type: 'contacts', to_entity_id: contact }
    const answer = await browser.post(`${path}/link`, [
      { ...toLead(lead), metadata: { quantity: 2 } },
      { ...toContact, metadata: null },
    ])
    const of = { entity_id: tile, entity_type: 'catalog_elements' }
    const metadata = { quantity: 2, catalog_id: goods, price_id: null }
    expect([answer.status, answer.body._embedded.links]).toEqual([
      200,
      [
        { ...of, ...toLead(lead), metadata },
        { ...of, ...toContact, metadata: { ...metadata, quantity: 1 } },
      ],
    ])
    const ofLead = `/web/v4/leads/${lead}/links`
    expect((await browser.get(ofLead)).body._embedded.links).toEqual([to(tile, metadata)])
    const { body } = await browser.get(`${path}/links?filter[to_entity_type]=leads`)
    expect(body._embedded.links).toEqual([{ ...toLead(lead), metadata }])
    expect((await browser.post(`${path}/unlink`, [toLead(lead)])).status).toBe(204)
    expect((await browser.get(ofLead)).status).toBe(204)
  })

  test('is refused below another list, and to a kind that has no elements', async () => {
    const { browser, lead, tile, goods, rooms } = await shop()
    const elsewhere = `/web/v4/catalogs/${rooms}/elements/${tile}`
    expect((await browser.get(`${elsewhere}/links`)).status).toBe(404)
    for (const verb of ['link', 'unlink'])
      expect((await browser.post(`${elsewhere}/${verb}`, [toLead(lead)])).status).toBe(404)
    const itself = await browser.post(`/web/v4/catalogs/${goods}/elements/${tile}/link`, [to(tile)])
    expect(faultsOf(itself)).toEqual([400, '0 NotSupportedChoice to_entity_type'])
  })
})

describe('A link to an element', () => {
  test('has a quantity, the list and a price, and is recorded on both sides', async () => {
    const { browser, lead, tile, goods, ctx, admin } = await shop()
    const known = (await log(ctx)).length
    const answer = await browser.post(`/web/v4/leads/${lead}/link`, [
      to(tile, { quantity: 2.5, catalog_id: goods, price_id: 7 }),
    ])
    const metadata = { quantity: 2.5, catalog_id: goods, price_id: 7 }
    expect([answer.status, answer.body._embedded.links]).toEqual([
      200,
      [{ entity_id: lead, entity_type: 'leads', ...to(tile, metadata) }],
    ])
    const { body } = await browser.get(`/web/v4/leads/${lead}?with=catalog_elements`)
    expect(body._embedded.catalog_elements).toEqual([{ id: tile, metadata }])
    // Linking again changes the quantity, and records no new link.
    await browser.post(`/web/v4/leads/${lead}/link`, [to(tile, { quantity: 3 })])
    expect((await browser.get(`/web/v4/leads/${lead}/links`)).body._embedded.links).toEqual([
      to(tile, { ...metadata, quantity: 3 }),
    ])
    expect(
      (await browser.post(`/web/v4/leads/${lead}/unlink`, [to(tile, { catalog_id: goods })])).status,
    ).toBe(204)
    const element = { entity: { type: `catalog_${goods}`, id: tile } }
    const card = { entity: { type: 'lead', id: lead } }
    const by = admin.id
    const onLead = { entity: ['lead', lead], by }
    const onTile = { entity: [`catalog_${goods}`, tile], by }
    const events = (await log(ctx)).slice(known)
    expect([events.length, events]).toEqual([
      4,
      expect.arrayContaining([
        { type: 'entity_linked', ...onLead, before: [], after: [{ link: element }] },
        { type: 'lead_linked', ...onTile, before: [], after: [{ link: card }] },
        { type: 'entity_unlinked', ...onLead, before: [{ unlink: element }], after: [] },
        { type: 'lead_unlinked', ...onTile, before: [{ unlink: card }], after: [] },
      ]),
    ])
  })

  onEmbedded('is rejected unless it names the list of the element', async () => {
    const { browser, lead, tile, rooms, ctx } = await shop()
    const before = await traces(ctx)
    const wrong = to(tile, { catalog_id: rooms })
    const body = [to(tile), { ...wrong, request_id: 'w' }]
    const fault = 'w NotSupportedChoice metadata.catalog_id'
    expect(faultsOf(await browser.post(`/web/v4/leads/${lead}/link`, body))).toEqual([400, fault])
    const many = body.map((item) => ({ entity_id: lead, ...item }))
    expect(faultsOf(await browser.post('/web/v4/leads/link', many))).toEqual([400, fault])
    const embedded = { catalog_elements: [{ id: tile, metadata: { catalog_id: rooms } }] }
    const path = '_embedded.catalog_elements.0.metadata.catalog_id'
    expect(faultsOf(await browser.post('/web/v4/leads', [{ _embedded: embedded }]))).toEqual([
      400,
      `0 NotSupportedChoice ${path}`,
    ])
    expect(faultsOf(await browser.patch(`/web/v4/leads/${lead}`, { _embedded: embedded }))).toEqual([
      400,
      `0 NotSupportedChoice ${path}`,
    ])
    expect(await traces(ctx)).toEqual(before)
  })
})

describe('An element of a list without can_link_multiple', () => {
  test('has at most one lead or customer, and any number of contacts and companies', async () => {
    const { browser, lead, room, ctx } = await shop()
    const customer = await add(browser, 'customers', { name: 'Acme' })
    const company = await add(browser, 'companies', { name: 'Acme' })
    const contact = await add(browser, 'contacts', { name: 'Ann' })
    for (const path of [`leads/${lead}`, `companies/${company}`, `contacts/${contact}`])
      expect((await browser.post(`/web/v4/${path}/link`, [to(room, { quantity: 2 })])).status).toBe(200)
    const before = await traces(ctx)
    expect(faultsOf(await browser.post(`/web/v4/customers/${customer}/link`, [to(room)]))).toEqual([
      400,
      '0 NotUnique to_entity_id',
    ])
    const embedded = { catalog_elements: [{ id: room }] }
    expect(
      faultsOf(await browser.post('/web/v4/leads', [{}, { request_id: 'q', _embedded: embedded }])),
    ).toEqual([400, 'q NotUnique _embedded.catalog_elements.0.id'])
    expect(await traces(ctx)).toEqual(before)
    // Repeating the same link is allowed.
    expect((await browser.post(`/web/v4/leads/${lead}/link`, [to(room, { quantity: 3 })])).status).toBe(200)
    await browser.post(`/web/v4/leads/${lead}/unlink`, [to(room)])
    expect((await browser.post(`/web/v4/customers/${customer}/link`, [to(room)])).status).toBe(200)
  })

  test('can be linked again after its lead is moved to the trash', async () => {
    const { browser, lead, room } = await shop()
    const other = await add(browser, 'leads')
    await browser.post(`/web/v4/leads/${lead}/link`, [to(room)])
    expect((await browser.post(`/web/v4/leads/${other}/link`, [to(room)])).status).toBe(400)
    await browser.delete(`/web/v4/leads/${lead}`)
    expect((await browser.post(`/web/v4/leads/${other}/link`, [to(room)])).status).toBe(200)
  })

  test('is linked by only one of two concurrent requests', async () => {
    const all = await shop()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const two = client(second.app.http, all.browser.identity)
    for (let round = 0; round < 8; round++) {
      const id = await add(all.browser, `catalogs/${all.rooms}/elements`, { name: 'Room' })
      const [a, b] = (await addAll(all.browser, 'leads', [{}, {}])) as [number, number]
      const answers = await Promise.all([
        all.browser.post(`/web/v4/leads/${a}/link`, [to(id)]),
        two.post(`/web/v4/leads/${b}/link`, [to(id)]),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    }
  })
})
