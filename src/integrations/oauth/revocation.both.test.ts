import { describe, expect, test } from 'vitest'
import { type Answer, type Client, client } from '../../../test/client.ts'
import { kindOfRun } from '../../../test/databases/databases.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import {
  accountStatus,
  connect,
  exchange,
  freshCode,
  type Registered,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { times } from '../../../test/long.ts'
import { world } from '../../../test/world.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const revoke = (client: Client, { client_id, client_secret }: Registered, body: object): Promise<Answer> =>
  client.post('/oauth2/revoke', { client_id, client_secret, ...body })

describe('Revocation (RFC 7009)', () => {
  test.each(['access_token', 'refresh_token'] as const)(
    'of an %s ends its consent, and no other',
    async (kind) => {
      const { admin, stranger } = await world()
      const shop = await register(admin)
      const ended = await connect(stranger, shop)
      const other = await connect(stranger, shop, await freshCode(admin, shop))
      const answer = await revoke(stranger, shop, { token: ended[kind], token_type_hint: 'access_token' })
      expect([answer.status, answer.body]).toEqual([200, {}])
      expect(await accountStatus(stranger, ended.access_token)).toBe(401)
      expect((await refresh(stranger, shop, ended.refresh_token)).body.hint).toBe('Token has been revoked')
      expect(await accountStatus(stranger, other.access_token)).toBe(200)
      expect((await refresh(stranger, shop, other.refresh_token)).status).toBe(200)
    },
  )

  test('of an older refresh token ends the pairs that came after it', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const first = await connect(stranger, shop)
    const second = (await refresh(stranger, shop, first.refresh_token)).body
    expect(await accountStatus(stranger, second.access_token)).toBe(200)
    await revoke(stranger, shop, { token: first.refresh_token })
    expect(await accountStatus(stranger, second.access_token)).toBe(401)
  })

  test('is seen by every process at once, while others read and write', async () => {
    const here = await world()
    const { admin, stranger } = here
    const app = kindOfRun() === 'postgres' ? (await here.secondProcess()).app : here.app
    const processes = [stranger, client(app.http, stranger.identity)]
    const shop = await register(admin)
    const other = await connect(stranger, shop)
    const statuses = (token: string) => Promise.all(processes.map((one) => accountStatus(one, token)))
    for (let round = 0; round < times(20, 200); round++) {
      const { access_token, refresh_token } = await connect(stranger, shop, await freshCode(admin, shop))
      expect(await statuses(access_token)).toEqual([200, 200])
      const readers = [access_token, other.access_token, other.access_token].map(statuses)
      const rename = admin.browser.patch(`/web/integrations/${shop.client_id}`, { name: `Shop ${round}` })
      expect((await revoke(processes[round % 2] as Client, shop, { token: refresh_token })).status).toBe(200)
      expect(await statuses(access_token)).toEqual([401, 401])
      expect((await rename).status).toBeLessThan(300)
      expect((await Promise.all(readers)).slice(1).flat()).toEqual([200, 200, 200, 200])
    }
  })

  test('is recorded once in the audit log', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const { refresh_token: token } = await connect(stranger, shop)
    for (let i = 0; i < 2; i++) expect((await revoke(stranger, shop, { token })).status).toBe(200)
    const { entries } = (await admin.browser.get('/web/audit')).body
    const revoked = entries.filter(({ action }: { action: string }) => action === 'tokens.revoked')
    expect(revoked).toEqual([expect.objectContaining({ user: null, details: { revoked: true } })])
  })

  onEmbedded('of an unknown token, or of the token of another client, changes nothing', async () => {
    const { admin, stranger } = await world()
    const [shop, other] = [await register(admin), await register(admin, { name: 'Other' })]
    const { access_token, refresh_token } = await connect(stranger, shop)
    for (const token of ['nothing', 'é', access_token, refresh_token]) {
      const answer = await revoke(stranger, other, { token })
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
    expect(await accountStatus(stranger, access_token)).toBe(200)
  })

  test('takes a form, and the keys in HTTP Basic', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const { access_token } = await connect(stranger, shop)
    const keys = Buffer.from(`${shop.client_id}:${shop.client_secret}`).toString('base64')
    const form = new URLSearchParams({ token: access_token, token_type_hint: 'refresh_token' }).toString()
    const answer = await stranger.post('/oauth2/revoke', form, { ...FORM, authorization: `Basic ${keys}` })
    expect([answer.status, await accountStatus(stranger, access_token)]).toEqual([200, 401])
  })

  onEmbedded('is refused without the right keys, and leaves the tokens', async () => {
    const { admin, stranger } = await world()
    const shop = await register(admin)
    const { access_token: token } = await connect(stranger, shop)
    const table: [object, string][] = [
      [{ token, client_secret: 'wrong' }, 'Check the `client_secret` parameter'],
      [{ token, client_id: 'unknown' }, 'Check the `client_id` parameter'],
      [{ token, client_secret: undefined }, 'Check the `client_secret` parameter'],
      [{}, 'Check the `token` parameter'],
      [{ token: 7 }, 'Check the `token` parameter'],
      [{ token: 'x'.repeat(5_000) }, 'Check the `token` parameter'],
    ]
    for (const [body, hint] of table) {
      const answer = await revoke(stranger, shop, body)
      expect([answer.status, answer.body.hint]).toEqual([400, hint])
    }
    expect(await accountStatus(stranger, token)).toBe(200)
    expect((await exchange(stranger, shop, await freshCode(admin, shop))).status).toBe(200)
  })
})
