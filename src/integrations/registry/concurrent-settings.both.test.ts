import sharp from 'sharp'
import { expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { receiver } from '../../../test/programs/receiver.ts'
import { world } from '../../../test/world.ts'
import { findActor } from '../../accounts/accounts.ts'
import { updateIntegration } from '../integrations.ts'

/** An integration and its token, and the administrator at two processes with one database. On SQLite there is one process. */
async function twoProcesses() {
  const all = await world()
  const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
  const integration = await register(all.admin)
  const api = all.stranger.as({ token: (await connect(all.stranger, integration)).access_token })
  const { browser: one } = all.admin
  return {
    ...{ ...all, integration, api, one },
    two: client(second.app.http, one.identity),
    apiOfTwo: client(second.app.http, api.identity),
  }
}

const ROUNDS = 10

test('a source that was deleted does not come back with a concurrent change', async () => {
  const { api, apiOfTwo } = await twoProcesses()
  for (let round = 0; round < ROUNDS; round++) {
    const drafts = [{ name: 'Shop', external_id: `shop ${round}` }]
    const [{ id }] = (await api.post('/api/v4/sources', drafts)).body._embedded.sources
    const [changed, deleted] = await Promise.all([
      api.patch(`/api/v4/sources/${id}`, { name: 'Store' }),
      apiOfTwo.delete(`/api/v4/sources/${id}`),
    ])
    expect([200, 404]).toContain(changed.status)
    expect(deleted.status).toBe(204)
    expect((await api.get(`/api/v4/sources/${id}`)).status).toBe(404)
  }
})

test('concurrent changes of different settings of a widget are both kept', async () => {
  const { one, two, integration, api } = await twoProcesses()
  const setting = (key: string) => ({ key, name: key, type: 'text', is_required: false })
  const manifest = { code: 'pbx', version: '1.0.0', settings_template: ['a', 'b'].map(setting) }
  const at = `/web/integrations/${integration.client_id}/widget`
  const written = await Promise.all([one, two].map((browser) => browser.put(at, manifest)))
  expect(written.map(({ status }) => status)).toEqual([200, 200])
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all([
      one.post('/web/v4/widgets/pbx', { a: `a ${round}` }),
      two.post('/web/v4/widgets/pbx', { b: `b ${round}` }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { settings } = (await api.get('/api/v4/widgets/pbx')).body
    expect(settings).toMatchObject({ a: `a ${round}`, b: `b ${round}` })
  }
})

test('one of two concurrent icons is kept', async () => {
  const { one, two, integration } = await twoProcesses()
  const picture = sharp({ create: { width: 400, height: 272, channels: 3, background: 'red' } })
  const bytes = await picture.png().toBuffer()
  const at = `/web/integrations/${integration.client_id}/icon`
  for (let round = 0; round < ROUNDS; round++) {
    await one.delete(at)
    const send = (browser: typeof one) => browser.put(at, bytes as never, { 'content-type': 'image/png' })
    expect((await Promise.all([send(one), send(two)])).map(({ status }) => status)).toEqual([200, 200])
  }
})

test('the result of a check of a redirect URI is not stored for another one', async () => {
  const { ctx, one, admin, account } = await twoProcesses()
  const before = await receiver()
  const asked = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  before.answer = async (_request, response) => {
    asked.resolve()
    await changed.promise
    response.writeHead(500).end()
  }
  const after = await receiver()
  const { client_id } = await register(admin, { redirect_uri: `${before.url}/oauth` })
  const check = one.post(`/web/integrations/${client_id}/check`, {})
  await asked.promise
  const caller = { integration: null, request_id: '00000000-0000-7000-8000-000000000000', address: '' }
  const actor = await findActor(ctx, { account_id: account.id, user_id: admin.id }, caller)
  await updateIntegration(ctx, actor as never, client_id, { redirect_uri: `${after.url}/oauth` })
  changed.resolve()
  await check
  const shown = (await one.get(`/web/integrations/${client_id}`)).body
  expect(shown).toMatchObject({ redirect_uri: `${after.url}/oauth`, redirect_error: null })
})
