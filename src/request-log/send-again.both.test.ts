import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connected } from '../../test/fixtures/chats.ts'
import { textOf } from '../../test/fixtures/conversations.ts'
import { connect, refresh, register } from '../../test/fixtures/integrations.ts'
import { helper, lastExchange, logged } from '../../test/fixtures/request-log.ts'
import { type World, world } from '../../test/world.ts'
import { obstacleTo } from './repeat-types.ts'
import type { LoggedExchange } from './schemas.ts'

async function recordedWorld(options = {}) {
  const here = await world(options)
  const integration = await register(here.admin)
  const tokens = await connect(here.stranger, integration)
  return { here, integration, tokens, client: here.stranger.as({ token: tokens.access_token }) }
}

const again = (here: World, id: number | string) => here.admin.browser.post(`/web/requests/${id}/send`)
const leadsOf = async (here: World) =>
  ((await here.admin.browser.get('/web/v4/leads')).body?._embedded.leads ?? []) as { name: string }[]

describe('A recorded request that is sent again', () => {
  test('has its effect again, and its answer is shown', async () => {
    const { here, integration, client } = await recordedWorld()
    const name = `"O'Brien" \\ Велосипед\n🚲`
    await client.post('/api/v4/leads?with=contacts', [{ name }], { 'idempotency-key': 'once' })
    const first = await lastExchange(here)
    const { status, body } = await again(here, first.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      direction: 'in',
      method: 'POST',
      path: '/api/v4/leads',
      query: 'with=contacts',
      status: 200,
      integration_id: integration.client_id,
      user_id: here.admin.id,
      grant_id: first.grant_id,
      generation: null,
      request: { body: first.request.body },
    })
    expect(body.id).toBeGreaterThan(first.id)
    expect(body.request_id).not.toBe(first.request_id)
    expect((await leadsOf(here)).map((lead) => lead.name)).toEqual([name, name])
    expect((await logged(here))[0]).toMatchObject({ id: body.id })
  })

  test('shows no token, and its pass works only while it is sent', async () => {
    const { here, client } = await recordedWorld()
    await client.get('/api/v4/account')
    const { text, body } = await again(here, (await lastExchange(here)).id)
    expect(body.request.headers.authorization).toMatch(/^Bearer \[access_token( \.\.\.\S{4})?\]$/)
    expect(text).not.toMatch(/pbp_|eyJ/)
    const late = await here.stranger
      .as({ token: 'pbp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' })
      .get('/api/v4/account')
    expect([late.status, late.body.type]).toEqual([401, expect.stringContaining('#token_unknown')])
  })

  test('leaves the tokens of the client as they are', async () => {
    const { here, integration, tokens } = await recordedWorld()
    const second = await refresh(here.stranger, integration, tokens.refresh_token)
    await here.stranger.as({ token: tokens.access_token }).get('/api/v4/account')
    expect((await again(here, (await lastExchange(here)).id)).status).toBe(200)
    // The new pair has not been used, so the old refresh token still gives it.
    const repeated = await refresh(here.stranger, integration, tokens.refresh_token)
    expect(repeated.body.access_token).toBe(second.body.access_token)
  })

  test('is a request like any other: it can be refused, and it is limited', async () => {
    const { here, client } = await recordedWorld()
    await client.post('/api/v4/leads', [{ price: 'five' }])
    const { status, body } = await again(here, (await lastExchange(here)).id)
    expect([status, body.status, body.why.code]).toEqual([200, 400, 'invalid'])
  })

  test('is found if it is refused before its caller is known, on a server with several accounts', async () => {
    const { here, integration, client } = await recordedWorld()
    await here.addAccount('other')
    await client.get('/api/v4/leads?query=%00')
    const first = await lastExchange(here)
    const { status, body } = await again(here, first.id)
    expect([status, body.status, body.why.rule]).toEqual([200, 400, 'The address contains NUL.'])
    expect(body).toMatchObject({ integration_id: integration.client_id, grant_id: first.grant_id })
  })

  test('is in the audit log with the person who sent it', async () => {
    const { here, integration, client } = await recordedWorld()
    await client.get('/api/v4/account')
    await again(here, (await lastExchange(here)).id)
    const { body } = await here.admin.browser.get(`/web/integrations/${integration.client_id}/log`)
    expect(body.entries[0]).toMatchObject({
      action: 'request.sent_again',
      user: { id: here.admin.id },
      details: { name: 'GET /api/v4/account' },
    })
  })

  test('can be sent by a test of an integration', async () => {
    const { here, client } = await recordedWorld()
    await client.post('/api/v4/leads', [{ name: 'A' }])
    const { status, body } = await helper(here).post(
      `/test_helpers/requests/${(await lastExchange(here)).id}/send`,
    )
    expect([status, body.status]).toEqual([200, 200])
    expect(await leadsOf(here)).toHaveLength(2)
  })
})

