import { describe, expect, test } from 'vitest'
import { imported, upload } from '../../test/fixtures/jobs.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

/** Milliseconds on a busy machine. If a cell were matched from each of its characters, it would take a minute. */
const PATIENCE = 20_000

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  const done = await work
  return [done, performance.now() - began]
}

describe('A file that is designed to be expensive', () => {
  test('is read in linear time', async () => {
    const { admin, ...here } = await world()
    const hostile = [`1${'a'.repeat(120_000)}1`, `a@${'a.'.repeat(60_000)}@`]
    const csv = `Price,Other\n${hostile.map((cell) => `${cell},${cell}\n`).join('')}`
    const [draft, taken] = await timed(upload(admin.browser, 'leads', csv))
    expect([draft.status, draft.body.import.mapping]).toEqual([200, [{ column: 0, target: 'price' }]])
    expect(taken).toBeLessThan(PATIENCE)
    await admin.browser.post(`/web/v4/jobs/${draft.body.id}/start`)
    const [, done] = await timed(here.app.runner.runDue())
    expect(done).toBeLessThan(PATIENCE)
    expect((await admin.browser.get(`/web/v4/jobs/${draft.body.id}`)).body).toMatchObject({ failed: 2 })
  })

  test('stores no more cells of a row than a file can have columns', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv = `Name,Phone\nAnn,${'1,'.repeat(50_000)}\n`
    const job = await imported(here, browser, 'contacts', csv)
    expect(job).toMatchObject({ state: 'done', failed: 1 })
    const { failures } = (await browser.get(`/web/v4/jobs/${job.id}/failures`)).body._embedded
    expect(failures[0].cells.length).toBeLessThanOrEqual(251)
    expect(failures[0].faults).toMatchObject([{ code: 'TooMany' }])
  })

  test('stores little of its first rows, however many columns it has', async () => {
    const { admin } = await world()
    const row = Array.from({ length: 250 }, (_, i) => `${i} ${'long '.repeat(50)}`).join(',')
    const { body } = await upload(admin.browser, 'contacts', `${`${row}\n`.repeat(30)}`)
    expect(JSON.stringify(body.import.rows).length).toBeLessThan(300_000)
  })
})

test('Companies are identified by their complete names', async () => {
  const here = await world()
  const { browser } = here.admin
  const long = 'Общество с ограниченной ответственностью «Торговый дом «Северная звезда»'
  const [north] = await addAll(browser, 'companies', [{ name: `${long} — Архангельск` }])
  const update = { duplicates: { match: ['name'], action: 'update' } }
  const csv = `Company,Phone\n${long} — Мурманск,+7 921 555 0101\n${long.toUpperCase()} — АРХАНГЕЛЬСК,+7 921 555 0102\n`
  const job = await imported(here, browser, 'companies', csv, update)
  expect(job).toMatchObject({ added: 1, changed: 1, failed: 0 })
  const { companies } = (await browser.get('/web/v4/companies')).body._embedded
  expect(companies).toHaveLength(2)
  expect(companies.find(({ id }: { id: number }) => id === north).custom_fields_values).toMatchObject([
    { values: [{ value: '+7 921 555 0102' }] },
  ])
})

test('A bulk change reaches elements that are visible through linked records', async () => {
  const here = await world()
  const { browser } = here.admin
  const list = await add(browser, 'catalogs', { name: 'Goods' })
  const [held, loose] = await addAll(browser, `catalogs/${list}/elements`, [
    { name: 'Held' },
    { name: 'Loose' },
  ])
  const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
  const linked = { view: 'L', edit: 'L', add: 'D', delete: 'L', export: 'L' }
  const mona = await here.addPerson({
    name: 'Mona',
    rights: {
      leads: all,
      catalog_access: false,
      catalog_rights: [{ catalog_id: list, rights: linked }],
    } as never,
  })
  const lead = await add(browser, 'leads', { name: 'Deal' })
  const link = {
    to_entity_id: held,
    to_entity_type: 'catalog_elements',
    metadata: { quantity: 1, catalog_id: list },
  }
  expect((await browser.post(`/web/v4/leads/${lead}/link`, [link])).status).toBe(200)
  const asked = {
    entity_type: 'catalog_elements',
    catalog_id: list,
    ids: [held, loose],
    changes: { delete: true },
  }
  const { body } = await mona.browser.post('/web/v4/jobs/bulk_changes', asked)
  await here.app.runner.runDue()
  expect((await mona.browser.get(`/web/v4/jobs/${body.id}`)).body).toMatchObject({ changed: 1, failed: 1 })
  const { elements } = (await browser.get(`/web/v4/catalogs/${list}/elements`)).body._embedded
  expect(elements.map(({ name }: { name: string }) => name)).toEqual(['Loose'])
})

test('A bulk change of a search refuses NUL in every notation', async () => {
  const { admin } = await world()
  const changes = { responsible_user_id: admin.id }
  for (const search of ['filter[name]=%00', 'filter[name]=a%00b&query=x', '?query=%00'])
    expect(
      (await admin.browser.post('/web/v4/jobs/bulk_changes', { entity_type: 'leads', search, changes }))
        .status,
    ).toBe(400)
})

test('an account begins a limited number of jobs', async () => {
  const { admin } = await world({ env: { RATE_LIMITS: 'on' } })
  const ids = [await add(admin.browser, 'leads')]
  const changes = { tags_to_add: ['vip'] }
  const begin = () => admin.browser.post('/web/v4/jobs/bulk_changes', { entity_type: 'leads', ids, changes })
  for (let i = 0; i < 60; i++) expect((await begin()).status).toBe(200)
  expect((await begin()).status).toBe(429)
})
