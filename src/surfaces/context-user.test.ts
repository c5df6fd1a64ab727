import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, traces } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const NAME = 'x-context-user-id'
const ERRORS = 'http://demo.localhost:8080/docs/errors'
const MINE = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const

async function withToken() {
  const here = await world()
  const ann = await here.addPerson({ name: 'Ann', rights: { leads: MINE } })
  const { access_token } = await connect(here.stranger, await register(here.admin))
  const token = here.stranger.as({ token: access_token })
  const inNameOf = (id: number | string, method = 'GET', path = 'account', body?: unknown) =>
    token.send(method, `/api/v4/${path}`, body === undefined ? undefined : JSON.stringify(body), {
      'content-type': 'application/json',
      [NAME]: String(id),
    })
  return { ...here, ann, token, inNameOf }
}

test('A token of an administrator acts as the person whom the request names, with their rights', async () => {
  const { admin, ann, inNameOf, token } = await withToken()
  expect((await inNameOf(ann.id)).body.current_user_id).toBe(ann.id)
  expect((await inNameOf(admin.id)).body.current_user_id).toBe(admin.id)
  const added = await inNameOf(ann.id, 'POST', 'leads', [{ name: 'Roof' }])
  const { id } = added.body._embedded.leads[0]
  const lead = (await token.get(`/api/v4/leads/${id}`)).body
  expect([lead.created_by, lead.responsible_user_id]).toEqual([ann.id, ann.id])
  const { body } = await token.get(`/api/v4/events?filter[entity]=lead&filter[entity_id]=${id}`)
  expect(body._embedded.events[0].created_by).toBe(ann.id)
  const other = await add(token, 'leads', { name: 'Cellar' })
  expect((await inNameOf(ann.id, 'GET', `leads/${other}`)).status).toBe(204)
  expect((await inNameOf(ann.id, 'PATCH', `leads/${other}`, { name: 'x' })).status).toBe(403)
  expect((await inNameOf(ann.id, 'GET', 'users')).status).toBe(403)
  expect((await token.get(`/api/v4/leads/${other}`)).body.name).toBe('Cellar')
})

test('A request that names somebody else is another request under its Idempotency-Key', async () => {
  const { ann, token } = await withToken()
  const ask = (headers: Record<string, string>) =>
    token.post('/api/v4/leads', [{ name: 'Roof' }], { 'idempotency-key': 'a', ...headers })
  const first = await ask({ [NAME]: String(ann.id) })
  expect([first.status, (await ask({ [NAME]: String(ann.id) })).body]).toEqual([200, first.body])
  const other = await ask({})
  expect([other.status, other.body.type]).toEqual([409, `${ERRORS}#idempotency_key_reused`])
})

test('Only active people with a paid place can be named, and only with a token of an administrator', async () => {
  const { ann, inNameOf, addPerson, stranger, admin, ctx } = await withToken()
  const { id: left } = await addPerson()
  const Fay = {
    name: 'Fay',
    email: 'fay@shop.example',
    password: 'a long enough one',
    rights: { is_free: true },
  }
  const free = (await admin.browser.post('/web/v4/users', [Fay])).body._embedded.users[0].id
  const bob = await addPerson({ name: 'Bob', is_admin: true })
  const bobs = stranger.as({ token: (await connect(stranger, await register(bob))).access_token })
  const changed = [
    await admin.browser.post(`/web/v4/users/${left}/deactivate`),
    await admin.browser.patch(`/web/v4/users/${bob.id}`, { is_admin: false }),
  ]
  expect(changed.map(({ status }) => status)).toEqual([204, 200])
  const before = await traces(ctx)
  for (const named of [free, left, 999_999, 0, -1, 'Ann', '1e3', '9'.repeat(40), `${ann.id}, ${admin.id}`]) {
    const refused = await inNameOf(named, 'POST', 'leads', [{ name: 'Roof' }])
    const { type } = refused.body
    expect([named, refused.status, type]).toEqual([named, 401, `${ERRORS}#context_user`])
    expect(refused.headers['www-authenticate']).toContain('X-Context-User-ID')
  }
  const asBob = (id: number) => bobs.send('GET', '/api/v4/account', undefined, { [NAME]: String(id) })
  expect([(await asBob(bob.id)).status, (await asBob(admin.id)).status]).toEqual([200, 401])
  expect(await traces(ctx)).toEqual(before)
})
