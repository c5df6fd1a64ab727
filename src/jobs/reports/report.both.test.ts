import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { imported, moved, upload } from '../../../test/fixtures/jobs.ts'
import { add, addAll, traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import en from '../../../web/i18n/en/app.json' with { type: 'json' }
import es from '../../../web/i18n/es/app.json' with { type: 'json' }
import pt from '../../../web/i18n/pt/app.json' with { type: 'json' }
import ru from '../../../web/i18n/ru/app.json' with { type: 'json' }
import type { Language } from '../../events/event-types.ts'
import type { ReportedRow } from '../imports/schemas.ts'
import { faultCodes, faultCodeText } from './fault-words.ts'

const phone = (value: string) => ({ field_code: 'PHONE', values: [{ value }] })

/** The position, outcome and reasons of each reported row. */
const rowsOf = ({ body }: Answer) =>
  body._embedded.rows.map(({ row, outcome, entity_id, faults }: ReportedRow) => [
    row,
    outcome,
    entity_id,
    ...faults.map(({ column, detail }) => [column, detail]),
  ])

const EXISTS = 'A record with this phone number already exists.'
const NO_PHONE = 'This does not look like a phone number.'
const NO_ADDRESS = 'This does not look like an e-mail address.'
const NOBODY = 'Nobody has this name or e-mail.'

/** An import with each kind of reported row once, among rows that are not reported. */
async function mixed(here: World) {
  const { browser } = here.admin
  const ann = await add(browser, 'contacts', {
    name: 'Ann',
    custom_fields_values: [phone('8 (999) 111-22-33')],
  })
  const csv = [
    'Name,E-mail,Phone,Responsible',
    'Bob,bob@example.com,+1 555 010 0101,',
    'Anna,anna@example.com,"ask her; +7 999 111 22 33",',
    'Cid,not-an-email,not a phone,',
    'Dan,dan@example.com,,Nobody',
    'Eve,eve@example.com,,',
  ].join('\n')
  return { ann, job: await imported(here, browser, 'contacts', csv) }
}

describe('The report of a job', () => {
  test('lists skipped and rejected rows and warnings, with reasons', async () => {
    const here = await world()
    const { browser } = here.admin
    const { ann, job } = await mixed(here)
    expect(job).toMatchObject({ state: 'done', added: 3, skipped: 1, failed: 1, warned: 1 })
    const report = await browser.get(`/web/v4/jobs/${job.id}/report`)
    const cid = (await browser.get('/web/v4/contacts?query=Cid')).body._embedded.contacts[0].id
    expect(rowsOf(report)).toEqual([
      [2, 'skipped', ann, [2, EXISTS]],
      [3, 'added', cid, [1, NO_ADDRESS], [2, NO_PHONE]],
      [4, 'failed', null, [3, NOBODY]],
    ])
    expect(report.body.next).toBeNull()
    expect(report.body._embedded.rows[1].cells).toEqual(['Cid', 'not-an-email', 'not a phone', ''])
  })

  test('can be filtered by outcome and is paged', async () => {
    const here = await world()
    const { browser } = here.admin
    const { job } = await mixed(here)
    const rowsOf = async (query: string) => {
      const { body } = await browser.get(`/web/v4/jobs/${job.id}/report?${query}`)
      return [body._embedded.rows.map(({ row }: { row: number }) => row), body.next]
    }
    expect(await rowsOf('filter[outcome]=warned')).toEqual([[3], null])
    expect(await rowsOf('filter[outcome]=failed,skipped')).toEqual([[2, 4], null])
    // An empty list has no body (V4).
    expect((await browser.get(`/web/v4/jobs/${job.id}/report?filter[outcome][]=kept`)).status).toBe(204)
    expect(await rowsOf('limit=2')).toEqual([[2, 3], 3])
    expect(await rowsOf('limit=2&after=3')).toEqual([[4], null])
    const refused = await browser.get(`/web/v4/jobs/${job.id}/report?filter[outcome]=added`)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('filter.outcome')
    expect(refused.text).toContain('failed, kept, skipped, warned')
  })

  test('is a file with one line per reason', async () => {
    const here = await world()
    const { browser } = here.admin
    const { ann, job } = await mixed(here)
    const file = await browser.get(`/web/v4/jobs/${job.id}/report?format=csv&filter[outcome]=skipped,warned`)
    expect(file.headers['content-disposition']).toBe(`attachment; filename="report-${job.id}.csv"`)
    const [head, ...lines] = file.text.replace('\ufeff', '').trim().split('\r\n')
    expect(head).toBe('"row","result","record","column","value","reason"')
    expect(lines[0]).toBe(`2,"skipped",${ann},"Phone","ask her;' +7 999 111 22 33","${EXISTS}"`)
    expect(lines[1]).toMatch(/^3,"added",\d+,"E-mail","not-an-email","This does not look/)
    expect(lines[2]).toMatch(/^3,"added",\d+,"Phone","not a phone","This does not look/)
    expect(lines).toHaveLength(3)
  })

  test('is in the language of its reader on request, with the reasons', async () => {
    const here = await world()
    const { browser } = here.admin
    const { job } = await mixed(here)
    const at = `/web/v4/jobs/${job.id}`
    const file = await browser.get(`${at}/report?format=csv&filter[outcome]=warned&headings=ru`)
    const [head, line] = file.text.replace('\ufeff', '').split('\r\n')
    expect(head).toBe('"Строка","Результат","ID записи","Столбец","Значение","Причина"')
    expect(line).toMatch(/^3,"Добавлена",\d+,"E-mail","not-an-email","Это не похоже на адрес почты."$/)
    const failures = (await browser.get(`${at}/failures?format=csv&headings=es`)).text.split('\r\n')
    expect(failures[0]).toMatch(/,"Motivo del rechazo"$/)
    expect(failures[1]).toMatch(/"[^"]*(?:No|Nadie|Escriba) [^"]*"$/)
    expect((await browser.get(`${at}/report?format=csv&headings=fr`)).status).toBe(400)
  })

  onEmbedded.each([
    ['ru', 'Site: Неверный формат.'],
    ['en', 'Site: This value is not a valid URL.'],
  ])('names in %s what the rules of records refuse', async (language, reason) => {
    const here = await world()
    const { browser } = here.admin
    await add(browser, 'leads/custom_fields', { name: 'Site', type: 'url' })
    const job = await imported(here, browser, 'leads', 'Name,Site\nRoof,javascript:a\n')
    expect(job).toMatchObject({ added: 0, failed: 1 })
    const file = await browser.get(`/web/v4/jobs/${job.id}/failures?format=csv&headings=${language}`)
    expect(file.text).toContain(`,"${reason}`)
  })

  onEmbedded(
    'names the column of a value that the rules of records refuse, unless several columns can have it',
    async () => {
      const here = await world()
      const { browser } = here.admin
      await add(browser, 'contacts/custom_fields', { name: 'Site', type: 'url' })
      const csv = [
        'Name,Work phone,Mobile phone,Site,Created at',
        `${'x'.repeat(256)},,,,`,
        'Bob,,,javascript:a,',
        `Cid,${'1'.repeat(1_025)},,,`,
        `Dan,${'1'.repeat(1_025)},+44 113 496 0000,,`,
      ]
      const job = await imported(here, browser, 'contacts', `${csv.join('\n')}\n`)
      expect(job).toMatchObject({ added: 0, failed: 4 })
      const { body } = await browser.get(`/web/v4/jobs/${job.id}/failures`)
      const columns = body._embedded.failures.map(({ faults }: { faults: { column: number | null }[] }) =>
        faults.map(({ column }) => column),
      )
      expect(columns).toEqual([[0], [3], [1], [null]])
    },
  )

  test('includes unchanged rows, and after undoing those that could not be undone', async () => {
    const here = await world()
    const { browser } = here.admin
    const [same, other] = await addAll(browser, 'contacts', [
      { name: 'Same', custom_fields_values: [phone('+1 555 010 0001')] },
      { name: 'Other', custom_fields_values: [phone('+1 555 010 0002')] },
    ])
    const csv = 'Name,Phone,E-mail\nSame,+1 555 010 0001,\nNew,+1 555 010 0002,nowhere\n'
    const update = { duplicates: { match: ['phone'], action: 'update' } }
    const job = await imported(here, browser, 'contacts', csv, update)
    expect(job).toMatchObject({ changed: 1, skipped: 1, warned: 1 })
    expect(rowsOf(await browser.get(`/web/v4/jobs/${job.id}/report`))).toEqual([
      [1, 'skipped', same, [null, 'The record already has these values.']],
      [2, 'changed', other, [2, NO_ADDRESS]],
    ])
    await browser.patch(`/web/v4/contacts/${other}`, { name: 'Newer' })
    expect(await moved(here, browser, job.id, 'undo')).toMatchObject({ undone: 0, kept: 1 })
    expect(rowsOf(await browser.get(`/web/v4/jobs/${job.id}/report`))).toMatchObject([
      [1, 'skipped', same, [null, 'The record already has these values.']],
      [2, 'kept', other, [null, expect.stringMatching('Changed since')]],
    ])
  })

  onEmbedded('warns about values of related records and about invalid phone numbers', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv =
      'Lead,Contact,Phone,Email\nOne,Ann,tomorrow,ann@example\nTwo,Bob,+1 (555) 010-0102,bob@example.co.uk\n'
    const job = await imported(here, browser, 'leads', csv)
    expect(job).toMatchObject({ added: 2, warned: 1 })
    expect(rowsOf(await browser.get(`/web/v4/jobs/${job.id}/report`))).toMatchObject([
      [1, 'added', expect.any(Number), [2, NO_PHONE], [3, NO_ADDRESS]],
    ])
  })
})

test('People with invalid addresses do not match each other', async () => {
  const here = await world()
  const { browser } = here.admin
  const csv = 'Name,E-mail\nAnn,n/a\nBob,n/a\nCid,cid@example.com\nCid again,CID@example.com\n'
  for (const count of [
    { added: 3, skipped: 1 },
    { added: 2, skipped: 2 },
  ])
    expect(await imported(here, browser, 'contacts', csv)).toMatchObject({ ...count, warned: 2 })
})

describe('A preview', () => {
  test('shows the requested number of rows with reasons and warnings, and stores nothing', async () => {
    const here = await world()
    const { browser } = here.admin
    const lines = Array.from({ length: 60 }, (_, i) => `Person ${i + 1},p${i + 1}@example.com`)
    const csv = `Name,E-mail\n${lines.join('\n')}\nLast,nowhere\nAgain,P3@example.com\n`
    const { body: draft } = await upload(browser, 'contacts', csv)
    const at = `/web/v4/jobs/${draft.id}/preview`
    expect((await browser.get(at)).body._embedded.rows).toHaveLength(20)
    const before = await traces(here.ctx)
    const rows = rowsOf(await browser.get(`${at}?limit=250`))
    expect(await traces(here.ctx)).toEqual(before)
    expect(rows).toHaveLength(62)
    expect(rows.at(-2)).toEqual([61, 'added', null, [1, NO_ADDRESS]])
    expect(rows.at(-1)).toMatchObject([
      62,
      'skipped',
      expect.any(Number),
      [1, 'A record with this e-mail address already exists.'],
    ])
    const long = `Name,E-mail,Tags\n${'x'.repeat(300)},a@example.com,${Array.from({ length: 251 }, (_, i) => `t${i}`).join(';')}\n`
    const { body: other } = await upload(browser, 'contacts', long)
    const [row] = (await browser.get(`/web/v4/jobs/${other.id}/preview`)).body._embedded.rows
    expect(row.cells.map(({ length }: string) => length)).toEqual([200, 13, 200])
    expect(row.faults.map(({ detail }: { detail: string }) => detail)).toEqual([
      'This value is too long. It should have 255 characters or less.',
      'This cell has more than 250 values.',
    ])
    for (const limit of [0, 251, 'many']) {
      const refused = await browser.get(`${at}?limit=${limit}`)
      expect([refused.status, refused.text.includes('limit')]).toEqual([400, true])
    }
  })

  onEmbedded('and the list of failures have the beginnings of cells, and a file has them whole', async () => {
    const here = await world()
    const { admin } = here
    const name = 'x'.repeat(300)
    const { id } = await imported(here, admin.browser, 'contacts', `Name\n${name}\n`)
    const at = `/web/v4/jobs/${id}`
    const [failure] = (await admin.browser.get(`${at}/failures`)).body._embedded.failures
    const [row] = (await admin.browser.get(`${at}/report`)).body._embedded.rows
    expect([failure.cells, row.cells]).toEqual([[name.slice(0, 200)], [name.slice(0, 200)]])
    expect((await admin.browser.get(`${at}/failures?format=csv`)).text).toContain(name)
  })

  onEmbedded('is made after the others that the account waits for, up to fifty', async () => {
    const here = await world()
    const { browser } = here.admin
    const { body: draft } = await upload(browser, 'contacts', 'Name\nAnn\n')
    const asked = Array.from({ length: 60 }, () => browser.get(`/web/v4/jobs/${draft.id}/preview`))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect((await browser.get(`/web/v4/jobs/${draft.id}/preview`)).status).toBe(200)
  })
})

test('Files of reports have the words of the pages for faults', () => {
  const pages = { en, es, ru, pt }
  for (const [language, { faults }] of Object.entries(pages))
    for (const code of faultCodes)
      expect([language, code, faultCodeText(code, language as Language)]).toEqual([
        language,
        code,
        faults[code],
      ])
})
