import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { connect, consent, freshCode, register } from '../../../test/fixtures/integrations.ts'
import { world } from '../../../test/world.ts'

const ALL = ['crm', 'files', 'chats']

/** A public integration with one permission, and the administrator of another account. */
async function consenting() {
  const here = await world()
  const shop = await register(here.admin, { access: 'public', permissions: ['crm'] })
  const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
  const widen = async () => {
    const changed = await here.admin.browser.patch(`/web/integrations/${shop.client_id}`, {
      permissions: ALL,
    })
    expect(changed.body.permissions).toEqual(ALL)
  }
  const scopes = async (code: string) =>
    decodeJwt((await connect(here.stranger.as({ host: 'other.localhost:8080' }), shop, code)).access_token)
      .scopes
  return { admin: here.admin, shop, other, widen, scopes }
}

test('a token has the permissions that the consent page showed, if the integration asks for more before the exchange', async () => {
  const { shop, other, widen, scopes } = await consenting()
  const { code } = await consent(other, shop)
  await widen()
  expect(await scopes(code)).toEqual(['crm'])
  const again = await consent(other, shop)
  expect(again.page.body.integration.permissions).toEqual(ALL)
  expect(await scopes(again.code)).toEqual(ALL)
})

test('so it has if the integration asks for more while the page is open', async () => {
  const { shop, other, widen, scopes } = await consenting()
  const { code } = await consent(other, shop, widen)
  expect(await scopes(code)).toEqual(['crm'])
  const [{ integration }] = (await other.browser.get('/web/installations')).body.installations
  // A new code of the window is given with the permissions that the window shows.
  expect(await scopes(await freshCode(other, { ...shop, client_id: integration.id }))).toEqual(ALL)
})

test('another account cannot switch on an integration again that it could not allow any more', async () => {
  const { admin, shop, other } = await consenting()
  await consent(other, shop)
  const [{ integration }] = (await other.browser.get('/web/installations')).body.installations
  const at = `/web/installations/${integration.id}`
  expect((await other.browser.post(`${at}/disable`)).status).toBe(204)
  await admin.browser.patch(`/web/integrations/${shop.client_id}`, { access: 'private' })
  const refused = await other.browser.post('/web/installations', { client_id: integration.id })
  expect([refused.status, refused.body.type.split('#')[1]]).toEqual([403, 'not_administrator'])
  await admin.browser.patch(`/web/integrations/${shop.client_id}`, { access: 'public' })
  expect((await other.browser.post('/web/installations', { client_id: integration.id })).status).toBe(200)
})
