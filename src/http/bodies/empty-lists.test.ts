import { expect, test } from 'vitest'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

const SECOND_PAGE = '?page=2&limit=250'

/** A caller with a token, below `/api/v4`. */
async function client({ admin, stranger }: World) {
  const { access_token } = await connect(stranger, await register(admin))
  return stranger.as({ token: access_token })
}

/** Lists without an id in their address that read `page`, and their answer to a page after the last. */
const paged = {
  204: [
    'audiences',
    'catalogs',
    'chats',
    'companies',
    'companies/tags',
    'contacts',
    'contacts/custom_fields',
    'customers',
    'customers/transactions',
    'groups',
    'leads',
    'leads/loss_reasons',
    'leads/tags',
    'roles',
    'tasks',
    'users',
  ],
  200: ['events', 'leads/notes', 'contacts/notes', 'companies/notes', 'customers/notes'],
}

test('a page after the last is 204 without a body; events and notes answer 200 with an empty array', async () => {
  const asking = await client(await world())
  const seen: Record<string, unknown> = {}
  for (const path of [...paged[204], ...paged[200]]) {
    const { status, text, body, headers } = await asking.get(`/api/v4/${path}${SECOND_PAGE}`)
    seen[path] = status === 204 ? [204, text, headers['content-type']] : [status, body._embedded]
  }
  expect(seen).toEqual(
    Object.fromEntries([
      ...paged[204].map((path) => [path, [204, '', undefined]]),
      ...paged[200].map((path) => [path, [200, { [path.split('/').at(-1) as string]: [] }]]),
    ]),
  )
})

test('no type is named for an answer without a body', async () => {
  const there = await world()
  const asking = await client(there)
  const lead = await add(there.admin.browser, 'leads')
  const stop = await asking.post('/api/v4/bots/1/stop', { entity_id: lead, entity_type: 'leads' })
  const deleted = await asking.delete(`/api/v4/leads/${lead}`)
  const seen = [stop, deleted].map(({ status, text, headers }) => [status, text, headers['content-type']])
  expect(seen).toEqual([
    [202, '', undefined],
    [204, '', undefined],
  ])
})

test('an unpaged empty list is 204, also below an id', async () => {
  const there = await world()
  const asking = await client(there)
  const lead = await add(there.admin.browser, 'leads')
  const paths = [
    'jobs',
    'chats/intents',
    `leads/${lead}/links`,
    `leads/links?filter[entity_id]=${lead}`,
    `leads/${lead}/files`,
    `leads/${lead}/audiences`,
  ]
  for (const path of paths) expect([path, (await asking.get(`/api/v4/${path}`)).status]).toEqual([path, 204])
  expect((await asking.get(`/api/v4/leads/${lead}/notes?filter[note_type]=common`)).body._embedded).toEqual({
    notes: [],
  })
})

test('HEAD of an empty list is 204, and of a non-empty one 200', async () => {
  const { admin } = await world()
  expect((await admin.browser.send('HEAD', '/web/v4/leads')).status).toBe(204)
  await add(admin.browser, 'leads')
  expect((await admin.browser.send('HEAD', '/web/v4/leads')).status).toBe(200)
})

test('an answer with more than a list is never 204, and neither is the answer to a write', async () => {
  const { admin } = await world()
  expect((await admin.browser.get('/web/v4/leads/totals')).body._embedded).toEqual({ statuses: [] })
  expect((await admin.browser.get('/web/v4/search?query=nobody')).status).toBe(200)
  expect((await admin.browser.get('/web/v4/events/counts?by=day')).status).toBe(200)
})

test.each(['leads', 'contacts', 'companies', 'customers'])(
  'a missing or deleted record among %s is 204 without a body',
  async (kind) => {
    const { admin } = await world()
    const draft = kind === 'customers' ? { name: 'Roofs', next_date: 1_900_000_000 } : {}
    const id = await add(admin.browser, kind, draft)
    expect((await admin.browser.delete(`/web/v4/${kind}/${id}`)).status).toBe(204)
    for (const path of [`${kind}/${id}`, `${kind}/999999`, `${kind}/${id + 1}?with=only_deleted`]) {
      const { status, text, headers } = await admin.browser.get(`/web/v4/${path}`)
      expect([path, status, text, headers.etag]).toEqual([path, 204, '', undefined])
    }
  },
)

test('a missing element, or one of another list, is 204; a missing list is 404', async () => {
  const { admin } = await world()
  const [one, other] = await Promise.all(
    ['Cars', 'Vans'].map((name) => add(admin.browser, 'catalogs', { name })),
  )
  const id = await add(admin.browser, `catalogs/${one}/elements`, { name: 'Beetle' })
  const status = async (path: string) => (await admin.browser.get(`/web/v4/catalogs/${path}`)).status
  expect(await status(`${one}/elements/${id}`)).toBe(200)
  expect(await status(`${one}/elements/999999`)).toBe(204)
  expect(await status(`${other}/elements/${id}`)).toBe(204)
  expect(await status(`999999/elements/${id}`)).toBe(404)
})

test('a missing resource that is not a record is 404', async () => {
  const { admin } = await world()
  const lead = await add(admin.browser, 'leads')
  const paths = [
    'tasks/999999',
    'users/999999',
    'roles/999999',
    'catalogs/1',
    'leads/pipelines/999999',
    `leads/${lead}/notes/999999`,
    'talks/1',
  ]
  for (const path of [...paths, 'leads/999999/notes', 'leads/999999/links', 'leads/999999/timeline'])
    expect([path, (await admin.browser.get(`/web/v4/${path}`)).status]).toEqual([path, 404])
})
