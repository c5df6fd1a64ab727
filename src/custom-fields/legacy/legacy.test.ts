import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { add } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { eraseValues } from '../../entities/entities.ts'

const SET = '/private/api/v2/json/fields/set'

/** A caller with an administrator's token, and its world. */
async function begun() {
  const place = await world()
  return { place, api: await connected(place) }
}

async function connected({ admin, stranger }: World, draft = {}): Promise<Client> {
  const token = (await connect(stranger, await register(admin, draft))).access_token
  return stranger.as({ token })
}

const request = (fields: object) => ({ request: { fields } })
const text = { name: 'Size', type: 1, element_type: 2, origin: 'shop' }

const set = (api: Client, fields: object) => api.post(SET, request(fields))

async function add_(api: Client, draft: object): Promise<number> {
  const answer = await set(api, { add: [{ ...text, ...draft }] })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.response.fields.add[0].id
}

async function traces({ ctx }: World) {
  const fields = await ctx.db.selectFrom('custom_fields').selectAll().orderBy('id').execute()
  const log = await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  const values = await ctx.db.selectFrom('field_values').selectAll().execute()
  return { fields, log: log.filter(({ action }) => action.startsWith('field')), values }
}

describe('fields/set (the legacy operation)', () => {
  test('adds fields in a batch, and returns them by record kind and all together', async () => {
    const { api } = await begun()
    const answer = await set(api, {
      add: [
        { ...text, request_id: 17 },
        { ...text, name: 'Colour', type: 4, element_type: 1, enums: ['Red', 'Blue'] },
        { ...text, name: 'Day', type: 6, element_type: 3, request_id: 1, disabled: 0 },
        { ...text, name: 'More' },
      ],
    })
    const [size, colour, day, more] = answer.body.response.fields.add.map(({ id }: { id: number }) => id)
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'application/json',
      {
        response: {
          server_time: BEGINNING,
          leads: {
            add: [
              { id: size, request_id: 17 },
              { id: more, request_id: 3 },
            ],
            delete: [],
          },
          contacts: { add: [{ id: colour, request_id: 2 }], delete: [] },
          companies: { add: [{ id: day, request_id: 1 }], delete: [] },
          fields: {
            add: [
              { id: size, request_id: 17 },
              { id: colour, request_id: 2 },
              { id: day, request_id: 1 },
              { id: more, request_id: 3 },
            ],
            delete: [],
          },
        },
      },
    ])
    const shown = async (owner: string, id: number) =>
      (await api.get(`/api/v4/${owner}/custom_fields/${id}`)).body
    expect(await shown('leads', size)).toMatchObject({
      name: 'Size',
      type: 'text',
      disabled: true,
      origin: 'shop',
      is_api_only: false,
      is_predefined: false,
    })
    expect(await shown('contacts', colour)).toMatchObject({
      type: 'select',
      enums: [
        { value: 'Red', sort: 1 },
        { value: 'Blue', sort: 2 },
      ],
    })
    expect(await shown('companies', day)).toMatchObject({ type: 'date', disabled: false })
  })

  test.each([
    [1, 'text'],
    [2, 'numeric'],
    [3, 'checkbox'],
    [4, 'select'],
    [5, 'multiselect'],
    [6, 'date'],
    [7, 'url'],
    [8, 'multitext'],
    [9, 'textarea'],
    [10, 'radiobutton'],
    [11, 'streetaddress'],
    [13, 'smart_address'],
    [14, 'birthday'],
    [15, 'legal_entity'],
    [16, 'items'],
  ])('type %i is %s, for contacts, leads and companies', async (type, name) => {
    const { api } = await begun()
    const { body } = await set(api, {
      add: [1, 2, 3].map((element_type) => ({ ...text, type, element_type, enums: ['a'] })),
    })
    for (const owner of ['contacts', 'leads', 'companies']) {
      const [{ id }] = body.response[owner].add
      expect((await api.get(`/api/v4/${owner}/custom_fields/${id}`)).body.type).toBe(name)
    }
  })

  test('deletes fields of the same origin with their values, and adds others in the same request', async () => {
    const { api, place } = await begun()
    const lead = await add_(api, {})
    const contact = await add_(api, { element_type: 1 })
    const record = await add(api, 'leads', {
      custom_fields_values: [{ field_id: lead, values: [{ value: 'a' }] }],
    })
    const answer = await set(api, {
      delete: [
        { id: contact, origin: 'shop' },
        { id: lead, origin: 'shop', request_id: 5 },
      ],
      add: [text],
    })
    const added = { id: answer.body.response.fields.add[0].id, request_id: 1 }
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        response: {
          server_time: BEGINNING,
          leads: { add: [added], delete: [{ id: lead, request_id: 5 }] },
          contacts: { add: [], delete: [{ id: contact, request_id: 2 }] },
          fields: {
            add: [added],
            delete: [
              { id: contact, request_id: 2 },
              { id: lead, request_id: 5 },
            ],
          },
        },
      },
    ])
    expect((await api.get(`/api/v4/leads/custom_fields/${lead}`)).status).toBe(404)
    expect((await api.get(`/api/v4/leads/${record}`)).body.custom_fields_values).toBeNull()
    await eraseValues(place.ctx)
    expect((await traces(place)).values.map(({ field_values }) => field_values)).toEqual(['{}'])
  })

  test('returns the time of the account', async () => {
    const { api, place } = await begun()
    const at = async (timezone: string) => {
      await place.admin.browser.patch('/web/v4/account', { timezone })
      return [
        (await set(api, { add: [text] })).body.response.server_time - place.clock.now(),
        (await set(api, {})).body.response.server_time - place.clock.now(),
      ]
    }
    expect(await at('Europe/Moscow')).toEqual([10_800, 10_800])
    expect(await at('America/Sao_Paulo')).toEqual([-10_800, -10_800])
    expect(await at('Asia/Kolkata')).toEqual([19_800, 19_800])
  })

  test('people can see and filter by such a field, and by default cannot change its values (F2)', async () => {
    const { api, place } = await begun()
    const { browser } = place.admin
    const locked = await add_(api, {})
    const open = await add_(api, { disabled: 0 })
    const values = (field_id: number, value: string) => ({
      custom_fields_values: [{ field_id, values: [{ value }] }],
    })
    const lead = await add(api, 'leads', values(locked, 'by the service'))
    const refused = await browser.patch(`/web/v4/leads/${lead}`, values(locked, 'by hand'))
    expect(refused.status).toBe(400)
    expect((await browser.patch(`/web/v4/leads/${lead}`, values(open, 'by hand'))).status).toBe(200)
    const found = await browser.get(`/web/v4/leads?filter[custom_fields_values][${locked}]=by the service`)
    expect(found.body._embedded.leads).toMatchObject([
      {
        id: lead,
        custom_fields_values: [{ values: [{ value: 'by the service' }] }, { values: [{ value: 'by hand' }] }],
      },
    ])
  })
})

