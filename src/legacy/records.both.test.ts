import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { add, log } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { lockRecords } from '../entities/entities.ts'

const WON = 142

async function begun() {
  const place = await world()
  const api = await legacyClient(place)
  const { pipelines, custom_fields, users } = (await api.get('accounts/current')).body.response.account
  const [pipeline] = Object.values(pipelines) as { id: number; statuses: Record<string, { sort: number }> }[]
  const first = Object.values(pipeline?.statuses ?? {}).find(({ sort }) => sort === 20) as unknown as {
    id: number
  }
  return { place, api, pipeline_id: pipeline?.id, status_id: first.id, custom_fields, user: users[0] }
}

/** Field ids by name. */
async function fieldsOf({ admin }: World, type: string, drafts: object[]) {
  const made = await admin.browser.post(`/web/v4/${type}/custom_fields`, drafts)
  const fields = made.body._embedded.custom_fields as { id: number; name: string; enums: { id: number }[] }[]
  return Object.fromEntries(fields.map((field) => [field.name, field]))
}

test('values and types that nobody has are refused', async () => {
  const { place, api } = await begun()
  const fields = await fieldsOf(place, 'leads', [{ name: 'Note', type: 'text' }])
  const custom_fields = [{ id: fields.Note?.id, values: [null] }]
  const lead = await api.set('leads/set', { leads: { add: [{ name: 'Bicycle', custom_fields }] } })
  expect([lead.status, lead.body.response.error]).toEqual([
    400,
    expect.stringMatching(/^request\.leads\.add\.0\.custom_fields\.0\.values\.0\.value: /),
  ])
  for (const note_type of ['constructor', { toString: 1 }, 77, null]) {
    const added = await api.set('notes/set', {
      notes: { add: [{ element_id: 999, element_type: 2, note_type, text: 'Hi' }] },
    })
    expect([note_type, added.status]).toEqual([note_type, 400])
  }
  for (const task_type of ['constructor', { toString: 1 }]) {
    const task = { text: 'Call', complete_till: BEGINNING, task_type }
    expect((await api.set('tasks/set', { tasks: { add: [task] } })).status).toBe(400)
  }
})

