import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { type World, world } from '../../../test/world.ts'

const AT = 'http://demo.localhost:8080'
const FIELDS = '/web/v4/leads/custom_fields'
const GROUPS = `${FIELDS}/groups`

const group = (id: string, name: string, change = {}) => ({
  id,
  name,
  is_predefined: false,
  type: 'custom_field_group',
  entity_type: 'leads',
  sort: 0,
  fields: [],
  _links: { self: { href: `${AT}${GROUPS}/${id}` } },
  ...change,
})

async function begun() {
  const place = await world()
  const { browser } = place.admin
  const added = await browser.post(
    FIELDS,
    ['A', 'B', 'C'].map((name) => ({ name, type: 'text' })),
  )
  const [a, b, c] = added.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
  const main = group('default', 'Main', { is_predefined: true, fields: [a, b, c] })
  const statistics = group('statistic', 'Statistics', { is_predefined: true, sort: 1 })
  const groups = async () => (await browser.get(GROUPS)).body._embedded.custom_field_groups
  return { place, browser, a, b, c, main, statistics, groups }
}

async function traces({ ctx }: World) {
  const ordered = ctx.db.selectFrom('custom_field_groups').selectAll()
  const groups = await ordered.orderBy('account_id').orderBy('entity_type').orderBy('id').execute()
  const fields = await ctx.db.selectFrom('custom_fields').selectAll().orderBy('id').execute()
  return { groups, fields }
}

