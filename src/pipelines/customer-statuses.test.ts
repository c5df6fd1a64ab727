import { describe, expect, test } from 'vitest'
import { faultsOf, refusalOf, settingsOf } from '../../test/fixtures/pipelines.ts'
import { addAll } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { findCustomerStages } from './pipelines.ts'
import type { CustomerStatus } from './schemas.ts'

const STATUSES = '/web/v4/customers/statuses'
const MODE = '/web/v4/customers/mode'
const link = (path: string) => ({ self: { href: `http://demo.localhost:8080${path}` } })

async function statusesOf({ admin }: World): Promise<CustomerStatus[]> {
  return (await admin.browser.get(STATUSES)).body._embedded.statuses
}

describe('V7: /customers/statuses', () => {
  test('a new account has three, which everybody sees; new customers begin in the first', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const list = await seller.browser.get(STATUSES)
    const ids: number[] = list.body._embedded.statuses.map(({ id }: CustomerStatus) => id)
    const status = (i: number, name: string, color: string) => ({
      id: ids[i],
      name,
      sort: (i + 1) * 10,
      is_default: i === 0,
      conditions: [],
      color,
      type: 0,
      account_id: here.account.id,
      _links: link(`${STATUSES}/${ids[i]}`),
    })
    const statuses = [
      status(0, 'Recently bought', '#98cbff'),
      status(1, 'Purchase expected', '#fffd7f'),
      status(2, 'Purchase overdue', '#ffce5a'),
    ]
    expect([list.status, list.body]).toEqual([
      200,
      { _total_items: 3, _links: link(STATUSES), _embedded: { statuses } },
    ])
    expect((await seller.browser.get(`${STATUSES}/${ids[1]}`)).text).toBe(JSON.stringify(statuses[1]))
    expect(await findCustomerStages(here.ctx.db, here.account.id)).toEqual({
      first: ids[0],
      ids: new Set(ids),
    })
  })

  test('can be added, changed and deleted', async () => {
    const here = await world()
    const { browser } = here.admin
    const added = await browser.post(STATUSES, [
      { name: 'Asleep', sort: 5, request_id: 1, is_default: true, type: 4 },
      { name: 'Loud', sort: 40, color: '#ff8f92' },
    ])
    const [{ id }, loud] = added.body._embedded.statuses
    const asleep = {
      id,
      name: 'Asleep',
      sort: 5,
      is_default: false,
      conditions: [],
      color: '#fffeb2',
      type: 0,
      account_id: here.account.id,
      _links: link(`${STATUSES}/${id}`),
    }
    expect([added.status, added.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: link(STATUSES),
        _embedded: {
          statuses: [
            { ...asleep, request_id: 1 },
            expect.objectContaining({ name: 'Loud', color: '#ff8f92', request_id: '1' }),
          ],
        },
      },
    ])
    expect((await statusesOf(here))[0]).toEqual(asleep)
    const changed = await browser.patch(`${STATUSES}/${id}`, { name: 'Awake', color: '#87f2c0' })
    expect([changed.status, changed.body]).toEqual([200, { ...asleep, name: 'Awake', color: '#87f2c0' }])
    await browser.patch(`${STATUSES}/${id}`, { name: 'Awake' })
    expect((await browser.delete(`${STATUSES}/${loud.id}`)).status).toBe(204)
    expect((await browser.delete(`${STATUSES}/${loud.id}`)).status).toBe(404)
    expect((await settingsOf(here)).log.map(({ action }) => action)).toEqual([
      'customer_status.added',
      'customer_status.added',
      'customer_status.changed',
      'customer_status.removed',
    ])
  })

  test('the default stage and stages with customers cannot be deleted', async () => {
    const here = await world()
    const { browser } = here.admin
    const [first, second] = (await statusesOf(here)) as [CustomerStatus, CustomerStatus]
    const [customer] = await addAll(browser, 'customers', [
      { name: 'Kim', next_date: 1_800_000_000, status_id: second.id },
    ])
    const before = await settingsOf(here)
    expect(refusalOf(await browser.delete(`${STATUSES}/${first.id}`))).toEqual([
      409,
      'default_customer_status',
    ])
    expect(refusalOf(await browser.delete(`${STATUSES}/${second.id}`))).toEqual([
      409,
      'customer_status_in_use',
    ])
    expect(await settingsOf(here)).toEqual(before)
    await browser.delete(`/web/v4/customers/${customer}`)
    expect((await browser.delete(`${STATUSES}/${second.id}`)).status).toBe(204)
  })

  test('an account can have at most thirty', async () => {
    const { admin } = await world()
    const many = (count: number) => Array.from({ length: count }, (_, sort) => ({ name: 'Stage', sort }))
    expect(refusalOf(await admin.browser.post(STATUSES, many(28)))).toEqual([409, 'customer_status_limit'])
    expect((await admin.browser.post(STATUSES, many(27))).status).toBe(200)
    expect((await admin.browser.get(STATUSES)).body._total_items).toBe(30)
  })

  test('requires an administrator of the account and valid input', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const [, status] = (await statusesOf(here)) as [CustomerStatus, CustomerStatus]
    const before = await settingsOf(here)
    for (const [browser, refused] of [
      [here.stranger, 401],
      [seller.browser, 403],
      [other.browser, 404],
    ] as const)
      for (const id of [status.id, 999_999]) {
        expect((await browser.patch(`${STATUSES}/${id}`, { name: 'X' })).status).toBe(refused)
        expect((await browser.delete(`${STATUSES}/${id}`)).status).toBe(refused)
      }
    expect((await here.stranger.post(STATUSES, [{ name: 'X', sort: 1 }])).status).toBe(401)
    expect((await seller.browser.post(STATUSES, [{ name: 'X', sort: 1 }])).status).toBe(403)
    expect((await here.stranger.get(STATUSES)).status).toBe(401)
    expect((await other.browser.get(`${STATUSES}/${status.id}`)).status).toBe(404)
    const bad = [{ name: 'A', sort: 1 }, { name: 'B' }, { name: 'C', sort: 1, color: '#ffffff' }]
    expect(faultsOf(await here.admin.browser.post(STATUSES, bad))).toEqual([
      400,
      [
        ['1', ['FieldMissing', 'sort']],
        ['2', ['NotSupportedChoice', 'color']],
      ],
    ])
    for (const body of [{ name: '' }, { sort: -1 }, { color: 'red' }, [1]])
      expect((await here.admin.browser.patch(`${STATUSES}/${status.id}`, body)).status).toBe(400)
    expect(await settingsOf(here)).toEqual(before)
  })
})

