import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { upload } from '../../../test/fixtures/jobs.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'

const NOON = '2026-03-01T12:00:00Z'
const kinds = ['leads', 'contacts', 'companies', 'customers', 'elements'] as const

const pathOf = async ({ admin }: World, kind: string): Promise<string> =>
  kind === 'elements' ? `catalogs/${await add(admin.browser, 'catalogs', { name: 'Goods' })}/elements` : kind

const asCsv = (caller: Client, path: string) => caller.get(`/web/v4/${path}`, { accept: 'text/csv' })
const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

describe.each(kinds)('An export of %s', (kind) => {
  test('contains the same records as the list, in its order, in both formats', async () => {
    const all = await world()
    const { browser } = all.admin
    const path = await pathOf(all, kind)
    const drafts = Array.from({ length: 230 }, (_, i) => ({ name: `roof ${String(i).padStart(3, '0')}` }))
    await addAll(browser, path, drafts)
    await addAll(browser, path, [{ name: 'wall' }])
    const query = 'query=roof&order[name]=desc&page=7&limit=3'
    const expected = drafts.map(({ name }) => name).reverse()
    const csv = await asCsv(browser, `${path}?${query}`)
    expect([csv.status, csv.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ])
    expect(rowsOf(csv.text).map(({ name }) => name)).toEqual(expected)
    const ndjson = await browser.get(`/web/v4/${path}?${query}`, { accept: 'application/x-ndjson' })
    const records = linesOf(ndjson.text)
    expect(records.map(({ name }) => name)).toEqual(expected)
    const list = await browser.get(`/web/v4/${path}?query=roof&order[name]=desc&limit=250`)
    expect(records).toEqual(list.body._embedded[kind])
  })

  test('is a file download, with a byte order mark for spreadsheets', async () => {
    const all = await world()
    const { browser } = all.admin
    const path = await pathOf(all, kind)
    await add(browser, path, { name: 'Ян' })
    const [csv, ndjson] = await Promise.all(
      ['csv', 'ndjson'].map((format) => browser.get(`/web/v4/${path}?format=${format}`)),
    )
    const name = kind === 'elements' ? 'list-1001' : kind
    expect(csv?.headers['content-disposition']).toBe(`attachment; filename="${name}.csv"`)
    expect(ndjson?.headers['content-disposition']).toBe(`attachment; filename="${name}.ndjson"`)
    expect(csv?.text.startsWith('\ufeff"id","name",')).toBe(true)
    expect((await asCsv(browser, path)).text.startsWith('"id","name",')).toBe(true)
    const inRussian = await browser.get(`/web/v4/${path}?format=csv&delimiter=semicolon&headings=ru`)
    expect(inRussian.text.startsWith('\ufeff"ID";"Название";')).toBe(true)
    expect(inRussian.text).toMatch(/"Создано \(UTC\)";"Кем создано"/)
    expect(inRussian.text.split('\r\n')[0]).not.toMatch(/_at|_by|_user/)
    expect((await browser.get(`/web/v4/${path}?format=csv&headings=fr`)).status).toBe(400)
    expect(linesOf(ndjson?.text as string)).toHaveLength(1)
    expect((await browser.get(`/web/v4/${path}?format=xml`)).status).toBe(400)
  })

  test('of an empty list is a header line, and an empty file', async () => {
    const all = await world()
    const path = await pathOf(all, kind)
    const { browser } = all.admin
    expect((await asCsv(browser, path)).text).toMatch(/^"id","name",[^\n]*\r\n$/)
    expect((await asCsv(browser, `${path}?query=...`)).text).toMatch(/^"id","name",[^\n]*\r\n$/)
    expect((await browser.get(`/web/v4/${path}?format=ndjson`)).text).toBe('')
    expect((await asCsv(browser, `${path}?filter[id]=x`)).status).toBe(400)
    expect((await asCsv(all.stranger, path)).status).toBe(401)
  })
})