describe('leads', () => {
  test('are added, changed and listed as old clients write and read them', async () => {
    const { place, api, pipeline_id, status_id, user } = await begun()
    const fields = await fieldsOf(place, 'leads', [
      { name: 'Note', type: 'text' },
      { name: 'Day', type: 'date' },
      { name: 'Paid', type: 'checkbox' },
      { name: 'Size', type: 'select', enums: [{ value: 'S' }, { value: 'M' }] },
      { name: 'Extras', type: 'multiselect', enums: [{ value: 'Bell' }, { value: 'Lamp' }] },
    ])
    const [, lamp] = fields.Extras?.enums ?? []
    const added = await api.set('leads/set', {
      leads: {
        add: [
          {
            name: 'Bicycle',
            date_create: String(BEGINNING - 60),
            status_id: String(status_id),
            price: '900',
            responsible_user_id: user.id,
            tags: 'blue, fast',
            request_id: '7',
            custom_fields: [
              { id: String(fields.Note?.id), values: [{ value: 5 }] },
              { id: fields.Day?.id, values: [{ value: '24.12.2026' }] },
              { id: fields.Paid?.id, values: [{ value: '1' }] },
              { id: fields.Size?.id, values: [{ value: 'M' }] },
              { id: fields.Extras?.id, values: [String(lamp?.id)] },
            ],
          },
          { name: 'Tent' },
        ],
      },
    })
    const [bicycle, tent] = added.body.response.leads.add.map(({ id }: { id: number }) => id)
    expect([added.status, added.body]).toEqual([
      200,
      {
        response: {
          leads: {
            add: [
              { id: bicycle, request_id: '7' },
              { id: tent, request_id: 1 },
            ],
            update: [],
          },
          server_time: BEGINNING,
        },
      },
    ])
    const changed = await api.set('leads/set', {
      leads: {
        update: [{ id: tent, last_modified: BEGINNING + 5, status_id: WON, pipeline_id, name: 'Big tent' }],
      },
    })
    expect(changed.body.response.leads).toEqual({ add: [], update: [{ id: tent, last_modified: BEGINNING }] })
    const listed = await api.get('leads/list?limit_rows=1')
    expect(listed.body.response.leads).toEqual([
      {
        id: bicycle,
        name: 'Bicycle',
        date_create: BEGINNING - 60,
        created_user_id: place.admin.id,
        last_modified: BEGINNING,
        account_id: place.account.id,
        price: 900,
        responsible_user_id: place.admin.id,
        linked_company_id: 0,
        group_id: 0,
        pipeline_id,
        date_close: 0,
        closest_task: 0,
        loss_reason_id: 0,
        deleted: 0,
        tags: [
          { id: expect.any(Number), name: 'blue' },
          { id: expect.any(Number), name: 'fast' },
        ],
        status_id,
        custom_fields: [
          { id: fields.Note?.id, name: 'Note', values: [{ value: '5' }] },
          { id: fields.Day?.id, name: 'Day', values: [{ value: '2026-12-24 00:00:00' }] },
          { id: fields.Paid?.id, name: 'Paid', values: [{ value: '1' }] },
          {
            id: fields.Size?.id,
            name: 'Size',
            values: [{ value: 'M', enum: String(fields.Size?.enums[1]?.id) }],
          },
          { id: fields.Extras?.id, name: 'Extras', values: [{ value: 'Lamp', enum: String(lamp?.id) }] },
        ],
        main_contact_id: 0,
      },
    ])
    const names = async (query: string, headers = {}) => {
      const { status, body } = await api.get(`leads/list?${query}`, headers)
      return status === 204 ? [] : body.response.leads.map(({ name }: { name: string }) => name)
    }
    expect(await names('limit_offset=1')).toEqual(['Big tent'])
    expect(await names(`id=${bicycle}`)).toEqual(['Bicycle'])
    expect(await names(`id[]=${bicycle}&id[]=${tent}`)).toEqual(['Bicycle', 'Big tent'])
    expect(await names('query=tent')).toEqual(['Big tent'])
    expect(await names(`status[]=${WON}`)).toEqual(['Big tent'])
    expect(await names('status=999999')).toEqual([])
    expect(await names(`responsible_user_id=${place.admin.id + 1}`)).toEqual([])
    const since = new Date((BEGINNING + 1) * 1000).toUTCString()
    expect(await names('', { 'if-modified-since': since })).toEqual([])
    expect(await names('', { 'if-modified-since': new Date(BEGINNING * 1000).toUTCString() })).toHaveLength(2)
  })

  test('structured values and dates with a time are shown as text, and stay when they are written back', async () => {
    const { place, api } = await begun()
    const { browser } = place.admin
    const [list] = (await browser.post('/web/v4/catalogs', [{ name: 'Models' }])).body._embedded.catalogs
    const [model] = (await browser.post(`/web/v4/catalogs/${list.id}/elements`, [{ name: 'Aria' }])).body
      ._embedded.elements
    const chained_lists = [{ title: 'Model', catalog_id: list.id, parent_catalog_id: null }]
    const { Buyer, Model, Day } = await fieldsOf(place, 'leads', [
      { name: 'Buyer', type: 'legal_entity' },
      { name: 'Model', type: 'chained_list', chained_lists },
      { name: 'Day', type: 'date' },
    ])
    const chosen = { catalog_id: list.id, catalog_element_id: model.id }
    const custom_fields_values = [
      { field_id: Buyer?.id, values: [{ value: { name: 'Acme', vat_id: '77' } }] },
      { field_id: Model?.id, values: [chosen] },
      { field_id: Day?.id, values: [{ value: 1_795_101_144 }] },
    ]
    const lead = await add(browser, 'leads', { name: 'Bicycle', custom_fields_values })
    const [read] = (await api.get(`leads/list?id=${lead}`)).body.response.leads
    expect(read.custom_fields.map(({ values }: { values: object[] }) => values)).toEqual([
      [{ value: '{"name":"Acme","vat_id":"77"}' }],
      [{ value: JSON.stringify(chosen) }],
      [{ value: '2026-11-19 15:12:24' }],
    ])
    const before = (await browser.get(`/web/v4/leads/${lead}`)).body
    const written = await api.set('leads/set', { leads: { update: [read] } })
    expect([written.status, (await browser.get(`/web/v4/leads/${lead}`)).body]).toEqual([200, before])
    for (const value of ['{"name":', '[', '{"a":1,"a":2}', '5'])
      for (const id of [Buyer?.id, Model?.id]) {
        const custom_fields = [{ id, values: [{ value }] }]
        expect(
          (await api.set('leads/set', { leads: { update: [{ id: lead, custom_fields }] } })).status,
        ).toBe(400)
      }
  })

  test('a batch with one invalid item is refused as a whole, with the path of the fault', async () => {
    const { place, api } = await begun()
    const before = await log(place.ctx)
    const answer = await api.set('leads/set', {
      leads: { add: [{ name: 'A' }, { name: 'B', price: 'much' }, { name: 'C', status_id: 999_999 }] },
    })
    expect([answer.status, answer.body.response.error_code]).toEqual([400, 400])
    expect(answer.body.response.error).toContain('request.leads.add.1.price: This value should be of type ')
    const later = await api.set('leads/set', { leads: { add: [{ name: 'A' }, { status_id: 999_999 }] } })
    expect(later.body.response.error).toContain('request.leads.add.1.status_id: ')
    const mixed = await api.set('leads/set', {
      leads: { add: [{ name: 'A' }], update: [{ id: 999_999, name: 'B' }] },
    })
    expect(mixed.status).toBeGreaterThanOrEqual(400)
    expect((await api.get('leads/list')).status).toBe(204)
    expect(await log(place.ctx)).toEqual(before)
  })
})