/** Rejected requests: the content of `fields`, the error code, and a part of the error text. */
const refusals: [name: string, fields: unknown, number: number, ...named: string[]][] = [
  ['is of no form', 5, 400, 'request.fields: This value should be of type object.'],
  ['asks for nothing', {}, 103, 'neither adds nor deletes'],
  ['has empty arrays', { add: [], delete: [] }, 103, 'neither adds nor deletes'],
  ['has no array', { add: text }, 400, 'request.fields.add: '],
  ['has no name', { add: [{ ...text, name: undefined }] }, 400, 'request.fields.add.0.name: '],
  ['has a blank name', { add: [{ ...text, name: '' }] }, 400, 'request.fields.add.0.name: '],
  ['has a type as text', { add: [text, { ...text, type: '1' }] }, 400, 'request.fields.add.1.type: '],
  ['has a type that is none', { add: [{ ...text, type: 12 }] }, 400, 'request.fields.add.0.type: '],
  ['is for tasks', { add: [{ ...text, element_type: 4 }] }, 400, 'request.fields.add.0.element_type: '],
  ['is for text', { add: [{ ...text, element_type: '2' }] }, 400, 'request.fields.add.0.element_type: '],
  ['is disabled by text', { add: [{ ...text, disabled: 'true' }] }, 400, 'request.fields.add.0.disabled: '],
  ['adds nothing', { add: [null] }, 400, 'request.fields.add.0: '],
  ['is disabled by 2', { add: [{ ...text, disabled: 2 }] }, 400, 'request.fields.add.0.disabled: '],
  ['names no origin', { add: [{ ...text, origin: undefined }] }, 400, 'request.fields.add.0.origin: '],
  ['has an origin by number', { add: [{ ...text, origin: 5 }] }, 400, 'request.fields.add.0.origin: '],
  [
    'has a textual request_id',
    { add: [{ ...text, request_id: '1' }] },
    400,
    'request.fields.add.0.request_id: ',
  ],
  ['has a numeric enum', { add: [{ ...text, type: 4, enums: [5] }] }, 400, 'request.fields.add.0.enums.0: '],
  [
    'has an enum twice',
    { add: [{ ...text, type: 4, enums: ['a', 'a'] }] },
    400,
    'request.fields.add.0.enums: ',
  ],
  ['deletes without an id', { delete: [{ origin: 'shop' }] }, 400, 'request.fields.delete.0.id: '],
  ['deletes without origin', { delete: [{ id: 300 }] }, 400, 'request.fields.delete.0.origin: '],
  ['deletes an id as text', { delete: [{ id: '300', origin: 'shop' }] }, 400, 'request.fields.delete.0.id: '],
  [
    'deletes an unknown field',
    { delete: [{ id: 9_999, origin: 'shop' }] },
    204,
    'request.fields.delete.0.id: ',
  ],
  ['adds 251', { add: Array(251).fill(text) }, 400, 'request.fields.add: '],
]

