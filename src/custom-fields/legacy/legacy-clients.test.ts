import { describe, expect, test } from 'vitest'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { type Person, type World, world } from '../../../test/world.ts'

const SET = '/private/api/v2/json/fields/set'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const size = { name: 'Size & more', type: 1, element_type: 2, origin: 'shop', request_id: 17 }

/** Encodes a body like PHP's `http_build_query`. */
function form(fields: object, at = 'request[fields]'): string {
  return Object.entries(fields)
    .map(([name, value]) =>
      typeof value === 'object'
        ? form(value, `${at}[${name}]`)
        : `${encodeURIComponent(`${at}[${name}]`)}=${encodeURIComponent(value)}`,
    )
    .join('&')
}

const begun = async () => {
  const place = await world()
  const token = (await connect(place.stranger, await register(place.admin))).access_token
  return { place, api: place.stranger.as({ token }) }
}
const fieldsOf = ({ ctx }: World) =>
  ctx.db
    .selectFrom('custom_fields')
    .select(['id', 'name', 'type', 'origin', 'is_disabled'])
    .orderBy('id')
    .execute()

describe('F7: fields/set as a form with nested names', () => {
  test('adds and deletes like JSON', async () => {
    const { place, api } = await begun()
    const before = await fieldsOf(place)
    const added = await api.post(
      SET,
      form({ add: [size, { ...size, name: 'Colour', type: 4, disabled: 0, enums: ['Red', 'Blue'] }] }),
      FORM,
    )
    expect([added.status, added.headers['content-type']]).toEqual([200, 'application/json'])
    const [one, two] = added.body.response.fields.add
    expect([one.request_id, two.request_id]).toEqual([17, 17])
    const rows = (await fieldsOf(place)).slice(before.length)
    expect(rows.map(({ name, type, is_disabled }) => [name, type, is_disabled])).toEqual([
      ['Size & more', 'text', 1],
      ['Colour', 'select', 0],
    ])
    const gone = await api.post(SET, form({ delete: { 5: { id: one.id, origin: 'shop' } } }), FORM)
    expect([gone.status, gone.body.response.fields.delete]).toEqual([200, [{ id: one.id, request_id: 1 }]])
    expect((await fieldsOf(place)).map(({ id }) => id)).not.toContain(one.id)
  })

  test.each<[string, string, RegExp]>([
    ['a word for a number', form({ add: [{ ...size, type: 'x' }] }), /^request\.fields\.add\.0\.type: /],
    ['a name too deep', 'request[fields][add][0][enums][0][a]=1', /nested too deeply/],
    ['more than 10,000 members', 'a=1&'.repeat(10_001), /more than 10000 members/],
    ['NUL', form({ add: [{ ...size, name: 'a\0b' }] }), /NUL/],
    ['nothing', '', /request: This field is missing/],
  ])('%s is rejected and changes nothing', async (_what, body, error) => {
    const { place, api } = await begun()
    const before = await fieldsOf(place)
    const answer = await api.post(SET, body, FORM)
    expect([answer.status, answer.body.response.error]).toEqual([400, expect.stringMatching(error)])
    expect(await fieldsOf(place)).toEqual(before)
  })

  test('F12: disabled can be a boolean in JSON', async () => {
    const { place, api } = await begun()
    const before = await fieldsOf(place)
    const add = [
      { ...size, disabled: false, enums: [] },
      { ...size, disabled: true },
    ]
    expect((await api.post(SET, { request: { fields: { add } } })).status).toBe(200)
    const rows = (await fieldsOf(place)).slice(before.length)
    expect(rows.map(({ is_disabled }) => is_disabled)).toEqual([0, 1])
  })

  test('is strict in JSON: "1" is not 1', async () => {
    const { api } = await begun()
    const answer = await api.post(SET, { request: { fields: { add: [{ ...size, type: '1' }] } } })
    expect([answer.status, answer.body.response.error]).toEqual([
      400,
      'request.fields.add.0.type: This value should be of type int.',
    ])
  })
})

describe('F7: USER_LOGIN and USER_HASH in the address', () => {
  const body = { request: { fields: { add: [size] } } }
  const address = (login: string, hash: string) =>
    `${SET}?USER_LOGIN=${encodeURIComponent(login)}&USER_HASH=${encodeURIComponent(hash)}`

  async function withToken() {
    const place = await world()
    const shop = await register(place.admin)
    const short = (await connect(place.stranger, shop)).access_token
    const issued = await place.admin.browser.post(`/web/installations/${shop.client_id}/long-lived-tokens`, {
      name: 'Old client',
      days: 30,
    })
    return { place, short, long: issued.body.access_token as string }
  }
  const set = ({ stranger }: World, login: string, hash: string) => stranger.post(address(login, hash), body)

  test('authenticate the person with that long-lived token, in any case of their e-mail', async () => {
    const { place, long } = await withToken()
    const answers = [
      await set(place, place.admin.email, long),
      await set(place, place.admin.email.toUpperCase(), long),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('authenticate no other person, token or operation, and are both required', async () => {
    const { place, long, short } = await withToken()
    const ann: Person = await place.addPerson({})
    const before = await fieldsOf(place)
    const refused = [
      await set(place, ann.email, long),
      await set(place, 'nobody@a.example', long),
      await set(place, '', long),
      await set(place, place.admin.email, short),
      await set(place, place.admin.email, 'x'),
      await set(place, place.admin.email, ''),
      await place.stranger.as({ token: 'x' }).post(address(place.admin.email, long), body),
      await place.stranger.get(`/api/v4/account?USER_LOGIN=${place.admin.email}&USER_HASH=${long}`),
    ]
    expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(401))
    expect(await fieldsOf(place)).toEqual(before)
  })
})