describe('contacts and companies', () => {
  test('are linked to leads and to each other', async () => {
    const { place, api, custom_fields } = await begun()
    const idOf = (code: string) =>
      custom_fields.contacts.find((field: { code: string }) => field.code === code).id
    const lead = (await api.set('leads/set', { leads: { add: { 0: { name: 'Bicycle' } } } })).body.response
      .leads.add[0].id
    const added = await api.set('contacts/set', {
      contacts: {
        add: [
          {
            name: 'Jo Field',
            company_name: 'Field Ltd',
            linked_leads_id: [String(lead)],
            custom_fields: [
              { id: idOf('PHONE'), values: [{ value: '+441134960000', enum: 'WORK' }] },
              { id: idOf('EMAIL'), values: [{ value: 'jo@field.example', enum: 'PRIV' }] },
            ],
          },
          { name: 'Al Field', company_name: 'field ltd' },
        ],
      },
    })
    const [jo, al] = added.body.response.contacts.add.map(({ id }: { id: number }) => id)
    const contacts = (await api.get('contacts/list?query=jo')).body.response.contacts
    const [company] = (await api.get('company/list')).body.response.contacts
    expect(contacts).toEqual([
      {
        id: jo,
        name: 'Jo Field',
        last_modified: BEGINNING,
        account_id: place.account.id,
        date_create: BEGINNING,
        created_user_id: place.admin.id,
        modified_user_id: place.admin.id,
        responsible_user_id: place.admin.id,
        group_id: 0,
        closest_task: 0,
        linked_company_id: company.id,
        company_name: 'Field Ltd',
        type: 'contact',
        tags: [],
        custom_fields: [
          {
            id: Number(idOf('PHONE')),
            name: 'Phone',
            code: 'PHONE',
            values: [{ value: '+441134960000', enum: expect.stringMatching(/^\d+$/) }],
          },
          {
            id: Number(idOf('EMAIL')),
            name: 'Email',
            code: 'EMAIL',
            values: [{ value: 'jo@field.example', enum: expect.stringMatching(/^\d+$/) }],
          },
        ],
        linked_leads_id: [lead],
      },
    ])
    expect([company.name, company.type]).toEqual(['Field Ltd', 'company'])
    const [other] = (await api.get(`contacts/list?id=${al}`)).body.response.contacts
    expect(other.linked_company_id).toBe(company.id)
    expect((await api.get('leads/list')).body.response.leads[0].main_contact_id).toBe(jo)
    await api.set('company/set', {
      contacts: { update: [{ id: company.id, name: 'Field & Co', linked_leads_id: lead }] },
    })
    const [renamed] = (await api.get('company/list')).body.response.contacts
    expect([renamed.name, renamed.linked_leads_id]).toEqual(['Field & Co', [lead]])
  })
})

/** Only PostgreSQL has concurrent writers. */
test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'an addition and an update in one request lock in the order of all writers',
  async () => {
    const { place, api } = await begun()
    const { ctx, account, admin } = place
    const contact = await add(admin.browser, 'contacts', { name: 'Ann' })
    const lead = await add(admin.browser, 'leads', { name: 'Roof' })
    const request = {
      contacts: {
        add: [{ name: 'Ben', linked_leads_id: [lead] }],
        update: [{ id: contact, last_modified: ctx.now(), name: 'Anna' }],
      },
    }
    let answer: ReturnType<typeof api.set> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await lockRecords(tx, account.id, [{ entity_type: 'contacts', id: contact }])
      answer = api.set('contacts/set', request)
      await someoneWaits(ctx)
      await sql`set local lock_timeout = 100`.execute(tx)
      await lockRecords(tx, account.id, [{ entity_type: 'leads', id: lead }])
    })
    expect((await answer)?.status).toBe(200)
  },
)

test('the list of contacts is that of companies if their type is asked for', async () => {
  const { api } = await begun()
  await add(api.v4, 'contacts', { name: 'Ann Lee' })
  await add(api.v4, 'companies', { name: 'Acme' })
  const listed = async (query: string) =>
    (await api.get(`contacts/list?${query}`)).body.response.contacts.map(
      ({ name, type }: { name: string; type: string }) => [name, type],
    )
  expect(await listed('type=company')).toEqual([['Acme', 'company']])
  for (const query of ['', 'type=contact']) expect(await listed(query)).toEqual([['Ann Lee', 'contact']])
  expect((await api.get('company/list')).body.response.contacts).toHaveLength(1)
})