describe('A rejected request to fields/set', () => {
  test.each(refusals)('%s', async (_name, fields, error_code, ...named) => {
    const { api, place } = await begun()
    await add_(api, {})
    const before = await traces(place)
    const answer = await api.post(SET, { request: { fields } })
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      400,
      'application/json',
      {
        response: {
          error: expect.stringContaining(named.join('')),
          error_code,
          server_time: BEGINNING,
        },
      },
    ])
    expect(await traces(place)).toEqual(before)
  })

  test('names each entry of another origin, and applies nothing', async () => {
    const { api, place } = await begun()
    const mine = await add_(api, {})
    const other = await add_(api, { origin: 'Shop' })
    const phone = (await api.get('/api/v4/contacts/custom_fields')).body._embedded.custom_fields[0].id
    const plain = (await api.post('/api/v4/leads/custom_fields', [{ name: 'P', type: 'text' }])).body
      ._embedded.custom_fields[0].id
    const before = await traces(place)
    const origin = 'shop'
    const answer = await set(api, {
      add: [text],
      delete: [
        { id: mine, origin },
        { id: other, origin },
        { id: phone, origin },
        { id: plain, origin },
        { id: mine, origin },
      ],
    })
    const foreign = 'This field belongs to another service.'
    expect([answer.status, answer.body.response]).toEqual([
      400,
      {
        error: [
          `request.fields.delete.1.origin: ${foreign}`,
          `request.fields.delete.2.origin: ${foreign}`,
          `request.fields.delete.3.origin: ${foreign}`,
          'request.fields.delete.4.id: The request deletes this field twice.',
        ].join(' '),
        error_code: 244,
        server_time: BEGINNING,
      },
    ])
    expect(await traces(place)).toEqual(before)
  })

  test('deletes a field twice, which is not a permission error', async () => {
    const { api, place } = await begun()
    const id = await add_(api, {})
    const before = await traces(place)
    const answer = await set(api, {
      delete: [
        { id, origin: 'shop' },
        { id, origin: 'shop' },
      ],
    })
    expect([answer.status, answer.body.response]).toMatchObject([
      400,
      { error: 'request.fields.delete.1.id: The request deletes this field twice.', error_code: 400 },
    ])
    expect(await traces(place)).toEqual(before)
  })

  test('is not readable', async () => {
    const { api } = await begun()
    const json = { 'content-type': 'application/json' }
    for (const [body, headers] of [
      ['{"request":', json],
      ['', json],
      [undefined, {}],
      ['{"request":1,"request":2}', json],
      ['request[a', { 'content-type': 'text/html' }],
    ] as const) {
      const answer = await api.post(SET, body, headers)
      expect([answer.status, answer.body.response.error_code]).toEqual([400, 102])
    }
    const large = await api.post(SET, `"${'x'.repeat(1_048_577)}"`, json)
    expect([large.status, large.body.response.error_code]).toEqual([413, 400])
    for (const [method, url] of [
      ['get', SET],
      ['post', '/private/api/v2/json/leads/drop'],
    ] as const) {
      const answer = await api[method](url)
      expect([answer.status, answer.body.response.error_code]).toEqual([404, 104])
    }
  })

  test('is anonymous, from another account, from a session, or without the right or the scope', async () => {
    const { api, place } = await begun()
    const { admin, addPerson, addAccount, stranger, ctx } = place
    await addAccount('other')
    const before = await traces(place)
    const body = request({ add: [text] })
    const outcome = async (caller: Client) => {
      const { status, body: answer, headers } = await caller.post(SET, body)
      expect(headers['content-type']).toBe('application/json')
      expect(Object.keys(answer.response)).toEqual(['error', 'error_code', 'server_time'])
      return [status, answer.response.error_code]
    }
    expect(await outcome(stranger)).toEqual([401, 110])
    expect(await outcome(stranger.as({ token: 'x' }))).toEqual([401, 110])
    expect(await outcome(admin.browser)).toEqual([401, 110])
    expect(await outcome(api.as({ host: ctx.hosts.accountHost('other') }))).toEqual([401, 110])
    expect(await outcome(await connected(place, { permissions: ['files'] }))).toEqual([403, 244])
    // The token has the current rights of its person.
    const second = await addPerson({ is_admin: true })
    await second.browser.patch(`/web/v4/users/${admin.id}`, { rights: { is_admin: false } })
    expect(await outcome(api)).toEqual([403, 244])
    expect(await traces(place)).toEqual(before)
  })

  test('exceeds the rate limit', async () => {
    const place = await world({ env: { RATE_LIMITS: 'on' } })
    const api = await connected(place)
    const answers = await Promise.all(Array.from({ length: 45 }, () => set(api, {})))
    const late = answers.find(({ status }) => status === 429)
    expect(late?.body.response.error_code).toBe(429)
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('A field of a service', () => {
  test('can be changed and deleted in v4 only by naming the service; its place on the card is free', async () => {
    const { api, place } = await begun()
    const id = await add_(api, { type: 4, enums: ['a'] })
    const at = `/api/v4/leads/custom_fields/${id}`
    const before = await traces(place)
    for (const answer of [
      await api.patch(at, { name: 'Mine' }),
      await api.patch(at, { name: 'Mine', origin: 'other' }),
      await api.patch('/api/v4/leads/custom_fields', [{ id, enums: [{ value: 'b' }] }]),
      await api.delete(at),
      await api.delete(`${at}?origin=other`),
    ])
      expect([answer.status, answer.body.type.split('#')[1]]).toEqual([403, 'field_of_service'])
    expect(await traces(place)).toEqual(before)
    expect((await api.patch(at, { sort: 3, group_id: 'statistic' })).body).toMatchObject({
      sort: 3,
      group_id: 'statistic',
    })
    expect((await api.patch(at, { name: 'New', origin: 'shop' })).body).toMatchObject({
      name: 'New',
      origin: 'shop',
      disabled: true,
    })
    expect((await api.delete(`${at}?origin=shop`)).status).toBe(204)
  })
})
