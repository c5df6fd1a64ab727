import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { addPipelines, mainPipeline, PIPELINES, wholesale } from '../../../test/fixtures/pipelines.ts'
import { type World, world } from '../../../test/world.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { continueIds } from '../../db/dialect.ts'
import { fieldTypeNames, fieldTypes } from './field-types.ts'

const AT = 'http://demo.localhost:8080'
const FIELDS = '/web/v4/leads/custom_fields'
const link = (path: string) => ({ href: `${AT}${path}` })

const lead = (id: number, name: string, change = {}) => ({
  id,
  name,
  type: 'text',
  account_id: 1,
  code: null,
  sort: 500,
  is_api_only: false,
  enums: null,
  group_id: null,
  required_statuses: [],
  is_deletable: true,
  is_predefined: false,
  entity_type: 'leads',
  is_computed: false,
  tracking_callback: null,
  remind: null,
  triggers: [],
  currency: null,
  hidden_statuses: [],
  chained_lists: null,
  disabled: false,
  origin: null,
  _links: { self: link(`${FIELDS}/${id}`) },
  ...change,
})

/** All state that a change of fields can alter. */
async function traces({ ctx }: World) {
  const fields = await ctx.db.selectFrom('custom_fields').selectAll().orderBy('id').execute()
  const log = await ctx.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  return { fields, log: log.map(({ action }) => action) }
}

