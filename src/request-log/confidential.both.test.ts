import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { lastExchange } from '../../test/fixtures/request-log.ts'
import { world } from '../../test/world.ts'

test('settings of widgets are not kept, because any of them can be a secret', async () => {
  const here = await world()
  const { admin, stranger } = here
  const shop = await register(admin)
  const settings_template = ['login', 'pin'].map((key) => ({
    key,
    name: key,
    type: 'pass',
    is_required: true,
  }))
  const manifest = { code: 'demo_pbx', version: '1.0.0', settings_template }
  await admin.browser.put(`/web/integrations/${shop.client_id}/widget`, manifest)
  const own = stranger.as({ token: (await connect(stranger, shop)).access_token })
  const [at, pin] = ['/api/v4/widgets/demo_pbx', 'four-score-and-seven']
  const installed = await own.post(at, { login: 'acme', pin })
  expect(installed.body.settings).toEqual({ login: 'acme', pin })
  const kept = await lastExchange(here)
  expect(kept).toMatchObject({
    operation: 'widgets.install',
    status: 200,
    request: { body: null },
    response: { body: null },
  })
  expect([kept.request.size, kept.response.size]).toEqual([
    JSON.stringify({ login: 'acme', pin }).length,
    installed.text.length,
  ])
  for (const url of [at, '/api/v4/widgets']) {
    expect((await own.get(url)).text).toContain(pin)
    expect((await lastExchange(here)).response.body).toBeNull()
  }
  // The answer of a refusal has no settings, and explains it.
  expect((await own.post(at, { pin: 7 })).status).toBe(400)
  expect((await lastExchange(here)).response.body).toContain('InvalidType')
})
