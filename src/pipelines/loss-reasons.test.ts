import { describe, expect, test } from 'vitest'
import { faultsOf, refusalOf, settingsOf } from '../../test/fixtures/pipelines.ts'
import { add } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { knownLossReasons } from './pipelines.ts'
import type { LossReason } from './schemas.ts'

const REASONS = '/web/v4/leads/loss_reasons'
const link = (path: string) => ({ self: { href: `http://demo.localhost:8080${path}` } })

async function reasonsOf({ admin }: World): Promise<LossReason[]> {
  return (await admin.browser.get(REASONS)).body._embedded.loss_reasons
}

describe('V7: GET /leads/loss_reasons', () => {
  test('a new account has four, which everybody sees', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const list = await seller.browser.get(REASONS)
    const ids = list.body._embedded.loss_reasons.map(({ id }: LossReason) => id)
    const names = ['No need any more', 'Too expensive', 'Terms did not suit', 'Chose a competitor']
    const loss_reasons = names.map((name, i) => ({
      id: ids[i],
      name,
      sort: (i + 1) * 10,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      _links: link(`${REASONS}/${ids[i]}`),
    }))
    expect([list.status, list.body]).toEqual([
      200,
      {
        _total_items: 4,
        _page: 1,
        _page_count: 1,
        _links: link(`${REASONS}?page=1&limit=50`),
        _embedded: { loss_reasons },
      },
    ])
    expect((await seller.browser.get(`${REASONS}/${ids[1]}`)).text).toBe(JSON.stringify(loss_reasons[1]))
    const page = await seller.browser.get(`${REASONS}?limit=3&page=2`)
    expect(page.body).toMatchObject({ _total_items: 4, _page: 2, _page_count: 2 })
    expect(page.body._embedded.loss_reasons).toEqual([loss_reasons[3]])
    expect((await seller.browser.get(`${REASONS}?page=3`)).status).toBe(204)
    expect((await seller.browser.get(`${REASONS}?limit=251`)).status).toBe(400)
  })
})

describe('V8: loss reasons', () => {
  test('can be added, changed and deleted', async () => {
    const here = await world()
    const { browser } = here.admin
    const added = await browser.post(REASONS, [
      { name: 'No money', request_id: 'x' },
      { name: 'First', sort: 1 },
    ])
    const [one, two] = added.body._embedded.loss_reasons
    const reason = (id: number, name: string, sort: number) => ({
      id,
      name,
      sort,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      _links: link(`${REASONS}/${id}`),
    })
    expect([added.status, added.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: link(REASONS),
        _embedded: {
          loss_reasons: [
            { ...reason(one.id, 'No money', 50), request_id: 'x' },
            { ...reason(two.id, 'First', 1), request_id: '1' },
          ],
        },
      },
    ])
    expect((await reasonsOf(here)).map(({ name }) => name)).toEqual([
      'First',
      'No need any more',
      'Too expensive',
      'Terms did not suit',
      'Chose a competitor',
      'No money',
    ])
    here.clock.advance(60)
    const changed = await browser.patch(`${REASONS}/${one.id}`, { name: 'Broke', created_at: 1 })
    const broke = { ...reason(one.id, 'Broke', 50), updated_at: BEGINNING + 60 }
    expect([changed.status, changed.body]).toEqual([200, broke])
    here.clock.advance(60)
    expect((await browser.patch(`${REASONS}/${one.id}`, { name: 'Broke' })).body).toEqual(broke)
    expect((await browser.delete(`${REASONS}/${two.id}`)).status).toBe(204)
    expect((await browser.get(`${REASONS}/${two.id}`)).status).toBe(404)
    expect((await settingsOf(here)).log.map(({ action }) => action)).toEqual([
      'loss_reason.added',
      'loss_reason.added',
      'loss_reason.changed',
      'loss_reason.removed',
    ])
  })

  test('are limited to 250 per account', async () => {
    const { admin } = await world()
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Reason ${i}` }))
    expect(refusalOf(await admin.browser.post(REASONS, many(247)))).toEqual([409, 'loss_reason_limit'])
    expect((await admin.browser.post(REASONS, many(246))).status).toBe(200)
    expect((await admin.browser.get(`${REASONS}?limit=250`)).body._embedded.loss_reasons.length).toBe(250)
  })

  test('require an administrator of the account and valid input', async () => {
    const here = await world()
    const seller = await here.addPerson({ name: 'Sam' })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const [reason] = (await reasonsOf(here)) as [LossReason]
    const before = await settingsOf(here)
    for (const [browser, post, existing, missing] of [
      [here.stranger, 401, 401, 401],
      [seller.browser, 403, 403, 403],
      [other.browser, 400, 404, 404],
    ] as const) {
      expect((await browser.post(REASONS, post === 400 ? [] : [{ name: 'X' }])).status).toBe(post)
      for (const [id, status] of [
        [reason.id, existing],
        [999_999, missing],
      ]) {
        expect((await browser.patch(`${REASONS}/${id}`, { name: 'X' })).status).toBe(status)
        expect((await browser.delete(`${REASONS}/${id}`)).status).toBe(status)
      }
    }
    expect((await here.stranger.get(REASONS)).status).toBe(401)
    expect((await here.stranger.get(`${REASONS}/${reason.id}`)).status).toBe(401)
    expect((await other.browser.get(`${REASONS}/${reason.id}`)).status).toBe(404)
    expect(
      faultsOf(await here.admin.browser.post(REASONS, [{ name: 'A' }, { name: '', request_id: 3 }])),
    ).toEqual([400, [['3', ['NotBlank', 'name']]]])
    for (const body of [{ name: ' ' }, { sort: '1' }, { sort: -1 }, [1]])
      expect((await here.admin.browser.patch(`${REASONS}/${reason.id}`, body)).status).toBe(400)
    expect(await settingsOf(here)).toEqual(before)
  })

  test('can be checked by their ids from other slices', async () => {
    const here = await world()
    const [reason] = (await reasonsOf(here)) as [LossReason]
    const other = await here.addAccount('other')
    const known = (account_id: number, ids: number[]) => knownLossReasons(here.ctx.db, account_id, ids)
    expect([...(await known(here.account.id, [reason.id, 999_999])).values()]).toMatchObject([
      { name: reason.name },
    ])
    expect(await known(other.id, [reason.id])).toEqual(new Map())
    expect(await known(here.account.id, [])).toEqual(new Map())
  })
})

test('a lost lead can be saved with its reason after the reason was deleted', async () => {
  const all = await world()
  const { browser } = all.admin
  const [reason, other] = (await browser.post(REASONS, [{ name: 'Price' }, { name: 'Time' }])).body._embedded
    .loss_reasons as LossReason[]
  const loss_reason_id = reason?.id
  const id = await add(browser, 'leads', { status_id: 143, loss_reason_id })
  for (const one of [reason, other]) await browser.delete(`${REASONS}/${one?.id}`)
  const save = async (patch: object) => (await browser.patch(`/web/v4/leads/${id}`, patch)).status
  expect(await save({ name: 'Roof', loss_reason_id })).toBe(200)
  expect(await save({ loss_reason_id: other?.id })).toBe(400)
  expect(await save({ loss_reason_id: null })).toBe(200)
  expect(await save({ loss_reason_id })).toBe(400)
})
