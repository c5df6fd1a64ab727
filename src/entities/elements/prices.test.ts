import { expect, test } from 'vitest'
import { add, log } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'

const LEADS = '/web/v4/leads'
const prices = async ({ admin }: World, id: number) => {
  const { body } = await admin.browser.get(`${LEADS}/${id}`)
  return [body.price, body.price_with_minor_units]
}

test('R24: a price with a fraction is stored exactly, beside the whole price', async () => {
  const here = await world()
  const { browser } = here.admin
  for (const [written, whole] of [
    [12.5, 12],
    [0.1, 0],
    [1234567.89, 1234567],
    [99.99, 99],
    [7, 7],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ] as const)
    expect(await prices(here, await add(browser, 'leads', { price: written }))).toEqual([whole, written])
})

test('R24: a price without a fraction removes the fraction, and another fraction is a change', async () => {
  const here = await world()
  const { browser } = here.admin
  const id = await add(browser, 'leads', { price: 12.5 })
  const version = async () => (await browser.get(`${LEADS}/${id}`)).headers.etag
  const first = await version()
  here.clock.advance(60)
  const answer = await browser.patch(`${LEADS}/${id}`, { price: 12.75 })
  expect([answer.body.updated_at, await prices(here, id)]).toEqual([BEGINNING + 60, [12, 12.75]])
  expect(await version()).not.toBe(first)
  for (const [price, shown] of [
    [13, [13, 13]],
    [13.5, [13, 13.5]],
    [null, [0, 0]],
  ] as const) {
    expect((await browser.patch(`${LEADS}/${id}`, { price })).status).toBe(200)
    expect(await prices(here, id)).toEqual(shown)
  }
})

test('R24: a lead that is written back as it was read keeps its fraction, and a changed price replaces it', async () => {
  const here = await world()
  const { browser } = here.admin
  const id = await add(browser, 'leads', { price: 12.5 })
  const { body: read } = await browser.get(`${LEADS}/${id}`)
  const events = await log(here.ctx, { entity_id: id })
  for (const [written, shown] of [
    [read, [12, 12.5]],
    [{ price: 12, price_with_minor_units: 12.75 }, [12, 12.75]],
    [{ ...read, price_with_minor_units: null }, [12, 12]],
    [{ ...read, price: 13 }, [13, 13]],
    [{ price_with_minor_units: 14.5 }, [13, 13]],
  ] as const) {
    expect((await browser.patch(`${LEADS}/${id}`, written)).status).toBe(200)
    expect(await prices(here, id)).toEqual(shown)
    if (written === read) expect(await log(here.ctx, { entity_id: id })).toEqual(events)
  }
  expect((await browser.patch(`${LEADS}/${id}`, { price_with_minor_units: 'x' })).status).toBe(400)
})

test('R24: sums, filters and events use the whole price; an export has the exact one', async () => {
  const here = await world()
  const { browser } = here.admin
  const id = await add(browser, 'leads', { name: 'Roof', price: 12.5 })
  await add(browser, 'leads', { name: 'Door', price: 20.75 })
  expect((await browser.get(`${LEADS}/totals`)).body).toMatchObject({ total: 2, sum: 32 })
  const found = await browser.get(`${LEADS}?filter[price][from]=12&filter[price][to]=12`)
  expect(found.body._embedded.leads.map((lead: { id: number }) => lead.id)).toEqual([id])
  const cut = await browser.get(`${LEADS}?filter[price][from]=12.5&filter[price][to]=12.9`)
  expect(cut.body._embedded.leads.map((lead: { id: number }) => lead.id)).toEqual([id])
  for (const end of ['12.', '.5', '1e3', 'x'])
    expect((await browser.get(`${LEADS}?filter[price][from]=${end}`)).status).toBe(400)
  await browser.patch(`${LEADS}/${id}`, { price: 15.5 })
  expect((await log(here.ctx, { entity_id: id })).at(-1)).toMatchObject({
    type: 'sale_field_changed',
    before: [{ sale_field_value: { sale: 12 } }],
    after: [{ sale_field_value: { sale: 15 } }],
  })
  expect((await browser.get(`${LEADS}?format=csv`)).text).toContain('15.5')
  expect((await browser.get(`${LEADS}?format=csv&delimiter=semicolon`)).text).toContain(';15,5;')
})
