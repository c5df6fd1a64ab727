import { AuthorizationCode } from 'simple-oauth2'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { accountStatus, connect, freshCode, refresh, register } from '../../../test/fixtures/integrations.ts'
import { logged } from '../../../test/fixtures/request-log.ts'
import { alter, explain, newestFamily } from '../../../test/fixtures/tokens.ts'
import { world } from '../../../test/world.ts'

/** A listening server, and an integration that uses the library of simple-oauth2. */
async function listening() {
  const here = await world({ ownServer: true })
  const shop = await register(here.admin)
  const base = await here.app.http.listen({ port: 0, host: '127.0.0.1' })
  const library = (tokenHost: string) =>
    new AuthorizationCode({
      client: { id: shop.client_id, secret: shop.client_secret },
      auth: { tokenHost, tokenPath: '/oauth2/access_token', authorizePath: '/oauth' },
      options: { bodyFormat: 'form', authorizationMethod: 'body' },
    })
  const { redirect_uri } = shop
  const token = await library(base).getToken({ code: await freshCode(here.admin, shop), redirect_uri })
  return { here, shop, base, library, token }
}

describe('A lost answer', () => {
  test('is stored, and a client that repeats the refresh survives', async () => {
    const { here, shop, token } = await listening()
    expect((await alter(here, 'lose_answer')).status).toBe(204)
    expect((await newestFamily(here)).faults).toMatchObject([{ kind: 'lost_answer' }])
    await expect(token.refresh()).rejects.toThrow('socket hang up')
    const [lost] = await logged(here, 'operation=oauth.token')
    expect(lost).toMatchObject({ status: null, error: 'answer_lost', integration_id: shop.client_id })
    const family = await newestFamily(here)
    expect(family).toMatchObject({ faults: [], pairs: [{ state: 'unused' }, { generation: 0 }] })
    expect(family.pairs[0]?.issued_request_id).toBe(lost?.request_id)
    const waiting = await explain(here, String(token.token.refresh_token))
    expect(waiting.waiting_pair?.request_id).toBe(lost?.request_id)
    const renewed = await token.refresh()
    expect(await accountStatus(here.stranger, String(renewed.token.access_token))).toBe(200)
    expect((await newestFamily(here)).pairs).toHaveLength(2)
  })

  onEmbedded('is not lost if the refresh is refused, or belongs to another consent', async () => {
    const { here, shop, token } = await listening()
    here.clock.advance(1)
    const other = await connect(here.stranger, shop, await freshCode(here.admin, shop))
    await alter(here, 'lose_answer')
    const again = await token.refresh()
    expect(await accountStatus(here.stranger, String(again.token.access_token))).toBe(200)
    const { refresh_token } = other
    expect((await refresh(here.stranger, { ...shop, client_secret: 'x' }, refresh_token)).status).toBe(400)
    expect((await newestFamily(here)).faults).toHaveLength(1)
  })

  onEmbedded('is not lost after the timeout', async () => {
    const { here, token } = await listening()
    await alter(here, 'lose_answer', { timeout: 10 })
    here.clock.advance(10)
    expect((await newestFamily(here)).faults).toEqual([])
    expect((await token.refresh()).token.access_token).not.toBe(token.token.access_token)
  })
})

describe('A race', () => {
  test('holds the first refresh until the second one is there, and both get the same pair', async () => {
    const { here, token } = await listening()
    await alter(here, 'race')
    let isHeld = true
    const first = token.refresh().finally(() => {
      isHeld = false
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isHeld).toBe(true)
    const [one, two] = await Promise.all([first, token.refresh()])
    expect(one.token.refresh_token).toBe(two.token.refresh_token)
    expect(await accountStatus(here.stranger, String(one.token.access_token))).toBe(200)
    const family = await newestFamily(here)
    expect(family).toMatchObject({ faults: [], pairs: [{ generation: 1 }, { generation: 0 }] })
  })

  test('also if the two reach different processes', async () => {
    const { here, library, token } = await listening()
    const { app } = await here.secondProcess()
    const second = library(await app.http.listen({ port: 0, host: '127.0.0.1' }))
    await alter(here, 'race')
    const [one, two] = await Promise.all([token.refresh(), second.createToken(token.token).refresh()])
    expect(one.token.refresh_token).toBe(two.token.refresh_token)
    expect((await newestFamily(here)).faults).toEqual([])
  })

  onEmbedded('lets a refresh go that stays alone', async () => {
    const { here, token } = await listening()
    await alter(here, 'race', { timeout: 5 })
    const alone = token.refresh()
    await new Promise((resolve) => setTimeout(resolve, 100))
    here.clock.advance(5)
    expect(await accountStatus(here.stranger, String((await alone).token.access_token))).toBe(200)
    expect((await newestFamily(here)).faults).toEqual([])
  })
})
