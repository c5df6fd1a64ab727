import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

test('an address with an invalid id is not found', async () => {
  const { admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const api = stranger.as({ token: access_token })
  const { body } = await api.get('/api/v4/leads/sorted')
  expect(body).toMatchObject({
    status: 404,
    title: 'Not Found',
    detail: 'Cannot GET http://demo.localhost:8080/api/v4/leads/sorted',
  })
  const paths = [
    'contacts/chats-of-mine',
    'customers/segments/x',
    'leads/1e3',
    'leads/0x1',
    'leads/1.0',
    'leads/-1',
    'leads/0',
    'leads/%201',
    'leads/9007199254740993',
    'leads/99999999999999999999',
    'leads/x/notes',
    'leads/x/links',
    'leads/pipelines/x/statuses',
    'catalogs/x/elements',
    'users/me',
    'chats/templates/x',
  ]
  for (const path of paths) expect([path, (await api.get(`/api/v4/${path}`)).status]).toEqual([path, 404])
  expect((await api.patch('/api/v4/leads/one', { name: 'x' })).status).toBe(404)
  expect((await api.post('/api/v4/leads/one/link', [])).status).toBe(404)
  expect((await stranger.get('/api/v4/leads/sorted')).status).toBe(401)
})