describe('A table of', () => {
  test('leads has names instead of ids, and a column for each field', async () => {
    const { admin } = await world()
    const { browser } = admin
    await browser.post('/web/v4/leads/custom_fields', [
      { name: 'Colours', type: 'multiselect', sort: 900, enums: [{ value: 'red' }, { value: 'blue' }] },
      { name: 'Day', type: 'date', sort: 901 },
      { name: 'Moment', type: 'date_time', sort: 902 },
      { name: 'Debt', type: 'numeric', sort: 903 },
      { name: 'name', type: 'text', sort: 904 },
      { name: '=Sum', type: 'text', sort: 905 },
    ])
    const fields = (await browser.get('/web/v4/leads/custom_fields?limit=250')).body._embedded.custom_fields
    const id = (name: string) => fields.find((field: { name: string }) => field.name === name).id
    const value = (name: string, ...values: unknown[]) => ({
      field_id: id(name),
      values: values.map((one) => ({ value: one })),
    })
    await addAll(browser, 'leads', [
      {
        name: 'A "roof", at\nlast',
        price: 1_500,
        status_id: 143,
        created_at: BEGINNING,
        custom_fields_values: [
          value('Colours', 'red', 'blue'),
          value('Day', '2024-02-29'),
          value('Moment', BEGINNING),
          value('Debt', -5.5),
          value('name', '+7 (912) 345-67-89'),
          value('=Sum', '=1+1'),
        ],
        _embedded: { tags: [{ name: '@home' }, { name: 'b' }] },
      },
    ])
    const [row] = rowsOf((await asCsv(browser, 'leads')).text)
    const pipeline = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0]
    const lost = pipeline._embedded.statuses.find((status: { id: number }) => status.id === 143)
    expect(row).toMatchObject({
      id: '1',
      name: 'A "roof", at\nlast',
      price: '1500',
      pipeline: pipeline.name,
      status: lost.name,
      responsible_user: 'Ada',
      tags: "'@home; b",
      created_at: NOON,
      created_by: 'Ada',
      updated_at: NOON,
      updated_by: 'Ada',
      closed_at: NOON,
      loss_reason: '',
      Colours: 'red; blue',
      Day: '2024-02-29',
      Moment: NOON,
      Debt: '-5.5',
      [`name (${id('name')})`]: "'+7 (912) 345-67-89",
      "'=Sum": "'=1+1",
    })
  })

  test.each([
    ['en', 'Created', 'Updated', 'Closed'],
    ['ru', 'Создано', 'Изменено', 'Закрыто'],
  ])(
    'leads for people in %s has times in the zone of the account, which it names',
    async (lang, ...names) => {
      const { admin } = await world()
      const { browser } = admin
      await browser.patch('/web/v4/account', { timezone: 'America/Sao_Paulo' })
      const fields = [
        { name: 'Moment', type: 'date_time' },
        { name: 'Day', type: 'date' },
      ]
      const made = await browser.post('/web/v4/leads/custom_fields', fields)
      const [moment, day] = made.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
      await addAll(browser, 'leads', [
        {
          name: 'Late',
          status_id: 143,
          created_at: BEGINNING,
          custom_fields_values: [
            { field_id: moment, values: [{ value: '2026-03-01T01:30:00Z' }] },
            { field_id: day, values: [{ value: '2026-03-01' }] },
          ],
        },
      ])
      const csv = await browser.get(`/web/v4/leads?format=csv&headings=${lang}`)
      const [row] = rowsOf(csv.text)
      for (const name of names) expect(row?.[`${name} (America/Sao_Paulo)`]).toBe('2026-03-01 09:00:00')
      expect(row?.['Moment (America/Sao_Paulo)']).toBe('2026-02-28 22:30:00')
      expect(row?.Day).toBe('2026-03-01')
      // An import reads the columns again, in the same zone.
      const { body } = await upload(browser, 'leads', Buffer.from(csv.text))
      const targets = body.import.mapping.map(({ target }: { target: string }) => target)
      expect(targets).toEqual(expect.arrayContaining(['created_at', `field.${moment}`, `field.${day}`]))
    },
  )

  test('customers includes their stage', async () => {
    const { admin } = await world()
    await add(admin.browser, 'customers', { name: 'Ann', next_price: 7, next_date: BEGINNING })
    const { statuses } = (await admin.browser.get('/web/v4/customers/statuses')).body._embedded
    expect(rowsOf((await asCsv(admin.browser, 'customers')).text)).toEqual([
      expect.objectContaining({ name: 'Ann', next_price: '7', next_date: NOON, status: statuses[0].name }),
    ])
  })
})

describe('Permission to export', () => {
  const leads = (exported: 'A' | 'G' | 'M' | 'D') =>
    completeRights({ leads: { view: 'A', edit: 'A', add: 'A', delete: 'A', export: exported } })

  test('includes only records that the person can see and export', async () => {
    const { admin, addPerson } = await world()
    const person = await addPerson({ rights: leads('M') })
    const blind = await addPerson({ rights: leads('D') })
    await addAll(admin.browser, 'leads', [
      { name: 'Ours' },
      { name: 'Theirs', responsible_user_id: person.id },
    ])
    expect(rowsOf((await asCsv(person.browser, 'leads')).text).map(({ name }) => name)).toEqual(['Theirs'])
    expect((await asCsv(blind.browser, 'leads')).status).toBe(403)
    expect((await blind.browser.get('/web/v4/leads?format=ndjson')).status).toBe(403)
    expect((await blind.browser.get('/web/v4/leads')).status).toBe(200)
  })

  test('of a list requires access to it, and is refused for an unpaid account', async () => {
    const { admin, addPerson, ctx, account } = await world()
    const list = await add(admin.browser, 'catalogs', { name: 'Goods' })
    const blind = await addPerson({ rights: { ...completeRights({}), catalog_access: false } })
    expect((await asCsv(blind.browser, `catalogs/${list}/elements`)).status).toBe(404)
    expect((await asCsv(admin.browser, 'catalogs/99/elements')).status).toBe(404)
    await ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('accounts').set({ paid_until: 1 }).where('id', '=', account.id).execute(),
      )
    for (const kind of kinds.slice(0, 4)) expect((await asCsv(admin.browser, kind)).status).toBe(402)
  })
})

test.each(['en', 'es', 'ru', 'pt'])(
  'an import recognizes the columns of an export for people in %s',
  async (lang) => {
    const { admin } = await world()
    await add(admin.browser, 'leads', { name: 'Roof', price: 12 })
    const csv = await admin.browser.get(`/web/v4/leads?format=csv&delimiter=semicolon&headings=${lang}`)
    const { body } = await upload(admin.browser, 'leads', Buffer.from(csv.text))
    const targets = body.import.mapping.map(({ target }: { target: string }) => target)
    expect(targets.slice(0, 7)).toEqual(['id', 'name', 'price', 'pipeline', 'stage', 'responsible', 'tags'])
    expect(targets).toContain('created_at')
  },
)
