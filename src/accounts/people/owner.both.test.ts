import { expect, test } from 'vitest'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

const OWNER = '/v3/user'

test('OAuth libraries read after an exchange who signed in: the administrator who granted the token', async () => {
  const { admin, stranger, addPerson } = await world()
  const { access_token: token } = await connect(stranger, await register(admin))
  const { id, name, email } = admin
  const answer = await stranger.as({ token }).get(OWNER)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/hal+json'])
  const _links = { self: { href: `http://demo.localhost:8080/api/v4/users/${id}` } }
  expect(answer.body).toEqual({ id, name, email, _links })
  const ann = await addPerson({ name: 'Ann' })
  const inHerName = await stranger.as({ token }).get(OWNER, { 'x-context-user-id': String(ann.id) })
  expect([inHerName.body.id, inHerName.body.email]).toEqual([ann.id, ann.email])
})

test('A request without a valid token is refused, and other addresses of this version do not exist', async () => {
  const { admin, stranger } = await world()
  expect((await stranger.get(OWNER)).status).toBe(401)
  expect((await admin.browser.get(OWNER)).status).toBe(401)
  const { access_token: token } = await connect(stranger, await register(admin))
  expect((await stranger.as({ token }).get('/v3/accounts')).status).toBe(404)
  expect((await stranger.get('/v3/accounts')).status).toBe(401)
})
