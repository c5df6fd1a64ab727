import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { add, log } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'

async function shop() {
  const all = await world()
  const { browser } = all.admin
  const customer = await add(browser, 'customers', { name: 'Acme' })
  const path = `/web/v4/customers/${customer}/bonus_points`
  const points = async () =>
    (await all.ctx.db.selectFrom('entities').selectAll().where('id', '=', customer).execute())[0]
      ?.bonus_points
  return { ...all, browser, path, points }
}

describe('POST /customers/{id}/bonus_points', () => {
  test('earns and redeems points, and returns the new balance', async () => {
    const { browser, path, ctx } = await shop()
    const earned = await browser.post(path, { earn: 500 })
    expect([earned.status, earned.body]).toEqual([200, { bonus_points: 500 }])
    expect((await browser.post(path, { redeem: 120 })).body).toEqual({ bonus_points: 380 })
    expect((await browser.post(path, { redeem: 380 })).body).toEqual({ bonus_points: 0 })
    expect((await log(ctx)).map(({ type }) => type)).toEqual(['customer_added'])
  })

  onEmbedded.each<[string, object, string]>([
    ['more than there are', { redeem: 11 }, '0 OutOfRange redeem'],
    ['both', { earn: 1, redeem: 1 }, '0 NotSupportedChoice redeem'],
    ['neither', {}, '0 FieldMissing earn'],
    ['nothing', { earn: 0 }, '0 OutOfRange earn'],
    ['less than nothing', { redeem: -5 }, '0 OutOfRange redeem'],
    ['a text', { earn: '5' }, '0 InvalidType earn'],
    ['more than can be kept', { earn: Number.MAX_SAFE_INTEGER }, '0 OutOfRange earn'],
  ])('%s is rejected', async (_what, body, fault) => {
    const { browser, path, points } = await shop()
    await browser.post(path, { earn: 10 })
    expect(faultsOf(await browser.post(path, body))).toEqual([400, fault])
    expect(await points()).toBe(10)
  })

  test('points cannot be redeemed twice by concurrent requests', async () => {
    const all = await shop()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    const two = client(second.app.http, all.browser.identity)
    await all.browser.post(all.path, { earn: 10 })
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? two : all.browser).post(all.path, { redeem: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(200),
      ...Array(6).fill(400),
    ])
    expect(await all.points()).toBe(0)
  })
})
