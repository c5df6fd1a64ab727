import { describe, expect, test } from 'vitest'
import { imported, moved, upload } from '../../../test/fixtures/jobs.ts'
import { add, traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

describe('An import', () => {
  test('goes from a file to records: columns, mapping, preview, start, result', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv =
      'Name,E-mail,Phone,Colour\r\nAnn Lee,ann@example.com,+1 555 010 0101,red\r\nBob,bob@example.com,,blue\r\n'
    const answer = await upload(browser, 'contacts', csv, 'people.csv')
    expect(answer.status).toBe(200)
    const draft = answer.body
    const fields = await fieldsOf(here)
    expect(draft).toMatchObject({
      ...{ kind: 'import', entity_type: 'contacts', state: 'draft', total: 2, done: 0, name: 'people.csv' },
      import: {
        encoding: 'utf-8',
        delimiter: ',',
        columns: ['Name', 'E-mail', 'Phone', 'Colour'],
        rows: [
          ['Ann Lee', 'ann@example.com', '+1 555 010 0101', 'red'],
          ['Bob', 'bob@example.com', '', 'blue'],
        ],
        mapping: [
          { column: 0, target: 'name' },
          { column: 1, target: `field.${fields.EMAIL}` },
          { column: 2, target: `field.${fields.PHONE}` },
        ],
        duplicates: { match: ['phone', 'email'], action: 'skip' },
      },
    })
    const before = await traces(here.ctx)
    const preview = await browser.get(`/web/v4/jobs/${draft.id}/preview`)
    expect(preview.body._embedded.rows).toMatchObject([
      { row: 1, outcome: 'added', entity_id: null, written: { name: 'Ann Lee' }, faults: [] },
      { row: 2, outcome: 'added', written: { name: 'Bob' }, faults: [] },
    ])
    expect(await traces(here.ctx)).toEqual(before)

    expect((await browser.post(`/web/v4/jobs/${draft.id}/start`)).body.state).toBe('waiting')
    await here.app.runner.runDue()
    const done = (await browser.get(`/web/v4/jobs/${draft.id}`)).body
    expect(done).toMatchObject({ state: 'done', total: 2, done: 2, added: 2, failed: 0, can_undo: true })
    const { contacts } = (await browser.get('/web/v4/contacts?query=ann')).body._embedded
    expect(contacts).toMatchObject([{ name: 'Ann Lee', created_by: here.admin.id }])
    expect(contacts[0].custom_fields_values).toMatchObject([
      { field_code: 'PHONE', values: [{ value: '+1 555 010 0101', enum_code: 'WORK' }] },
      { field_code: 'EMAIL', values: [{ value: 'ann@example.com', enum_code: 'WORK' }] },
    ])
    const events = await here.ctx.db.selectFrom('events').select('type').execute()
    expect(events.length).toBeGreaterThan(2)
  })

  test('returns the same draft for a repeated key, and refuses another file with that key', async () => {
    const { browser } = (await world()).admin
    const key = { 'idempotency-key': 'people' }
    const first = await upload(browser, 'contacts', 'Name\nAnn\n', 'people.csv', key)
    expect(first.status).toBe(200)
    const again = await upload(browser, 'contacts', 'Name\nAnn\n', 'people.csv', key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    const other = await upload(browser, 'contacts', 'Name\nAnn\nBob\n', 'people.csv', key)
    expect(other.status).toBe(409)
    expect(other.body.type).toMatch(/#idempotency_key_reused$/)
    expect((await browser.get('/web/v4/jobs')).body._embedded.jobs).toHaveLength(1)
  })

  test('stores a rejected row with its fault and continues', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv =
      'Lead,Budget,Responsible,Stage\nOne,"1 200,50",Ada,\nTwo,many,,\nThree,,Nobody,\nFour,7,,No such stage\nFive,8,,,extra\n'
    const job = await imported(here, browser, 'leads', csv)
    expect(job).toMatchObject({ state: 'done', added: 1, failed: 4 })
    const { failures } = (await browser.get(`/web/v4/jobs/${job.id}/failures`)).body._embedded
    expect(failures).toMatchObject([
      {
        row: 2,
        outcome: 'failed',
        cells: ['Two', 'many', '', ''],
        faults: [{ column: 1, reason: 'not_a_number', code: 'InvalidFormat' }],
      },
      { row: 3, faults: [{ column: 2, reason: 'no_such_person', code: 'NotSupportedChoice' }] },
      { row: 4, faults: [{ column: 3, reason: 'no_such_stage', code: 'NotSupportedChoice' }] },
      { row: 5, faults: [{ column: null, reason: 'too_many_cells', code: 'TooMany' }] },
    ])
    const file = await browser.get(`/web/v4/jobs/${job.id}/failures?format=csv`)
    expect(file.headers['content-type']).toMatch(/^text\/csv/)
    expect(file.text).toMatch(
      /^\ufeff"Lead","Budget","Responsible","Stage","import_error"\r\n"Two","many","","","Budget: This value is not a number."\r\n/,
    )
    const { leads } = (await browser.get('/web/v4/leads')).body._embedded
    expect(leads).toMatchObject([
      { name: 'One', price: 1200, price_with_minor_units: 1200.5, responsible_user_id: here.admin.id },
    ])
  })

  test('skips, updates or adds existing records', async () => {
    const here = await world()
    const { browser } = here.admin
    const known = await add(browser, 'contacts', {
      name: 'Ann',
      custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '8 (999) 111-22-33' }] }],
    })
    const csv = 'Name,Phone\nAnna,+7 999 111 22 33\nNew,+7 999 000 00 00\nNew again,8 999 000 00 00\n'
    expect(await imported(here, browser, 'contacts', csv)).toMatchObject({ added: 1, skipped: 2 })
    const update = { duplicates: { match: ['phone'], action: 'update' } }
    expect(await imported(here, browser, 'contacts', csv, update)).toMatchObject({
      added: 0,
      changed: 2,
      skipped: 1,
    })
    expect((await browser.get(`/web/v4/contacts/${known}`)).body.name).toBe('Anna')
    const again = { duplicates: { match: ['phone'], action: 'add' } }
    expect(await imported(here, browser, 'contacts', csv, again)).toMatchObject({ added: 3 })
  })
})

async function fieldsOf({ admin }: World): Promise<Record<string, number>> {
  const { body } = await admin.browser.get('/web/v4/contacts/custom_fields')
  return Object.fromEntries(
    body._embedded.custom_fields.map(({ code, id }: { code: string; id: number }) => [code, id]),
  )
}

test('the file of an import is deleted when the import has ended', async () => {
  const here = await world()
  const { browser } = here.admin
  const keys = async () =>
    (await Array.fromAsync(here.ctx.files.keys())).filter((key) => key.startsWith('imports/'))
  const csv = 'Name\nAnn\n'
  const done = await imported(here, browser, 'contacts', csv)
  expect([done.state, await keys()]).toEqual(['done', []])
  expect(await moved(here, browser, done.id, 'undo')).toMatchObject({ state: 'undone', undone: 1 })
  const draft = (await upload(browser, 'contacts', csv)).body
  expect(await keys()).toHaveLength(1)
  expect((await browser.post(`/web/v4/jobs/${draft.id}/cancel`)).body.state).toBe('cancelled')
  await expect.poll(keys).toEqual([])
})