describe('Fields of leads', () => {
  test('are added as an array, and returned as an array', async () => {
    const place = await world()
    const answer = await place.admin.browser.post(FIELDS, [
      { name: 'Size', type: 'text', code: 'SIZE', sort: 7, is_api_only: true, request_id: 5, id: 1 },
      {
        name: 'Colour',
        type: 'select',
        group_id: 'statistic',
        enums: [
          { value: 'Red', sort: 2, code: 'RED' },
          { id: 99, value: 'Blue', sort: 1 },
        ],
      },
      { name: 'Paid', type: 'monetary', currency: 'EUR', remind: 'day', group_id: 'default' },
    ])
    const [size, colour, paid] = answer.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
    const [blue, red] = answer.body._embedded.custom_fields[1].enums.map(({ id }: { id: number }) => id)
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([
      201,
      'application/json; charset=utf-8',
      {
        _total_items: 3,
        _links: { self: link(FIELDS) },
        _embedded: {
          custom_fields: [
            lead(size, 'Size', { code: 'SIZE', sort: 7, is_api_only: true, request_id: 5 }),
            lead(colour, 'Colour', {
              type: 'select',
              group_id: 'statistic',
              enums: [
                { id: blue, value: 'Blue', sort: 1, code: null },
                { id: red, value: 'Red', sort: 2, code: 'RED' },
              ],
              request_id: '1',
            }),
            lead(paid, 'Paid', { type: 'monetary', currency: 'EUR', request_id: '2' }),
          ],
        },
      },
    ])
    // Small numbers in the brackets of a query are array positions.
    expect(Math.min(size, colour, paid, blue, red)).toBeGreaterThan(256)
    expect((await place.admin.browser.get(`${FIELDS}/${size}`)).body).toEqual(
      lead(size, 'Size', { code: 'SIZE', sort: 7, is_api_only: true }),
    )
    expect((await traces(place)).log).toEqual(['field.added', 'field.added', 'field.added'])
  })

  test('are listed with totals and links, by sort or in the requested order', async () => {
    const { admin, addPerson } = await world()
    const drafts = ['text', 'numeric', 'text', 'date'].map((type, i) => ({
      name: `F${i}`,
      type,
      sort: [3, 1, 1, 2][i],
    }))
    const added = await admin.browser.post(FIELDS, drafts)
    const ids: number[] = added.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
    const ann = await addPerson()
    const list = async (query: string) => (await ann.browser.get(`${FIELDS}?${query}`)).body
    const names = async (query: string) =>
      (await list(query))._embedded.custom_fields.map(({ name }: { name: string }) => name)
    const [, one] = ids as [number, number]
    expect(await list('limit=1&page=2')).toMatchObject({ _page: 2 })
    expect(await list('limit=1')).toEqual({
      _total_items: 4,
      _page: 1,
      _page_count: 4,
      _links: {
        self: link(`${FIELDS}?limit=1&page=1`),
        next: link(`${FIELDS}?limit=1&page=2`),
        last: link(`${FIELDS}?limit=1&page=4`),
      },
      _embedded: { custom_fields: [lead(one, 'F1', { type: 'numeric', sort: 1 })] },
    })
    expect((await list('limit=1&page=4'))._links).toEqual({
      self: link(`${FIELDS}?limit=1&page=4`),
      prev: link(`${FIELDS}?limit=1&page=3`),
      last: link(`${FIELDS}?limit=1&page=4`),
    })
    expect((await list(''))._links).toEqual({ self: link(`${FIELDS}?page=1&limit=50`) })
    expect(await names('')).toEqual(['F1', 'F2', 'F3', 'F0'])
    expect(await names('filter[type][0]=text&filter[type][1]=date')).toEqual(['F2', 'F3', 'F0'])
    expect(await names('filter[type]=date,numeric')).toEqual(['F1', 'F3'])
    expect(await names(`filter[id][0]=${ids[0]}&filter[id][1]=${ids[2]}&filter[id][2]=999999`)).toEqual([
      'F2',
      'F0',
    ])
    expect(await names(`filter[id]=${ids[1]},${ids[0]}&filter[type]=numeric`)).toEqual(['F1'])
    expect((await ann.browser.get(`${FIELDS}?filter[id]=999999`)).status).toBe(204)
    expect(await names('order[id]=desc')).toEqual(['F3', 'F2', 'F1', 'F0'])
    expect(await names('order[sort]=desc')).toEqual(['F0', 'F3', 'F2', 'F1'])
    expect((await ann.browser.get(`${FIELDS}?page=9`)).status).toBe(204)
    for (const query of ['limit=251', 'page=x', 'filter[type]=colour', 'filter[id]=x', 'order[sort]=up'])
      expect((await ann.browser.get(`${FIELDS}?${query}`)).status).toBe(400)
  })

  onEmbedded('are the same in the list as alone, for every owner and type', async () => {
    const { admin, account } = await world()
    const { browser } = admin
    const list = (await browser.post('/web/v4/catalogs', [{ name: 'Goods' }])).body._embedded.catalogs[0].id
    const enums = [{ value: 'Blue "dark"' }, { value: 'Red' }]
    const paths = { leads: 'leads', contacts: 'contacts', companies: 'companies', customers: 'customers' }
    for (const [owner, path] of Object.entries({ ...paths, catalogs: `catalogs/${list}` })) {
      const at = `/web/v4/${path}/custom_fields`
      const kinds = fieldTypeNames.filter((type) =>
        (fieldTypes[type].owners as readonly string[]).includes(owner),
      )
      const drafts = kinds.flatMap((type) => {
        const draft = { name: `"${type}"`, type }
        if (fieldTypes[type].enums === 'choices') return [draft, { ...draft, enums }]
        return fieldTypes[type].enums === 'tree' ? [{ ...draft, nested: [{ value: 'Wood' }] }] : []
      })
      const plain = kinds.filter(
        (type) => fieldTypes[type].enums === null && !('setting' in fieldTypes[type]),
      )
      for (const draft of [...drafts, ...plain.map((type) => ({ name: type, type }))])
        await browser.post(at, [draft])
      for (const _ of [1, 2]) {
        const { custom_fields } = (await browser.get(`${at}?limit=250`)).body._embedded
        expect(custom_fields.length).toBeGreaterThan(5)
        for (const one of custom_fields) {
          const alone = await browser.get(`${at}/${one.id}`)
          expect([alone.body, alone.body.account_id]).toEqual([one, account.id])
          expect(Object.keys(one).toSorted()).toEqual(Object.keys(alone.body).toSorted())
        }
        // Choices that change are shown at once.
        const choice = custom_fields.find(({ type }: { type: string }) => type === 'multiselect')
        await browser.patch(`${at}/${choice.id}`, { enums: [...choice.enums, { value: 'Green' }] })
      }
    }
  })

  test('are changed, singly or as a list', async () => {
    const place = await world()
    const { browser } = place.admin
    const added = await browser.post(FIELDS, [
      { name: 'A', type: 'text', code: 'A' },
      { name: 'B', type: 'text', code: 'B' },
    ])
    const [a, b] = added.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
    const one = await browser.patch(`${FIELDS}/${a}`, { name: 'AA', type: 'text', is_api_only: true })
    expect([one.status, one.body]).toEqual([200, lead(a, 'AA', { code: 'A', is_api_only: true })])
    // Codes can be swapped, because a batch is validated in its order.
    const both = await browser.patch(FIELDS, [
      { id: a, code: null, request_id: 'x' },
      { id: b, code: 'A', sort: 1 },
    ])
    expect([both.status, both.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: { self: link(FIELDS) },
        _embedded: {
          custom_fields: [
            lead(a, 'AA', { is_api_only: true, request_id: 'x' }),
            lead(b, 'B', { code: 'A', sort: 1, request_id: '1' }),
          ],
        },
      },
    ])
    // A patch without differences is not recorded.
    const before = await traces(place)
    expect((await browser.patch(`${FIELDS}/${b}`, { name: 'B', sort: 1 })).status).toBe(200)
    expect(await traces(place)).toEqual(before)
    expect(before.log.slice(2)).toEqual(['field.changed', 'field.changed', 'field.changed'])
  })

  test('an enum with an id is kept, one without is added, and a missing one is deleted', async () => {
    const { admin } = await world()
    const { browser } = admin
    const added = await browser.post(FIELDS, [
      { name: 'C', type: 'multiselect', enums: [{ value: 'Red' }, { value: 'Blue', code: 'B' }] },
    ])
    const { id, enums } = added.body._embedded.custom_fields[0]
    const [red, blue] = enums
    const patch = { enums: [{ id: blue.id, value: 'Navy' }, { value: 'Red' }, { value: 'Green', sort: 9 }] }
    const changed = (await browser.patch(`${FIELDS}/${id}`, patch)).body.enums
    expect(changed).toEqual([
      { id: blue.id, value: 'Navy', sort: 1, code: 'B' },
      { id: changed[1].id, value: 'Red', sort: 2, code: null },
      { id: changed[2].id, value: 'Green', sort: 9, code: null },
    ])
    expect(changed.map((one: { id: number }) => one.id)).not.toContain(red.id)
    expect(
      faultsOf(await browser.patch(`${FIELDS}/${id}`, { enums: [{ id: red.id, value: 'Red' }] })),
    ).toEqual([400, '0 NotSupportedChoice enums.0.id'])
    expect(faultsOf(await browser.patch(`${FIELDS}/${id}`, { enums: [] }))).toEqual([400, '0 TooFew enums'])
    expect((await browser.get(`${FIELDS}/${id}`)).body.enums).toEqual(changed)
  })

  test('a label without a code has its text as the code, which values name', async () => {
    const { browser } = (await world()).admin
    const contacts = '/web/v4/contacts'
    const enums = [{ value: 'SKYPE' }, { value: 'Other', code: 'OTHER' }]
    const added = await browser.post(`${contacts}/custom_fields`, [
      { name: 'Chat', type: 'multitext', enums },
    ])
    const [field] = added.body._embedded.custom_fields
    expect(field.enums).toMatchObject([
      { value: 'SKYPE', code: 'SKYPE' },
      { value: 'Other', code: 'OTHER' },
    ])
    const values = [{ field_id: field.id, values: [{ value: 'ann', enum_code: 'SKYPE' }] }]
    const written = await browser.post(contacts, [{ name: 'Ann', custom_fields_values: values }])
    const { body } = await browser.get(`${contacts}/${written.body._embedded.contacts[0].id}`)
    expect(body.custom_fields_values[0].values).toMatchObject([{ value: 'ann', enum_code: 'SKYPE' }])
    const renamed = [{ ...field.enums[0], value: 'Teams' }, field.enums[1], { value: 'SKYPE 2' }]
    const changed = await browser.patch(`${contacts}/custom_fields/${field.id}`, { enums: renamed })
    expect(changed.body.enums.map(({ code }: { code: string }) => code)).toEqual([
      'SKYPE',
      'OTHER',
      'SKYPE 2',
    ])
  })

  test('ids of new enums are unused in their field even after a restore reset the sequence', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const added = await browser.post(FIELDS, [{ name: 'C', type: 'select', enums: [{ value: 'Red' }] }])
    const [{ id, enums }] = added.body._embedded.custom_fields
    const more = { enums: [...enums, ...Array.from({ length: 9 }, (_, i) => ({ value: `V${i}` }))] }
    const known = (await browser.patch(`${FIELDS}/${id}`, more)).body.enums
    await ctx.db.transaction().execute((tx) => continueIds(tx, 'custom_fields'))
    const after = await browser.patch(`${FIELDS}/${id}`, { enums: [...known, { value: 'Last' }] })
    expect(new Set(after.body.enums.map((one: { id: number }) => one.id)).size).toBe(11)
  })

  test('statuses in which a field is required or hidden must be stages of the account', async () => {
    const { admin } = await world()
    const { browser } = admin
    const pipelines = (await browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
    const stage = { pipeline_id: pipelines[0].id, status_id: 142 }
    const draft = { name: 'R', type: 'text', required_statuses: [stage], hidden_statuses: [stage] }
    const added = (await browser.post(FIELDS, [draft])).body._embedded.custom_fields[0]
    expect([added.required_statuses, added.hidden_statuses]).toEqual([[stage], [stage]])
    const wrong = { ...stage, status_id: 7 }
    expect(
      faultsOf(await browser.patch(`${FIELDS}/${added.id}`, { required_statuses: [stage, wrong] })),
    ).toEqual([400, '0 NotSupportedChoice required_statuses.1.status_id'])
    const elsewhere = { required_statuses: [{ ...stage, pipeline_id: 999 }], group_id: 'nowhere' }
    const refused = await browser.patch(`${FIELDS}/${added.id}`, elsewhere)
    expect(faultsOf(refused).slice(1)).toEqual([
      '0 NotSupportedChoice group_id',
      '0 NotSupportedChoice required_statuses.0.pipeline_id',
    ])
    expect(refused.text.split('default').length).toBe(2)
    const cleared = await browser.patch(`${FIELDS}/${added.id}`, { required_statuses: null })
    expect([cleared.body.required_statuses, cleared.body.hidden_statuses]).toEqual([[], [stage]])
  })

  test('forget the stages and pipelines that are deleted', async () => {
    const place = await world()
    const { browser } = place.admin
    const main = await mainPipeline(place)
    const [side] = await addPipelines(place, wholesale)
    const [, first, second] = main._embedded.statuses.map(({ id }) => id)
    const places = [
      { pipeline_id: main.id, status_id: first },
      { pipeline_id: main.id, status_id: second },
      { pipeline_id: main.id, status_id: 142 },
      { pipeline_id: side.id, status_id: 142 },
    ]
    const draft = { name: 'R', type: 'text', required_statuses: places, hidden_statuses: places }
    const [{ id }] = (await browser.post(FIELDS, [draft])).body._embedded.custom_fields
    const [other] = (await browser.post('/web/v4/contacts/custom_fields', [draft])).body._embedded
      .custom_fields
    const gone = [
      await browser.delete(`${PIPELINES}/${main.id}/statuses/${second}`),
      await browser.delete(`${PIPELINES}/${side.id}`),
    ]
    expect(gone.map(({ status }) => status)).toEqual([204, 204])
    const left = [places[0], places[2]]
    const shown = { required_statuses: left, hidden_statuses: left }
    expect((await browser.get(`${FIELDS}/${id}`)).body).toMatchObject(shown)
    expect((await browser.get(`/web/v4/contacts/custom_fields/${other.id}`)).body).toMatchObject(shown)
    // The settings of an answer can be written back.
    expect((await browser.patch(`${FIELDS}/${id}`, shown)).status).toBe(200)
  })

  test('can be deleted unless they are predefined', async () => {
    const place = await world()
    const { browser } = place.admin
    const [field] = (await browser.post(FIELDS, [{ name: 'A', type: 'text' }])).body._embedded.custom_fields
    const gone = await browser.delete(`${FIELDS}/${field.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(`${FIELDS}/${field.id}`)).status).toBe(404)
    expect((await browser.delete(`${FIELDS}/${field.id}`)).status).toBe(404)
    const before = await traces(place)
    const contacts = '/web/v4/contacts/custom_fields'
    const [phone] = (await browser.get(contacts)).body._embedded.custom_fields
    expect([phone.code, phone.is_predefined, phone.is_deletable]).toEqual(['PHONE', true, false])
    const kept = await browser.delete(`${contacts}/${phone.id}`)
    expect([kept.status, kept.body.type]).toEqual([409, `${AT}/docs/errors#predefined_field`])
    expect(faultsOf(await browser.patch(`${contacts}/${phone.id}`, { code: 'TEL' }))).toEqual([
      400,
      '0 NotSupportedChoice code',
    ])
    expect(await traces(place)).toEqual(before)
    expect((await browser.patch(`${contacts}/${phone.id}`, { name: 'Tel' })).body.name).toBe('Tel')
  })
})

