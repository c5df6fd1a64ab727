import { expect, test } from 'vitest'
import { imported, upload } from '../../../test/fixtures/jobs.ts'
import { type World, world } from '../../../test/world.ts'

const addField = async ({ admin }: World, kind: string, draft: object): Promise<number> => {
  const answer = await admin.browser.post(`/web/v4/${kind}/custom_fields`, [draft])
  return answer.body._embedded.custom_fields[0].id
}
const choices = (...values: string[]) => ({ enums: values.map((value, sort) => ({ value, sort })) })

test('every type that a cell can express is written, and is detected by its column name', async () => {
  const here = await world()
  const { browser } = here.admin
  const types: [type: string, name: string, cell: string, value: unknown, more?: object][] = [
    ['text', 'Note', ' as it is ', 'as it is'],
    ['numeric', 'Weight', '1.234,5 kg', '1234.5'],
    ['monetary', 'Debt', '€ 1 200', '1200'],
    ['checkbox', 'Loyal', 'да', true],
    ['select', 'Source', 'shop', 'Shop', choices('Shop', 'Fair')],
    ['multiselect', 'Tastes', 'Sweet; salt', ['Sweet', 'Salt'], choices('Sweet', 'Salt', 'Sour')],
    ['date', 'Visit', '24.12.2025', Date.UTC(2025, 11, 24) / 1000],
    ['birthday', 'Born', '1990-05-04', Date.UTC(1990, 4, 4) / 1000],
    ['date_time', 'Called', '24.12.2025 18:30', Date.UTC(2025, 11, 24, 18, 30) / 1000],
    ['url', 'Page', 'https://example.com/a', 'https://example.com/a'],
    ['textarea', 'Story', 'long; text', 'long; text'],
    ['radiobutton', 'Size', 'L', 'L', choices('S', 'L')],
    ['legal_entity', 'Legal', 'Acme Ltd', { name: 'Acme Ltd' }],
  ]
  const ids: number[] = []
  for (const [type, name, , , more] of types)
    ids.push(await addField(here, 'contacts', { type, name, ...more }))
  const quoted = (cell: string) => `"${cell}"`
  const head = ['Nombre', ...types.map(([, name]) => name)].join(';')
  const row = ['Ann', ...types.map(([, , cell]) => quoted(cell))].join(';')
  const job = await imported(here, browser, 'contacts', `${head}\n${row}\n`)
  expect(job.import.mapping).toEqual([
    { column: 0, target: 'name' },
    ...ids.map((id, i) => ({ column: i + 1, target: `field.${id}` })),
  ])
  expect((await browser.get(`/web/v4/jobs/${job.id}/failures`)).status).toBe(204)
  const [contact] = (await browser.get('/web/v4/contacts')).body._embedded.contacts
  const values = new Map<number, { value: unknown }[]>(
    contact.custom_fields_values.map(({ field_id, values }: { field_id: number; values: [] }) => [
      field_id,
      values,
    ]),
  )
  for (const [i, [type, , , value]] of types.entries())
    expect([type, values.get(ids[i] as number)?.map((one) => one.value)]).toEqual([
      type,
      Array.isArray(value) ? value : [value],
    ])
})

test('an invalid choice, number, date or yes is reported with its column', async () => {
  const here = await world()
  const { browser } = here.admin
  await addField(here, 'contacts', { type: 'select', name: 'Source', ...choices('Shop') })
  await addField(here, 'contacts', { type: 'numeric', name: 'Weight' })
  await addField(here, 'contacts', { type: 'date', name: 'Visit' })
  await addField(here, 'contacts', { type: 'checkbox', name: 'Loyal' })
  await addField(here, 'contacts', { type: 'url', name: 'Page' })
  const csv = 'Name,Source,Weight,Visit,Loyal,Page\nAnn,Mall,heavy,31.02.2026,perhaps,javascript:alert(1)\n'
  const job = await imported(here, browser, 'contacts', csv)
  const [failure] = (await browser.get(`/web/v4/jobs/${job.id}/failures`)).body._embedded.failures
  expect(failure.faults.map(({ column }: { column: number }) => column)).toEqual([1, 2, 3, 4])
  const mended = await imported(here, browser, 'contacts', 'Name,Page\nAnn,javascript:alert(1)\n')
  expect(mended).toMatchObject({ added: 0, failed: 1 })
})

