import { expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { add, log } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'

/** The amounts of a customer: each whole one and the exact one beside it. */
async function amounts(caller: Client, id: number) {
  const { body } = await caller.get(`/web/v4/customers/${id}`)
  return {
    next_price: [body.next_price, body.next_price_with_minor_units],
    ltv: [body.ltv, body.ltv_with_minor_units],
    average_check: [body.average_check, body.average_check_with_minor_units],
  }
}
const bought = (caller: Client, id: number, drafts: object[]) =>
  caller.post(`/web/v4/customers/${id}/transactions`, drafts)

test('R24: the expected price of a customer has a fraction, which survives writing it back', async () => {
  const { admin, ctx, clock } = await world()
  const { browser } = admin
  const id = await add(browser, 'customers', { name: 'Acme', next_price: 99.95 })
  const path = `/web/v4/customers/${id}`
  expect((await amounts(browser, id)).next_price).toEqual([99, 99.95])
  const read = await browser.get(path)
  const events = await log(ctx, { entity_id: id })
  clock.advance(60)
  for (const [written, shown] of [
    [read.body, [99, 99.95]],
    [{ next_price: 99, next_price_with_minor_units: 99.5 }, [99, 99.5]],
    [{ ...read.body, next_price: 120 }, [120, 120]],
    [{ next_price: 120.25 }, [120, 120.25]],
    [{ next_price: null }, [0, 0]],
  ] as const) {
    expect((await browser.patch(path, written)).status).toBe(200)
    expect((await amounts(browser, id)).next_price).toEqual(shown)
    if (written === read.body) expect(await log(ctx, { entity_id: id })).toEqual(events)
  }
  const after = await browser.get(path)
  expect(after.body.updated_at).toBe(BEGINNING + 60)
  expect(after.headers.etag).not.toBe(read.headers.etag)
})

test('R24: purchases with fractions are summed without errors of binary fractions, and deleted', async () => {
  const { admin, ctx } = await world()
  const { browser } = admin
  const id = await add(browser, 'customers', { name: 'Acme' })
  const answer = await bought(browser, id, [
    { price: 0.1 },
    { price: 0.2, next_price: 19.99 },
    { price: 12, price_with_minor_units: 12.75, next_price: 20, next_price_with_minor_units: 20.5 },
  ])
  expect(answer.body._embedded.transactions.length).toBe(3)
  const { body: list } = await browser.get(`/web/v4/customers/${id}/transactions`)
  const prices = list._embedded.transactions.map((one: Record<string, unknown>) => [
    one.price,
    one.price_with_minor_units,
  ])
  expect(prices).toEqual([
    [0, 0.1],
    [0, 0.2],
    [12, 12.75],
  ])
  expect(await amounts(browser, id)).toEqual({
    next_price: [20, 20.5],
    ltv: [13, 13.05],
    average_check: [4, 4.35],
  })
  expect((await log(ctx, { entity_id: id })).at(-1)).toMatchObject({
    type: 'ltv_field_changed',
    after: [{ ltv_field_value: { ltv: 13 } }],
  })
  for (const { id: purchase } of list._embedded.transactions) {
    const path = `/web/v4/customers/${id}/transactions/${purchase}`
    expect((await browser.delete(path)).status).toBe(204)
  }
  expect(await amounts(browser, id)).toMatchObject({ ltv: [0, 0], average_check: [0, 0] })
})

test('R24: merged customers add up their exact sums, and an export has the exact amounts', async () => {
  const { browser } = (await world()).admin
  const id = await add(browser, 'customers', { name: 'Acme', next_price: 7.25 })
  const other = await add(browser, 'customers', { name: 'Acme again' })
  await bought(browser, id, [{ price: 10.1 }])
  await bought(browser, other, [{ price: 20.2 }])
  expect((await browser.post('/web/v4/customers/merge', { id, merge: [other] })).status).toBe(200)
  expect((await amounts(browser, id)).ltv).toEqual([30, 30.3])
  const { text } = await browser.get('/web/v4/customers?format=csv')
  expect(text).toContain('7.25')
  expect(text).toContain('30.3')
})

test('R24: amounts that are no amounts are refused and change nothing', async () => {
  const { browser } = (await world()).admin
  const id = await add(browser, 'customers', { name: 'Acme', next_price: 1.5 })
  const before = await amounts(browser, id)
  for (const value of ['x', -0.5, Number.MAX_SAFE_INTEGER + 2, true, []]) {
    for (const member of ['next_price', 'next_price_with_minor_units'])
      expect((await browser.patch(`/web/v4/customers/${id}`, { [member]: value })).status).toBe(400)
    expect((await bought(browser, id, [{ price: value }])).status).toBe(400)
    expect((await bought(browser, id, [{ price: 1, next_price: value }])).status).toBe(400)
  }
  const most = [{ price: Number.MAX_SAFE_INTEGER }, { price: 0.5 }, { price: 1 }]
  expect((await bought(browser, id, most)).status).toBe(400)
  expect(await amounts(browser, id)).toEqual(before)
})