const labels = (...codes: string[]) => codes.map((code) => ({ value: code, code }))

describe('A new account', () => {
  test.each([
    ['en', ['Phone', 'Email', 'Position'], ['Phone', 'Email', 'Web', 'Address']],
    ['ru', ['Телефон', 'Email', 'Должность'], ['Телефон', 'Email', 'Web', 'Адрес']],
    ['es', ['Teléfono', 'Correo', 'Cargo'], ['Teléfono', 'Correo', 'Sitio web', 'Dirección']],
    ['pt', ['Telefone', 'E-mail', 'Cargo'], ['Telefone', 'E-mail', 'Site', 'Endereço']],
  ])('has default fields in its language: %s', async (language, contacts, companies) => {
    const { ctx, addPerson } = await world()
    const account = await ctx.db
      .transaction()
      .execute((tx) => createAccount(ctx, tx, { name: 'Other', subdomain: 'other', language }))
    const { browser } = await addPerson({ account, is_admin: true })
    const fields = async (owner: string) =>
      (await browser.get(`/web/v4/${owner}/custom_fields`)).body._embedded.custom_fields
    const contactFields = await fields('contacts')
    const companyFields = await fields('companies')
    expect(contactFields).toMatchObject([
      { name: contacts[0], code: 'PHONE', type: 'multitext', is_predefined: true },
      { name: contacts[1], code: 'EMAIL', type: 'multitext', is_predefined: true },
      { name: contacts[2], code: 'POSITION', type: 'text', is_predefined: true },
    ])
    expect(companyFields).toMatchObject([
      { name: companies[0], code: 'PHONE', type: 'multitext', is_predefined: true },
      { name: companies[1], code: 'EMAIL', type: 'multitext', is_predefined: true },
      { name: companies[2], code: 'WEB', type: 'url', is_predefined: true },
      { name: companies[3], code: 'ADDRESS', type: 'textarea', is_predefined: true },
    ])
    expect(contactFields[0].enums).toMatchObject(labels('WORK', 'WORKDD', 'MOB', 'FAX', 'HOME', 'OTHER'))
    expect(companyFields[1].enums).toMatchObject(labels('WORK', 'PRIV', 'OTHER'))
    expect(await fields('leads')).toEqual([])
  })
})

