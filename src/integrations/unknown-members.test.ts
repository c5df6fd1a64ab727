import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

/** Members that every object inherits. */
const inherited = { constructor: 'x', toString: 'y', hasOwnProperty: true }

test('members that every object inherits are ignored as other unknown ones are', async () => {
  const { admin } = await world()
  const draft = { name: 'Shop', redirect_uri: 'https://shop.example/oauth' }
  const saved = await admin.browser.post('/web/integrations', { ...draft, ...inherited, number: 7 })
  expect(saved.status).toBe(201)
  const at = `/web/integrations/${saved.body.integration.id}`
  const changed = await admin.browser.patch(at, { ...inherited, name: 'Store' })
  expect([changed.status, changed.body]).toEqual([200, { ...saved.body.integration, name: 'Store' }])
  const page = await admin.browser.get(`/web/consent?client_id=${saved.body.integration.id}&mode=constructor`)
  expect([page.status, page.body.mode]).toEqual([200, 'page'])
})

test('a setting of a widget can have the name of a member that every object inherits', async () => {
  const { admin, stranger } = await world()
  const shop = await register(admin)
  const keys = ['constructor', 'toString', 'valueOf']
  const manifest = {
    ...{ code: 'odd_names', version: '1.0.0' },
    settings_template: keys.map((key) => ({ key, name: key, type: 'text', is_required: key === 'valueOf' })),
  }
  const at = `/web/integrations/${shop.client_id}/widget`
  expect((await admin.browser.put(at, manifest)).status).toBe(200)
  const own = stranger.as({ token: (await connect(stranger, shop)).access_token })
  expect((await own.post('/api/v4/widgets/odd_names', {})).status).toBe(400)
  const installed = await own.post('/api/v4/widgets/odd_names', { valueOf: 'a' })
  expect([installed.status, installed.body.settings]).toEqual([200, { valueOf: 'a' }])
  const page = await admin.browser.get(`/web/installations/${shop.client_id}/widget`)
  expect(page.body.widget.settings).toEqual({ valueOf: 'a' })
})
