import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add } from '../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../test/world.ts'

const EVENTS = '/web/v4/events'

interface Event {
  id: string
  type: string
  entity_id: number
  entity_type: string
  created_by: number
  created_at: number
}

async function found(caller: Client, query: string): Promise<Event[]> {
  const { status, text, body } = await caller.get(`${EVENTS}?limit=250&${query}`)
  if (status !== 200) throw new Error(text)
  return body._embedded.events
}
const typesOf = async (caller: Client, query: string) => (await found(caller, query)).map(({ type }) => type)

async function faultOf(caller: Client, query: string) {
  const { status, body } = await caller.get(`${EVENTS}?${query}`)
  const [fault] = body['validation-errors']?.[0]?.errors ?? []
  return [status, fault?.path, fault?.detail]
}

/** Two leads and a contact, by two people, at three times. */
async function office() {
  const all = await world()
  const { admin, clock, addPerson } = all
  const bob = await addPerson({ name: 'Bob', is_admin: true })
  const roof = await add(admin.browser, 'leads', { name: 'Roof', price: 100 })
  clock.advance(10)
  const wall = await add(bob.browser, 'leads', { name: 'Wall' })
  clock.advance(10)
  const ann = await add(bob.browser, 'contacts', { name: 'Ann' })
  await admin.browser.patch(`/web/v4/leads/${roof}`, { name: 'Roof, red', price: 200 })
  const [pipeline] = (await admin.browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
  const stages = pipeline._embedded.statuses.filter((stage: { type: number }) => stage.type === 0)
  const status_ids: number[] = stages.map(({ id }: { id: number }) => id)
  return {
    ...all,
    browser: admin.browser,
    bob,
    roof,
    wall,
    ann,
    pipeline_id: pipeline.id as number,
    status_ids,
  }
}

const refused: [query: string, path: string, detail: string][] = [
  [
    'filter[type]=lead_aded',
    'filter.type',
    expect.stringContaining('a valid choice. It should be one of: lead'),
  ],
  [
    'filter[type]=toString',
    'filter.type',
    expect.stringContaining('a valid choice. It should be one of: lead'),
  ],
  [
    'filter[entity]=leads',
    'filter.entity',
    expect.stringContaining('a valid choice. It should be one of: lead'),
  ],
  [
    'filter[entity]=catalog_',
    'filter.entity',
    expect.stringContaining('a valid choice. It should be one of: lead'),
  ],
  ['filter[created_by]=me', 'filter.created_by', 'This value should be of type int.'],
  ['filter[entity]=lead&filter[entity_id]=1.5', 'filter.entity_id', 'This value should be of type int.'],
  ['filter[created_at]=yesterday', 'filter.created_at', 'This value should be of type int.'],
  ['filter[created_at][from][]=1', 'filter.created_at.from', 'This value should be of type int.'],
  ['filter[created_by]=1e400', 'filter.created_by', 'This value should be of type int.'],
  [
    `filter[id]=${Array.from({ length: 251 }, (_, i) => i).join()}`,
    'filter.id',
    'filter[id] accepts at most 250 ids.',
  ],
  [
    'filter[type]=custom_field_5_value_changed,lead_added',
    'filter.type',
    'custom_field_5_value_changed cannot be combined with other types.',
  ],
  [
    'filter[type][]=custom_field_5_value_changed&filter[type][]=custom_field_6_value_changed',
    'filter.type',
    'custom_field_5_value_changed cannot be combined with other types.',
  ],
  ['filter[value_after]=5', 'filter.value_after', 'value requires filter[type].'],
  [
    'filter[value_before][price]=5',
    'filter.value_before.price',
    'Unknown filter. The filters are leads_statuses, customers_statuses, responsible_user_id, custom_field_values and value.',
  ],
  ['filter[value_after][value]=5', 'filter.value_after.value', 'value requires filter[type].'],
  [
    'filter[type]=lead_added&filter[value_after][value]=5',
    'filter.value_after.value',
    'value does not apply to events of type lead_added.',
  ],
  [
    'filter[type]=sale_field_changed&filter[value_after][leads_statuses][0][status_id]=5',
    'filter.value_after.leads_statuses',
    'leads_statuses does not apply to events of type sale_field_changed.',
  ],
  [
    'filter[value_after][leads_statuses][0][status_id]=5',
    'filter.value_after.leads_statuses.0.pipeline_id',
    'This field is missing.',
  ],
  [
    'filter[value_after][leads_statuses]=5',
    'filter.value_after.leads_statuses',
    'Stages must be an indexed list, [n][status_id].',
  ],
  [
    'filter[value_after][customers_statuses][]=5',
    'filter.value_after.customers_statuses.0',
    'Stages must be an indexed list, [n][status_id].',
  ],
  [
    'filter[value_after][responsible_user_id]=',
    'filter.value_after.responsible_user_id',
    'This value should not be blank.',
  ],
  [
    'filter[value_after][customers_statuses][0][status_id]=5&filter[value_before][responsible_user_id]=5',
    'filter.value_before.responsible_user_id',
    'No event type supports all of these value filters.',
  ],
  [
    'filter[type]=custom_field_value_changed&filter[value_after][custom_field_values]=5',
    'filter.value_after.custom_field_values',
    'custom_field_values requires exactly one custom_field_{FIELD_ID}_value_changed in filter[type].',
  ],
]

describe('Event filters', () => {
  test('filter[type] accepts one type or several, in every list notation', async () => {
    const { browser } = await office()
    expect(await typesOf(browser, 'filter[type]=sale_field_changed')).toEqual(['sale_field_changed'])
    const several = ['sale_field_changed', 'contact_added', 'lead_added', 'lead_added']
    for (const query of [
      'filter[type]=lead_added,contact_added,sale_field_changed',
      'filter[type][]=lead_added&filter[type][]=contact_added&filter[type][]=sale_field_changed',
      'filter[type][0]=lead_added&filter[type][7]=contact_added&filter[type][8]=sale_field_changed',
    ])
      expect(await typesOf(browser, query)).toEqual(several)
    expect(await typesOf(browser, 'filter[type]=lead_deleted')).toEqual([])
    expect((await typesOf(browser, 'filter[type]=')).length).toBe(5)
  })

  test('filter[type] accepts the types that only the live service has, and finds none', async () => {
    const { browser } = await office()
    expect(await typesOf(browser, 'filter[type]=talk_created')).toEqual([])
    const asked = ['entity_direct_message', 'sale_field_changed', 'incoming_mail', 'conversation_answered']
    expect(await typesOf(browser, asked.map((type) => `filter[type][]=${type}`).join('&'))).toEqual([
      'sale_field_changed',
    ])
    const misfit = 'value does not apply to events of type incoming_mail.'
    expect(await faultOf(browser, 'filter[type]=incoming_mail&filter[value_after][value]=1')).toEqual([
      400,
      'filter.value_after.value',
      misfit,
    ])
  })

  test('filter[id] accepts one id or several', async () => {
    const { browser } = await office()
    const [first, second, third] = await found(browser, '')
    const ids = async (query: string) => (await found(browser, query)).map(({ id }) => id)
    expect(await ids(`filter[id]=${second?.id}`)).toEqual([second?.id])
    expect(await ids(`filter[id][]=${third?.id}&filter[id][]=${first?.id}&filter[id][]=x`)).toEqual([
      first?.id,
      third?.id,
    ])
    expect(await ids(`filter[id]=${second?.id}&filter[type]=lead_deleted`)).toEqual([])
  })

  test('filter[created_at] accepts a start, which is exclusive, or a range, which includes both ends', async () => {
    const { browser } = await office()
    const at = async (query: string) => [
      ...new Set((await found(browser, query)).map(({ created_at }) => created_at - BEGINNING)),
    ]
    expect(await at(`filter[created_at]=${BEGINNING + 10}`)).toEqual([20])
    expect(await at(`filter[created_at]=${BEGINNING + 9}`)).toEqual([20, 10])
    expect(await at(`filter[created_at]=${BEGINNING + 9}999`)).toEqual([20, 10])
    expect(await at(`filter[created_at][from]=${BEGINNING + 10}`)).toEqual([20, 10])
    expect(await at(`filter[created_at][to]=${BEGINNING + 10}`)).toEqual([10, 0])
    expect(
      await at(`filter[created_at][from]=${BEGINNING + 10}&filter[created_at][to]=${BEGINNING + 10}`),
    ).toEqual([10])
    expect(await at(`filter[created_at]=${BEGINNING},${BEGINNING + 10}`)).toEqual([10, 0])
    expect(await at(`filter[created_at]=${BEGINNING + 9.75}`)).toEqual([20, 10])
    expect(await at(`filter[created_at][from]=${BEGINNING + 10.5}`)).toEqual([20, 10])
    expect(await at(`filter[created_at][to]=${BEGINNING + 10}.0`)).toEqual([10, 0])
    expect(await at(`filter[created_at]=${2 ** 53 - 1}`)).toEqual([])
    expect(await at('filter[created_at]=-5')).toEqual([20, 10, 0])
  })

  test('filter[created_by] accepts up to ten users', async () => {
    const { browser, admin, bob, wall, ann } = await office()
    const about = async (query: string) => (await found(browser, query)).map(({ entity_id }) => entity_id)
    expect(await about(`filter[created_by]=${bob.id}`)).toEqual([ann, wall])
    expect((await about(`filter[created_by]=${bob.id},${admin.id},999`)).length).toBe(5)
    expect(await about('filter[created_by]=999')).toEqual([])
    expect((await about(`filter[created_by]=${bob.id},2,3,4,5,6,7,8,9,10`)).length).toBeGreaterThan(0)
    expect(await faultOf(browser, 'filter[created_by]=1,2,3,4,5,6,7,8,9,10,11')).toEqual([
      400,
      'filter.created_by',
      'filter[created_by] accepts at most 10 users.',
    ])
  })

  test('filter[entity] accepts kinds, and filter[entity_id] accepts up to ten ids of exactly one kind', async () => {
    const { browser, roof, wall, ann } = await office()
    const about = async (query: string) => (await found(browser, query)).map(({ entity_id }) => entity_id)
    expect(await about('filter[entity]=contact')).toEqual([ann])
    expect((await about('filter[entity]=contact,lead,task,catalog_5')).length).toBe(5)
    expect(await about(`filter[entity]=lead&filter[entity_id]=${wall}`)).toEqual([wall])
    expect(await about(`filter[entity]=lead&filter[entity_id]=${wall},${roof},999`)).toEqual([
      roof,
      roof,
      wall,
      roof,
    ])
    expect(await about(`filter[entity]=contact&filter[entity_id]=${wall}`)).toEqual([])
    const rule = 'filter[entity_id] requires filter[entity] with exactly one entity.'
    expect(await faultOf(browser, `filter[entity_id]=${wall}`)).toEqual([400, 'filter.entity_id', rule])
    expect(await faultOf(browser, `filter[entity_id]=${wall}&filter[entity]=lead,contact`)).toEqual([
      400,
      'filter.entity_id',
      rule,
    ])
    const eleven = Array.from({ length: 11 }, (_, i) => i + 1).join()
    expect(await faultOf(browser, `filter[entity]=lead&filter[entity_id]=${eleven}`)).toEqual([
      400,
      'filter.entity_id',
      'filter[entity_id] accepts at most 10 ids.',
    ])
  })

  test('combine', async () => {
    const { browser, admin, bob, roof } = await office()
    const query = (person: number) =>
      `filter[entity]=lead&filter[entity_id]=${roof}&filter[created_by]=${person}&filter[type]=sale_field_changed,lead_added` +
      `&filter[created_at][from]=${BEGINNING + 1}`
    expect(await typesOf(browser, query(admin.id))).toEqual(['sale_field_changed'])
    expect(await typesOf(browser, query(bob.id))).toEqual([])
  })

  onEmbedded("that break a rule are refused with the rule's message", async () => {
    const { admin } = await world()
    for (const [query, path, detail] of refused)
      expect([query, ...(await faultOf(admin.browser, query))]).toEqual([query, 400, path, detail])
  })
})

describe('Filters by values before and after', () => {
  test('leads_statuses finds stage changes by pipeline and stage', async () => {
    const { browser, roof, wall, pipeline_id, status_ids } = await office()
    const [first, second, third] = status_ids as [number, number, number]
    await browser.patch(`/web/v4/leads/${roof}`, { status_id: second })
    await browser.patch(`/web/v4/leads/${wall}`, { status_id: third })
    const moved = async (side: string, ...ids: number[]) => {
      const pairs = ids.map(
        (id, n) =>
          `filter[value_${side}][leads_statuses][${n}][pipeline_id]=${pipeline_id}` +
          `&filter[value_${side}][leads_statuses][${n}][status_id]=${id}`,
      )
      const query = pairs.join('&')
      const typed = await found(browser, `filter[type]=lead_status_changed&${query}`)
      expect(await found(browser, query)).toEqual(typed)
      return typed.map(({ entity_id }) => entity_id)
    }
    expect(await moved('after', second)).toEqual([roof])
    expect(await moved('after', second, third)).toEqual([wall, roof])
    expect(await moved('before', first)).toEqual([wall, roof])
    expect(await moved('after', first)).toEqual([])
    const unnumbered = [second, third].flatMap((id) => [
      `filter[value_after][leads_statuses][][pipeline_id]=${pipeline_id}`,
      `filter[value_after][leads_statuses][][status_id]=${id}`,
    ])
    expect((await found(browser, unnumbered.join('&'))).map(({ entity_id }) => entity_id)).toEqual([
      wall,
      roof,
    ])
    const both = `filter[value_before][leads_statuses][0][pipeline_id]=${pipeline_id}&filter[value_before][leads_statuses][0][status_id]=${first}`
    const after = `filter[value_after][leads_statuses][0][pipeline_id]=${pipeline_id}&filter[value_after][leads_statuses][0][status_id]=${third}`
    expect((await found(browser, `${both}&${after}`)).map(({ entity_id }) => entity_id)).toEqual([wall])
    const elsewhere = after.replace(`=${pipeline_id}`, '=999')
    expect(await found(browser, elsewhere)).toEqual([])
  })

  test('customers_statuses and responsible_user_id find changes by id', async () => {
    const { browser, bob, admin, wall } = await office()
    const customer = await add(browser, 'customers', { name: 'Ann' })
    const { statuses } = (await browser.get('/web/v4/customers/statuses')).body._embedded
    const { status_id } = (await browser.get(`/web/v4/customers/${customer}`)).body
    const other = statuses.find(({ id }: { id: number }) => id !== status_id).id
    await browser.patch(`/web/v4/customers/${customer}`, { status_id: other })
    const stage = (side: string, id: number) =>
      `filter[value_${side}][customers_statuses][0][status_id]=${id}`
    expect(await typesOf(browser, stage('after', other))).toEqual(['customer_status_changed'])
    expect(await typesOf(browser, stage('before', status_id))).toEqual(['customer_status_changed'])
    expect(await typesOf(browser, stage('after', status_id))).toEqual([])

    await browser.patch(`/web/v4/leads/${wall}`, { responsible_user_id: admin.id })
    await browser.patch(`/web/v4/leads/${wall}`, { responsible_user_id: bob.id })
    const given = async (query: string) => (await found(browser, query)).length
    expect(await given(`filter[value_after][responsible_user_id]=${bob.id}`)).toBe(1)
    expect(await given(`filter[value_after][responsible_user_id]=${bob.id},${admin.id}`)).toBe(2)
    expect(await given(`filter[value_after][responsible_user_id]=${bob.id}&filter[entity]=contact`)).toBe(0)
  })

  test('custom_field_values finds choices of one field and returns each event once', async () => {
    const { browser, roof } = await office()
    const draft = {
      name: 'Colour',
      type: 'multiselect',
      enums: [
        { value: 'red', sort: 1 },
        { value: 'blue', sort: 2 },
      ],
    }
    const field = await add(browser, 'leads/custom_fields', draft)
    const { enums } = (await browser.get(`/web/v4/leads/custom_fields/${field}`)).body
    const [red, blue] = enums.map(({ id }: { id: number }) => id)
    const set = (...ids: number[]) =>
      browser.patch(`/web/v4/leads/${roof}`, {
        custom_fields_values: [{ field_id: field, values: ids.map((enum_id) => ({ enum_id })) }],
      })
    await set(red)
    await set(red, blue)
    const type = `filter[type]=custom_field_${field}_value_changed`
    const count = async (query: string) => (await found(browser, `${type}${query}`)).length
    expect(await count('')).toBe(2)
    expect(await count(`&filter[value_after][custom_field_values]=${red},${blue}`)).toBe(2)
    expect(await count(`&filter[value_after][custom_field_values]=${blue}`)).toBe(1)
    expect(await count(`&filter[value_before][custom_field_values]=${red}`)).toBe(1)
    expect(await count('&filter[value_after][value]=blue')).toBe(1)
    expect(
      (await found(browser, 'filter[type]=custom_field_value_changed&filter[value_after][value]=red')).length,
    ).toBe(2)
    const other = `filter[type]=custom_field_${field + 1}_value_changed`
    expect(await found(browser, `${other}&filter[value_after][custom_field_values]=${red}`)).toEqual([])
    expect(await found(browser, `${other}&filter[value_after][value]=red`)).toEqual([])
  })

  test('value matches exactly, including commas and long texts', async () => {
    const { browser, roof } = await office()
    const long = 'Ж'.repeat(200)
    await browser.patch(`/web/v4/leads/${roof}`, { name: long })
    const named = (side: string, text: string, types = 'name_field_changed') =>
      typesOf(
        browser,
        `filter[type]=${types}&filter[entity]=lead&filter[value_${side}][value]=${encodeURIComponent(text)}`,
      )
    expect(await named('after', 'Roof, red')).toEqual(['name_field_changed'])
    expect(await named('after', 'Roof')).toEqual([])
    expect(await named('before', 'Roof')).toEqual(['name_field_changed'])
    expect(await named('after', long)).toEqual(['name_field_changed'])
    expect(await named('after', long.slice(1))).toEqual([])
    expect(await named('after', '200', 'sale_field_changed')).toEqual(['sale_field_changed'])
    expect(await named('before', '100', 'sale_field_changed,name_field_changed')).toEqual([
      'sale_field_changed',
    ])
    const either = 'filter[value_after][value][]=200&filter[value_after][value][]=Roof, red'
    expect(await typesOf(browser, `filter[type]=sale_field_changed,name_field_changed&${either}`)).toEqual([
      'sale_field_changed',
      'name_field_changed',
    ])
  })

  test('a text or a list of texts matches exactly', async () => {
    const { browser } = await office()
    const lead = await add(browser, 'leads', { name: 'Sauna' })
    await browser.patch(`/web/v4/leads/${lead}`, { name: 'Sauna, red' })
    const named = (query: string) => typesOf(browser, `filter[type]=name_field_changed&${query}`)
    expect(await named('filter[value_after]=Sauna, red')).toEqual(['name_field_changed'])
    expect(await named('filter[value_after]=Sauna')).toEqual([])
    expect(await named('filter[value_before]=Sauna')).toEqual(['name_field_changed'])
    expect(await named('filter[value_after][]=none&filter[value_after][]=Sauna, red')).toEqual([
      'name_field_changed',
    ])
  })

  test('value finds survey ratings and purchase totals', async () => {
    const { browser } = await office()
    const customer = await add(browser, 'customers', { name: 'Ann' })
    await browser.post(`/web/v4/customers/${customer}/nps`, { rate: 7 })
    await browser.post(`/web/v4/customers/${customer}/transactions`, [{ price: 250 }])
    const query = (type: string, value: number) => `filter[type]=${type}&filter[value_after][value]=${value}`
    expect(await typesOf(browser, query('nps_rate_added', 7))).toEqual(['nps_rate_added'])
    expect(await typesOf(browser, query('nps_rate_added', 8))).toEqual([])
    expect(await typesOf(browser, query('ltv_field_changed', 250))).toEqual(['ltv_field_changed'])
  })

  test('accept at most a hundred values, in all types together', async () => {
    const { browser } = await office()
    const customer = await add(browser, 'customers', { name: 'Ann' })
    await browser.post(`/web/v4/customers/${customer}/nps`, { rate: 7 })
    const types = ['nps_rate_added', 'sale_field_changed', 'name_field_changed', 'ltv_field_changed']
    const query = (values: number, names: string[], sides = ['after']) =>
      [
        `filter[type]=${names}`,
        ...sides.flatMap((side) =>
          Array.from({ length: values }, (_, i) => `filter[value_${side}][value][]=${7 + i}`),
        ),
      ].join('&')
    expect(await typesOf(browser, query(25, types))).toEqual(['nps_rate_added'])
    expect(await typesOf(browser, query(100, ['nps_rate_added']))).toEqual(['nps_rate_added'])
    expect(await typesOf(browser, query(100, ['sale_field_changed'], ['after', 'before']))).toEqual([])
    for (const tooMany of [query(26, types), query(101, ['nps_rate_added'])])
      expect(faultsOf(await browser.get(`/web/v4/events?${tooMany}`))).toEqual([
        400,
        '0 TooMany filter.value_after.value',
      ])
  })
})