describe('Two concurrent administrators', () => {
  test('cannot use the same code', async () => {
    const { admin } = await world()
    const draft = [{ name: 'A', type: 'text', code: 'SAME' }]
    const answers = await Promise.all([1, 2, 3].map(() => admin.browser.post(FIELDS, draft)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect((await admin.browser.get(FIELDS)).body._total_items).toBe(1)
  })
})

describe('Permissions', () => {
  onEmbedded('members of the account read; administrators write; others have no access', async () => {
    const place = await world()
    const { admin, addPerson, addAccount, stranger } = place
    const [field] = (await admin.browser.post(FIELDS, [{ name: 'A', type: 'text' }])).body._embedded
      .custom_fields
    const at = `${FIELDS}/${field.id}`
    const before = await traces(place)
    const writes = [
      ['post', FIELDS, [{ name: 'B', type: 'text' }]],
      ['patch', FIELDS, [{ id: field.id, name: 'B' }]],
      ['patch', FIELDS, [{ id: 9_999, name: 'B' }]],
      ['patch', at, { name: 'B' }],
      ['delete', at, undefined],
      ['delete', `${FIELDS}/9999`, undefined],
      ['post', '/web/v4/catalogs/9/custom_fields', [{ name: 'B', type: 'text' }]],
    ] as const
    const ann = await addPerson()
    for (const [method, url, body] of writes) {
      expect((await stranger[method](url, body)).status).toBeOneOf([401, 403])
      const refused = await ann.browser[method](url, body)
      expect([refused.status, refused.body.detail]).toEqual([403, 'Insufficient rights to call this method'])
    }
    for (const url of [FIELDS, at]) {
      expect((await stranger.get(url)).status).toBe(401)
      expect((await ann.browser.get(url)).status).toBe(200)
    }
    // Fields of another account are not found.
    const other = await addPerson({ account: await addAccount('other'), is_admin: true })
    expect((await other.browser.get(at)).status).toBe(404)
    expect((await other.browser.patch(at, { name: 'B' })).status).toBe(404)
    expect((await other.browser.delete(at)).status).toBe(404)
    expect(faultsOf(await other.browser.patch(FIELDS, [{ id: field.id, name: 'B' }]))).toEqual([
      400,
      '0 NotSupportedChoice id',
    ])
    // Nor are fields of another kind under this one.
    for (const url of [
      `/web/v4/contacts/custom_fields/${field.id}`,
      `/web/v4/customers/segments/custom_fields/${field.id}`,
    ])
      expect([(await admin.browser.get(url)).status, (await admin.browser.delete(url)).status]).toEqual([
        404, 404,
      ])
    for (const url of ['/web/v4/catalogs/9/custom_fields', '/web/v4/catalogs/9/custom_fields/1'])
      expect((await admin.browser.get(url)).status).toBe(404)
    const after = await traces(place)
    expect(after.fields.filter(({ account_id }) => account_id === 1)).toEqual(before.fields)
    expect(after.log).toEqual(before.log)
  })

  test('an integration gets hal+json', async () => {
    const { admin, stranger } = await world()
    const token = (await connect(stranger, await register(admin))).access_token
    const api = stranger.as({ token })
    const added = await api.post('/api/v4/customers/custom_fields', [{ name: 'A', type: 'chained_list' }])
    expect([added.status, added.headers['content-type']]).toEqual([201, 'application/hal+json'])
    const [{ id, _links }] = added.body._embedded.custom_fields
    expect(_links.self.href).toBe(`${AT}/api/v4/customers/custom_fields/${id}`)
    expect((await api.delete(`/api/v4/customers/custom_fields/${id}`)).status).toBe(204)
  })
})

describe('An invalid field', () => {
  const wrong: [string, object, ...string[]][] = [
    ['has no name', { type: 'text' }, 'FieldMissing name'],
    ['has a blank name', { name: ' ', type: 'text' }, 'InvalidFormat name'],
    ['has a long name', { name: 'x'.repeat(256), type: 'text' }, 'TooLong name'],
    ['has no type', { name: 'A' }, 'FieldMissing type'],
    ['has a type that is none', { name: 'A', type: 'colour' }, 'NotSupportedChoice type'],
    ['has a type by number', { name: 'A', type: 1 }, 'NotSupportedChoice type'],
    ['has a type of lists', { name: 'A', type: 'price' }, 'NotSupportedChoice type'],
    ['has a type of contacts', { name: 'A', type: 'multitext' }, 'NotSupportedChoice type'],
    ['has a sort as text', { name: 'A', type: 'text', sort: '5' }, 'InvalidType sort'],
    ['has a negative sort', { name: 'A', type: 'text', sort: -1 }, 'OutOfRange sort'],
    ['has a code that is taken', { name: 'A', type: 'text', code: 'TAKEN' }, 'NotUnique code'],
    ['is in a group that is none', { name: 'A', type: 'text', group_id: 'x' }, 'NotSupportedChoice group_id'],
    ['selects from nothing', { name: 'A', type: 'select' }, 'FieldMissing enums'],
    ['selects from an empty list', { name: 'A', type: 'select', enums: [] }, 'TooFew enums'],
    [
      'has an enum without a value',
      { name: 'A', type: 'select', enums: [{ sort: 1 }] },
      'FieldMissing enums.0.value',
    ],
    [
      'has an enum twice',
      {
        name: 'A',
        type: 'select',
        enums: [
          { value: 'a', code: 'c' },
          { value: 'a', code: 'c' },
        ],
      },
      'NotUnique enums.1.value',
      'NotUnique enums.1.code',
    ],
    ['has an unknown currency', { name: 'A', type: 'monetary', currency: 'euro' }, 'InvalidFormat currency'],
    ['is reminded of too often', { name: 'A', type: 'date', remind: 'hour' }, 'NotSupportedChoice remind'],
  ]

  test.each(wrong)('%s, and nothing of the batch is stored', async (_name, draft, ...faults) => {
    const place = await world()
    const { browser } = place.admin
    await browser.post(FIELDS, [{ name: 'T', type: 'text', code: 'TAKEN' }])
    const before = await traces(place)
    const good = { name: 'Good', type: 'text', request_id: 'good' }
    const answer = await browser.post(FIELDS, [good, { ...draft, request_id: 'bad' }])
    const [status, ...named] = faultsOf(answer)
    expect(status).toBe(400)
    expect(named).toEqual(expect.arrayContaining(faults.map((fault) => `bad ${fault}`)))
    expect(await traces(place)).toEqual(before)
  })

  onEmbedded('is rejected in an empty batch, a batch of 251, or without a batch', async () => {
    const { admin } = await world()
    const draft = { name: 'A', type: 'text' }
    for (const body of [[], draft, Array(251).fill(draft), [5], 'x'])
      expect((await admin.browser.post(FIELDS, body)).status).toBe(400)
  })

  test('changes its type, is unknown, or is changed twice', async () => {
    const place = await world()
    const { browser } = place.admin
    const [{ id }] = (await browser.post(FIELDS, [{ name: 'T', type: 'text' }])).body._embedded.custom_fields
    const before = await traces(place)
    expect(faultsOf(await browser.patch(`${FIELDS}/${id}`, { type: 'numeric' }))).toEqual([
      400,
      '0 NotSupportedChoice type',
    ])
    expect((await browser.patch(`${FIELDS}/9999`, { name: 'A' })).status).toBe(404)
    expect(
      faultsOf(
        await browser.patch(FIELDS, [
          { id, name: 'A' },
          { id: 9_999, name: 'A', request_id: 'x' },
          { id, name: 'B' },
        ]),
      ),
    ).toEqual([400, 'x NotSupportedChoice id', '2 NotUnique id'])
    for (const id_in_path of ['0', '-1', '1e400', 'x', '9007199254740993'])
      expect((await browser.get(`${FIELDS}/${id_in_path}`)).status).toBe(404)
    expect(await traces(place)).toEqual(before)
  })
})