test('locked fields and fields of services cannot be targets', async () => {
  const here = await world()
  const open = await addField(here, 'leads', { type: 'text', name: 'Open' })
  const closed = await addField(here, 'leads', { type: 'text', name: 'Closed', is_api_only: true })
  const { body } = await upload(here.admin.browser, 'leads', 'Open,Closed\na,b\n')
  expect(body.import.mapping).toEqual([{ column: 0, target: `field.${open}` }])
  const mapping = [{ column: 1, target: `field.${closed}` }]
  const refused = await here.admin.browser.patch(`/web/v4/jobs/${body.id}`, { mapping })
  expect([refused.status, refused.body['validation-errors'][0].errors[0].path]).toEqual([
    400,
    'mapping.0.target',
  ])
})

test('a lead finds its stage, pipeline, people, contact and company', async () => {
  const here = await world()
  const { browser } = here.admin
  const eve = await here.addPerson({ name: 'Eve Stone', email: 'eve@example.com' })
  const [main] = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
  const stage = main._embedded.statuses.filter(({ type }: { type: number }) => type === 0)[1]
  const csv = [
    'Deal,Budget,Stage,Owner,Tags,Contact,Email,Phone,Company,Created',
    `One,"1,200",${stage.name.toUpperCase()},eve stone,"a, b",Ann,ann@example.com,,Acme,2024-01-02`,
    `Two,5,${stage.name},${eve.email},,Ann again,ANN@example.com,,acme,`,
  ].join('\n')
  const job = await imported(here, browser, 'leads', csv, {
    defaults: { tags: ['spring'], responsible_user_id: here.admin.id },
  })
  expect((await browser.get(`/web/v4/jobs/${job.id}/failures`)).status).toBe(204)
  const { leads } = (await browser.get('/web/v4/leads?with=contacts')).body._embedded
  expect(leads).toMatchObject([
    {
      name: 'One',
      price: 1200,
      status_id: stage.id,
      responsible_user_id: eve.id,
      created_at: Date.UTC(2024, 0, 2) / 1000,
    },
    { name: 'Two', status_id: stage.id, responsible_user_id: eve.id },
  ])
  const tags = leads.map((lead: { _embedded: { tags: { name: string }[] } }) =>
    lead._embedded.tags.map(({ name }) => name).sort(),
  )
  expect(tags).toEqual([['a', 'b', 'spring'], ['spring']])
  const { contacts } = (await browser.get('/web/v4/contacts')).body._embedded
  expect(contacts).toMatchObject([{ name: 'Ann', responsible_user_id: eve.id }])
  expect(leads.map((lead: typeof contacts) => lead._embedded.contacts[0].id)).toEqual([
    contacts[0].id,
    contacts[0].id,
  ])
  expect((await browser.get('/web/v4/companies')).body._embedded.companies).toHaveLength(1)
})

test('a mapping is refused for an unknown column or target, a duplicate, or a foreign stage', async () => {
  const here = await world()
  const { browser } = here.admin
  const { body } = await upload(browser, 'leads', 'Deal,Budget\nOne,1\n')
  const at = `/web/v4/jobs/${body.id}`
  const refused: [object, string][] = [
    [{ mapping: [{ column: 2, target: 'name' }] }, 'mapping.0.column'],
    [{ mapping: [{ column: 0, target: 'colour' }] }, 'mapping.0.target'],
    [
      {
        mapping: [
          { column: 0, target: 'name' },
          { column: 1, target: 'name' },
        ],
      },
      'mapping.1.target',
    ],
    [
      {
        mapping: [
          { column: 0, target: 'name' },
          { column: 0, target: 'price' },
        ],
      },
      'mapping.1.column',
    ],
    [{ duplicates: { match: ['phone'], action: 'skip' } }, 'duplicates.match'],
    [{ defaults: { responsible_user_id: 99 } }, 'defaults.responsible_user_id'],
    [{ defaults: { pipeline_id: 99 } }, 'defaults.pipeline_id'],
    [{ defaults: { status_id: 142 } }, 'defaults.pipeline_id'],
  ]
  for (const [patch, path] of refused) {
    const answer = await browser.patch(at, patch)
    expect([answer.status, answer.body['validation-errors'][0].errors[0].path]).toEqual([400, path])
  }
  expect((await browser.patch(at, { mapping: [] })).status).toBe(200)
  expect((await browser.post(`${at}/start`)).status).toBe(400)
})