describe('V7: PATCH /customers/mode', () => {
  test('returns the new mode, which the account shows', async () => {
    const here = await world()
    const { browser } = here.admin
    const mode = async () => (await browser.get('/web/v4/account')).body.customers_mode
    here.clock.advance(60)
    for (const [body, after] of [
      [{ mode: 'periodicity', is_enabled: true }, 'periodicity'],
      [{ mode: 'periodicity', is_enabled: true }, 'periodicity'],
      [{ mode: 'segments', is_enabled: false }, 'disabled'],
      [{ mode: 'segments', is_enabled: true }, 'segments'],
    ] as const) {
      const answer = await browser.patch(MODE, body)
      expect([answer.status, answer.body, await mode()]).toEqual([200, body, after])
    }
    const { accounts, log } = await settingsOf(here)
    expect(accounts).toMatchObject([{ updated_at: here.clock.now(), updated_by: here.admin.id }])
    expect(log).toEqual(
      Array(3).fill({ action: 'account.changed', details: '{"changed":["customers_mode"]}' }),
    )
  })

  test('keeps the stages readable but not writable while customers are disabled', async () => {
    const here = await world()
    const { browser } = here.admin
    await browser.patch(MODE, { mode: 'segments', is_enabled: false })
    const statuses = await statusesOf(here)
    const before = await settingsOf(here)
    const path = `${STATUSES}/${statuses[1]?.id}`
    for (const answer of [
      await browser.post(STATUSES, [{ name: 'X', sort: 1 }]),
      await browser.patch(path, { name: 'X' }),
      await browser.delete(path),
    ])
      expect(refusalOf(answer)).toEqual([422, 'customers_disabled'])
    expect(await settingsOf(here)).toEqual(before)
    expect(statuses.length).toBe(3)
  })

  test('requires an administrator and valid input', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const before = await settingsOf(here)
    const body = { mode: 'periodicity', is_enabled: true }
    expect((await here.stranger.patch(MODE, body)).status).toBe(401)
    expect((await seller.browser.patch(MODE, body)).status).toBe(403)
    for (const bad of [
      { mode: 'periodicity' },
      { is_enabled: true },
      { ...body, mode: 'dynamic' },
      { ...body, is_enabled: 1 },
      [],
    ])
      expect((await here.admin.browser.patch(MODE, bad)).status).toBe(400)
    expect(await settingsOf(here)).toEqual(before)
  })
})
