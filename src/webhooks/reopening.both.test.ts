import { describe, expect, test, vi } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { answering } from '../../test/fixtures/deliveries.ts'
import { add } from '../../test/fixtures/records.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { type World, world } from '../../test/world.ts'

const SETTINGS = '/web/webhooks'
const DAY = 86_400

const read = async ({ admin }: World, id: number) => (await admin.browser.get(`${SETTINGS}/${id}`)).body

/** Lets the circuit of a webhook be open since a time. */
const open = ({ ctx }: World, id: number, failing_since: number) =>
  ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('circuits')
      .set({ state: 'open', failures: 20, tries: 20, failing_since, due_at: ctx.now() + 600 })
      .where('name', '=', `webhook:${id}`)
      .execute(),
  )

describe('The failures of a webhook', () => {
  test('are forgotten when a disabled one is subscribed again', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const { destination, id, arrived } = await subscribed(place, ['add_lead'], () => 500)
    await add(browser, 'leads')
    await arrived()
    await open(place, id, place.clock.now() - 6 * DAY)
    await browser.patch(`${SETTINGS}/${id}`, { disabled: true })
    const again = await browser.post('/web/v4/webhooks', { destination, settings: ['add_lead'] })
    expect([again.status, again.body.disabled]).toEqual([200, false])
    expect(await read(place, id)).toMatchObject({ health: { failures: 0, failing_since: null } })
    await add(browser, 'leads')
    expect(await arrived()).toHaveLength(1)
    expect(await read(place, id)).toMatchObject({ disabled: false, health: { failures: 1 } })
  })

  test('stay when one is subscribed again that works on', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const { destination, id, arrived } = await subscribed(place, ['add_lead'], () => 500)
    await add(browser, 'leads')
    await arrived()
    await browser.post('/web/v4/webhooks', { destination, settings: ['add_lead'] })
    expect(await read(place, id)).toMatchObject({ health: { failures: 1 } })
  })

  test('do not count for another address, and what waits goes there at once', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const { id, arrived, hits } = await subscribed(place, ['add_lead'], () => 500)
    for (let i = 0; i < 24; i++) await add(browser, 'leads')
    await arrived()
    expect(await read(place, id)).toMatchObject({ health: { state: 'open', waiting: 24 } })
    const before = hits.length
    const there = await answering()
    await browser.patch(`${SETTINGS}/${id}`, { destination: `${there.url}/moved` })
    await place.app.deliveries.runDue()
    expect([hits.length, there.hits.length >= 3]).toEqual([before, true])
    place.clock.advance(60)
    await place.app.deliveries.runDue()
    expect(there.hits).toHaveLength(24)
    expect(await read(place, id)).toMatchObject({ health: { state: 'closed', waiting: 0 } })
  })
})

onEmbedded('A receiver has ten seconds to answer, or two with the plan of the platform', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const request = vi.spyOn(place.ctx.outbound, 'request')
  const { arrived } = await subscribed(place, ['add_lead'])
  await add(browser, 'leads')
  await arrived()
  await browser.put(`${SETTINGS}/plan`, { plan: 'platform' })
  await add(browser, 'leads')
  await arrived()
  const limits = request.mock.calls.map(([{ timeout_ms = 0, head_ms = 5_000 }]) =>
    Math.min(timeout_ms, head_ms),
  )
  expect(limits).toEqual([10_000, 2_000])
})