describe('A recorded request is not sent again', () => {
  const refusedWith = async (here: World, id: number) => {
    const { status, body } = await again(here, id)
    return [status, body.type?.split('#')[1], body.obstacle]
  }

  test('if it had secrets, no valid token, or a body that is cut or not kept', async () => {
    const { here, integration, client } = await recordedWorld()
    const { browser } = here.admin
    await client.post('/api/v4/leads', [{ name: 'x'.repeat(70_000) }])
    const cut = await lastExchange(here)
    await client.post('/api/v4/leads', [{ name: 'A', client_secret: 'of another system' }])
    const secret = await lastExchange(here)
    await client.get('/api/v4/leads?api_key=0123456789abcdef')
    const inQuery = await lastExchange(here)
    await here.stranger.as({ token: 'nobody' }).get('/api/v4/account')
    const stranger = await lastExchange(here)
    await refresh(here.stranger, integration, 'pbr_none')
    const token = await lastExchange(here)
    await browser.put('/web/requests/settings', { is_on: true, days: 3, keeps_bodies: false })
    await client.post('/api/v4/leads', [{ name: 'A' }])
    const bare = await lastExchange(here)
    const before = await leadsOf(here)
    const asked = [cut, secret, inQuery, stranger, token, bare]
    const found = []
    for (const { id } of asked) found.push(await refusedWith(here, id))
    expect(found.map(([status, code]) => [status, code])).toEqual(asked.map(() => [409, 'not_repeatable']))
    expect(found.map(([, , obstacle]) => obstacle)).toEqual([
      'cut',
      'secrets',
      'secrets',
      'no_token',
      'token_request',
      'no_body',
    ])
    expect(await leadsOf(here)).toEqual(before)
  })

  test('if it is a push of a chat channel, or an attempt', async () => {
    const here = await world()
    const channel = await connected(here)
    await channel.push(textOf(here, 'Bob'))
    const { id } = await lastExchange(here)
    expect(await refusedWith(here, id)).toEqual([409, 'not_repeatable', 'no_token'])
  })

  test('if its consent has ended, or the log is off', async () => {
    const { here, integration, client } = await recordedWorld()
    const { browser } = here.admin
    await client.get('/api/v4/account')
    const { id } = await lastExchange(here)
    await browser.put('/web/requests/settings', { is_on: false, days: 3, keeps_bodies: true })
    expect(await refusedWith(here, id)).toEqual([409, 'not_repeatable', 'log_off'])
    await browser.put('/web/requests/settings', { is_on: true, days: 3, keeps_bodies: true })
    await browser.post(`/web/installations/${integration.client_id}/disable`)
    expect(await refusedWith(here, id)).toEqual([409, 'consent_ended', undefined])
  })

  onEmbedded('by strangers, by people who are not administrators, or by another account', async () => {
    const { here, client } = await recordedWorld()
    await here.addAccount('acme')
    await client.get('/api/v4/account')
    const { id } = await lastExchange(here, 'account=demo')
    const person = await here.addPerson({ is_admin: false })
    const elsewhere = helper(here).as({ host: 'acme.localhost:8080' })
    expect((await here.stranger.post(`/web/requests/${id}/send`)).status).toBe(401)
    expect((await person.browser.post(`/web/requests/${id}/send`)).status).toBe(403)
    expect((await again(here, 999_000)).status).toBe(404)
    for (const wrong of ['0', '-1', 'x', '9'.repeat(30)]) expect((await again(here, wrong)).status).toBe(404)
    expect((await elsewhere.post(`/test_helpers/requests/${id}/send`)).status).toBe(404)
    expect((await here.stranger.post(`/test_helpers/requests/${id}/send`)).status).toBe(401)
    expect((await logged(here, 'account=demo&path=/api/v4/account')).length).toBe(1)
  })
})

describe('What hinders it', () => {
  const recorded: LoggedExchange = {
    ...{ id: 1, at: 0, duration_ms: 1, direction: 'in', method: 'POST', host: 'h', path: '/api/v4/leads' },
    ...{ query: '', operation: 'leads.create', integration_id: 'i', user_id: 1, grant_id: 'g' },
    ...{ generation: 0, request_id: 'r', status: 200, error: null, unread: [], why: null },
    request: { headers: {}, body: '[{"a":"ж"}]', size: 12, is_cut: false },
    response: { headers: {}, body: '', size: 0, is_cut: false },
  }
  const withBody = (body: string) => ({
    ...recorded,
    request: { ...recorded.request, body, size: Buffer.byteLength(body) },
  })

  test('is found in each form in which the log hides a secret', () => {
    expect(obstacleTo(recorded)).toBeNull()
    expect(obstacleTo({ ...recorded, query: 'filter[id][]=1&order[id]=asc' })).toBeNull()
    expect(obstacleTo(withBody('{"a":[1],"b":[[true]],"c":"x[1]"}'))).toBeNull()
    for (const body of [
      ...['{"p":"[password]"}', "{'p':'[password]'}", 'a=1&secret=[secret]'],
      ...['{"t":"see [token ...k3Zq] there"}', '{"to":"https://ann:[password]@x.example"}'],
    ])
      expect([body, obstacleTo(withBody(body))]).toEqual([body, 'secrets'])
    expect(obstacleTo({ ...recorded, query: 'api_key=[api_key ...cdef]' })).toBe('secrets')
    expect(obstacleTo({ ...recorded, path: '/drive/download/1/a/b/9/[signature ...abcd]' })).toBe('secrets')
    expect(obstacleTo({ ...recorded, request: { ...recorded.request, size: 13 } })).toBe('secrets')
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    expect(obstacleTo({ ...recorded, response: { ...recorded.response, headers } })).toBe('stream')
    expect(obstacleTo({ ...recorded, direction: 'out' })).toBe('attempt')
  })
})