describe('Groups of fields', () => {
  test('exist in every account: a main one for each card, and statistics for leads', async () => {
    const { browser, main, statistics } = await begun()
    const list = await browser.get(GROUPS)
    expect([list.status, list.body]).toEqual([
      200,
      {
        _total_items: 2,
        _links: { self: { href: `${AT}${GROUPS}` } },
        _embedded: { custom_field_groups: [main, statistics] },
      },
    ])
    for (const owner of ['contacts', 'companies', 'customers']) {
      const { body } = await browser.get(`/web/v4/${owner}/custom_fields/groups`)
      expect(body._embedded.custom_field_groups).toMatchObject([
        { id: 'default', entity_type: owner, sort: 0 },
      ])
    }
    expect((await browser.get(`${GROUPS}/statistic`)).body).toEqual(statistics)
  })

  test('are added, changed, filled and deleted', async () => {
    const { browser, a, b, c, main, statistics, groups } = await begun()
    const answer = await browser.post(GROUPS, [
      { name: 'Delivery', sort: 5, fields: [b], request_id: 7 },
      { name: 'Other', sort: 6 },
    ])
    const [{ id }, { id: other }] = answer.body._embedded.custom_field_groups
    expect(id).toMatch(/^leads_\d+$/)
    const delivery = group(id, 'Delivery', { sort: 5, fields: [b] })
    const rest = group(other, 'Other', { sort: 6 })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        _total_items: 2,
        _links: { self: { href: `${AT}${GROUPS}` } },
        _embedded: {
          custom_field_groups: [
            { ...delivery, request_id: 7 },
            { ...rest, request_id: '1' },
          ],
        },
      },
    ])
    expect(await groups()).toEqual([{ ...main, fields: [a, c] }, statistics, delivery, rest])
    expect((await browser.get(`${FIELDS}/${b}`)).body.group_id).toBe(id)

    const filled = await browser.patch(`${GROUPS}/${id}`, { name: 'Sent', sort: 7, fields: [a, c] })
    expect([filled.status, filled.body]).toEqual([
      200,
      { ...delivery, name: 'Sent', sort: 7, fields: [a, c] },
    ])
    expect((await groups())[0]).toEqual({ ...main, fields: [b] })
    await browser.patch(`${GROUPS}/default`, { fields: [a] })
    expect((await groups())[0]).toEqual({ ...main, fields: [a, b] })
    await browser.patch(`${FIELDS}/${b}`, { group_id: id })
    expect((await browser.get(`${GROUPS}/${id}`)).body.fields).toEqual([b, c])

    const gone = await browser.delete(`${GROUPS}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(await groups()).toEqual([main, statistics, rest])
    expect((await browser.get(`${GROUPS}/${id}`)).status).toBe(404)
  })

  test('that every account has can be renamed, and not deleted', async () => {
    const { browser, main, groups, place } = await begun()
    expect((await browser.patch(`${GROUPS}/default`, { name: 'First' })).body).toEqual({
      ...main,
      name: 'First',
    })
    const before = await traces(place)
    for (const id of ['default', 'statistic']) {
      const kept = await browser.delete(`${GROUPS}/${id}`)
      expect([kept.status, kept.body.type]).toEqual([409, `${AT}/docs/errors#predefined_group`])
    }
    expect(await traces(place)).toEqual(before)
    expect((await groups())[0].name).toBe('First')
  })

  onEmbedded('are readable by members of the account, and writable by administrators', async () => {
    const { place, browser, main } = await begun()
    const before = await traces(place)
    const ann = await place.addPerson()
    const writes = [
      ['post', GROUPS, [{ name: 'G', sort: 1 }]],
      ['patch', `${GROUPS}/default`, { name: 'G' }],
      ['patch', `${GROUPS}/none`, { name: 'G' }],
      ['delete', `${GROUPS}/default`, undefined],
    ] as const
    for (const [method, url, body] of writes) {
      expect((await place.stranger[method](url, body)).status).toBeOneOf([401, 403])
      expect((await ann.browser[method](url, body)).status).toBe(403)
    }
    expect((await place.stranger.get(GROUPS)).status).toBe(401)
    expect((await ann.browser.get(`${GROUPS}/default`)).body).toEqual(main)
    const [{ id }] = (await browser.post(GROUPS, [{ name: 'G', sort: 1 }])).body._embedded.custom_field_groups
    const account = await place.addAccount('other')
    const other = await place.addPerson({ account, is_admin: true })
    expect((await other.browser.get(`${GROUPS}/${id}`)).status).toBe(404)
    expect((await other.browser.patch(`${GROUPS}/${id}`, { name: 'X' })).status).toBe(404)
    expect((await other.browser.delete(`${GROUPS}/${id}`)).status).toBe(404)
    expect((await browser.get(`/web/v4/contacts/custom_fields/groups/${id}`)).status).toBe(404)
    await browser.delete(`${GROUPS}/${id}`)
    const after = await traces(place)
    expect(after.groups.filter(({ account_id }) => account_id === 1)).toEqual(before.groups)
  })

  onEmbedded('that are invalid are rejected, and nothing is stored', async () => {
    const { place, browser, a } = await begun()
    const before = await traces(place)
    const refusals: [unknown, ...string[]][] = [
      [[{ sort: 1 }], '0 FieldMissing name'],
      [[{ name: 'G' }], '0 FieldMissing sort'],
      [[{ name: 'G', sort: '1' }], '0 InvalidType sort'],
      [
        [
          { name: 'G', sort: 1 },
          { name: 'G', sort: 1, fields: [a, 9_999], request_id: 'x' },
        ],
        'x NotSupportedChoice fields.1',
      ],
    ]
    for (const [body, ...faults] of refusals)
      expect(faultsOf(await browser.post(GROUPS, body))).toEqual([400, ...faults])
    for (const body of [[], {}, Array(251).fill({ name: 'G', sort: 1 })])
      expect((await browser.post(GROUPS, body)).status).toBe(400)
    expect(faultsOf(await browser.patch(`${GROUPS}/default`, { fields: [9_999] }))).toEqual([
      400,
      '0 NotSupportedChoice fields.0',
    ])
    const many = await browser.post(GROUPS, Array(99).fill({ name: 'G', sort: 1 }))
    expect([many.status, many.body.type]).toEqual([409, `${AT}/docs/errors#field_limit`])
    expect(await traces(place)).toEqual(before)
  })
})
