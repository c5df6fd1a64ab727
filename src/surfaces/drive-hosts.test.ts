import { expect, test } from 'vitest'
import { client } from '../../test/client.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

test.each(['drive-b', 'drive-a1', 'drive', 'DRIVE-B'])(
  'The file service is also available at the root of %s below the base, including uploads',
  async (name) => {
    const all = await world()
    const shop = await register(all.admin, { permissions: ['files'] })
    const { access_token } = await connect(all.stranger, shop)
    const base = new URL(all.ctx.config.public_url).host
    const there = client(all.app.http, { host: `${name}.${base}`, token: access_token })
    const opened = await there.post('/v1.0/sessions', { file_name: 'a.txt', file_size: 3 })
    expect(opened.status).toBe(200)
    const part = new URL(opened.body.upload_url).pathname
    const sent = await there.post(part, Buffer.from('abc'), { 'content-type': 'text/plain' })
    expect([sent.status, sent.body.name]).toEqual([200, 'a'])
    const { body } = await there.get('/v1.0/files')
    expect(body._embedded.files.map(({ uuid }: { uuid: string }) => uuid)).toEqual([sent.body.uuid])
    const { href } = body._embedded.files[0]._links.self
    expect((await there.get(new URL(href).pathname)).status).toBe(200)
  },
)

test('The file service is not available at the root of other hosts', async () => {
  const all = await world()
  const shop = await register(all.admin, { permissions: ['files'] })
  const { access_token } = await connect(all.stranger, shop)
  expect((await all.stranger.as({ token: access_token }).get('/v1.0/files')).status).toBe(404)
})
