import { expect, test } from 'vitest'
import { register } from '../../../test/fixtures/integrations.ts'
import { legacyClient } from '../../../test/fixtures/legacy.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, world } from '../../../test/world.ts'

const PATH = '/api/unsorted'

async function begun() {
  const place = await world()
  const { v4 } = await legacyClient(place)
  const post = (path: string, unsorted: object) => v4.post(`${PATH}/${path}/`, { request: { unsorted } })
  const add = async (category: string, item: object): Promise<string> =>
    (await post('add', { category, add: [item] })).body.response.unsorted.add.data[0]
  return { ...place, v4, post, add, user: place.admin.id }
}

/** As scripts of websites send it. */
const form = {
  source: 'www.example.com',
  date_create: String(BEGINNING - 9),
  source_data: {
    data: { name_1: { type: 'text', id: 'name', element_type: '1', name: 'Name', value: 'Ann' } },
    ...{ form_id: 318, form_type: 1, form_name: 'Order', from: 'www.example.com', date: BEGINNING - 10 },
    origin: { ip: '192.0.2.7', referer: 'https://www.example.com/bikes' },
  },
  data: {
    leads: [{ name: 'Order', price: '900', tags: 'site', notes: [{ note_type: 4, text: 'By noon' }] }],
    contacts: [{ name: 'Ann Lee' }],
  },
}

test('forms of websites become incoming leads that are listed, accepted and declined', async () => {
  const { v4, post, add, user } = await begun()
  const uid = await add('forms', form)
  const { unsorted } = (await v4.get(`${PATH}/list/?page_size=10&PAGEN_1=1`)).body.response
  expect(unsorted).toEqual([
    {
      ...{ uid, source: 'www.example.com', source_uid: '318', category: 'forms', date_create: BEGINNING - 9 },
      pipeline_id: expect.any(Number),
      source_data: expect.objectContaining({
        ...{ form_id: '318', form_name: 'Order', from: 'www.example.com', date: BEGINNING - 10 },
        origin: { ip: '192.0.2.7', referer: 'https://www.example.com/bikes' },
      }),
      data: {
        leads: [expect.objectContaining({ name: 'Order', price: 900, date_create: BEGINNING - 9 })],
        contacts: [expect.objectContaining({ name: 'Ann Lee', type: 'contact' })],
        companies: [],
      },
    },
  ])
  const accepted = await post('accept', { accept: [uid], user_id: String(user) })
  expect(accepted.body.response.unsorted.accept).toEqual({
    status: 'success',
    data: { [uid]: { leads: [expect.any(Number)], contacts: [expect.any(Number)], companies: [] } },
  })
  const other = await add('forms', form)
  const declined = await post('decline', { decline: other, user_id: user })
  expect(declined.body.response.unsorted.decline).toEqual({ status: 'success', data: { [other]: false } })
  expect((await v4.get(`${PATH}/list/`)).status).toBe(204)
  const { server_time, ...summary } = (await v4.get(`${PATH}/get_all_summary/`)).body.response
  expect([server_time, summary]).toEqual([
    BEGINNING,
    {
      category: { sip: 0, mail: 0, forms: 2, chats: 0 },
      ...{ total: 2, accepted: 1, declined: 1, avg_time: expect.any(Number) },
    },
  ])
})

test('calls become incoming leads', async () => {
  const { v4, add, user } = await begun()
  const uid = await add('sip', {
    ...{ source: 686, source_uid: 'call-1', date_create: BEGINNING },
    source_data: { from: '79161234567', to: String(user), date: BEGINNING, duration: 15, service: 'pbx' },
    data: { leads: [{ name: 'Call' }] },
  })
  const [shown] = (await v4.get(`${PATH}/list?categories[]=sip`)).body.response.unsorted
  expect(shown).toMatchObject({
    ...{ uid, source: '686', source_uid: 'call-1', category: 'sip' },
    source_data: { from: '79161234567', date: BEGINNING, duration: 15, service: 'pbx' },
  })
})

test('the person and their long-lived token can be in the address, under both pairs of names', async () => {
  const place = await world()
  const { client_id } = await register(place.admin)
  const made = await place.admin.browser.post(`/web/installations/${client_id}/long-lived-tokens`, {
    name: 'old',
    days: 1,
  })
  for (const [login, hash] of [
    ['login', 'api_key'],
    ['USER_LOGIN', 'USER_HASH'],
  ] as const) {
    const ask = (key: string) =>
      place.stranger.post(
        `${PATH}/add/?${new URLSearchParams({ [login]: place.admin.email, [hash]: key })}`,
        {
          request: { unsorted: { category: 'forms', add: [{ ...form, source_uid: login }] } },
        },
      )
    expect([login, (await ask(made.body.access_token)).status]).toEqual([login, 200])
    expect([login, (await ask('wrong')).status]).toEqual([login, 401])
  }
  expect((await place.stranger.post(`${PATH}/add`, {})).status).toBe(401)
})

test('a request is written as a whole, and the error names the member', async () => {
  const { ctx, post, add } = await begun()
  const uid = await add('forms', form)
  const before = await traces(ctx)
  const cases: [string, object, string][] = [
    ['add', { category: 'mail', add: [form] }, 'request.unsorted.category'],
    ['add', { category: '__proto__', add: [form] }, 'request.unsorted.category'],
    [
      'add',
      { category: 'forms', add: [form, { ...form, date_create: 'x' }] },
      'request.unsorted.add.1.created_at',
    ],
    ['accept', { accept: [] }, 'request.unsorted.accept'],
    ['accept', { accept: [uid], user_id: 'x' }, 'request.unsorted.user_id'],
    ['decline', { decline: Array(251).fill(uid) }, 'request.unsorted.decline'],
  ]
  for (const [path, body, place] of cases) {
    const { status, body: answer } = await post(path, body)
    expect([path, status, answer.response?.error]).toEqual([path, 400, expect.stringContaining(`${place}: `)])
  }
  expect((await post('add', { category: 'forms' })).body.response.error_code).toBe(103)
  expect(await traces(ctx)).toEqual(before)
})
