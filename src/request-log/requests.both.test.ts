import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { CHATS, connected } from '../../test/fixtures/chats.ts'
import { textOf } from '../../test/fixtures/conversations.ts'
import { connect, exchange, refresh, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { helper, lastExchange, logged } from '../../test/fixtures/request-log.ts'
import { type World, world } from '../../test/world.ts'

/** A world with an integration and its client. */
async function connectedWorld(options = {}) {
  const here = await world(options)
  const integration = await register(here.admin, { permissions: ['crm', 'files'] })
  const tokens = await connect(here.stranger, integration)
  return { here, integration, tokens, client: here.stranger.as({ token: tokens.access_token }) }
}

const summary = ({ method, path, query, operation, status }: Awaited<ReturnType<typeof logged>>[number]) => [
  method,
  path,
  query,
  operation,
  status,
]

describe('A recorded request', () => {
  test('has its operation, its caller, its duration and both sides', async () => {
    const { here, integration, client } = await connectedWorld()
    const answer = await client.post('/api/v4/leads?with=contacts', [{ name: 'Bicycle' }])
    const shown = await lastExchange(here)
    expect(shown).toMatchObject({
      direction: 'in',
      method: 'POST',
      host: 'demo.localhost:8080',
      path: '/api/v4/leads',
      query: 'with=contacts',
      operation: 'leads.create',
      integration_id: integration.client_id,
      user_id: here.admin.id,
      generation: 0,
      request_id: answer.headers['x-request-id'],
      status: 200,
      error: null,
      why: null,
      request: { body: '[{"name":"Bicycle"}]', size: 20, is_cut: false },
      response: { body: answer.text, size: answer.text.length, is_cut: false },
    })
    expect(shown.request.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': '20',
    })
    expect(shown.response.headers).toMatchObject({ 'content-type': 'application/hal+json' })
    expect(shown.duration_ms).toBeGreaterThanOrEqual(0)
    expect(Math.abs(shown.at + shown.duration_ms - here.clock.now() * 1000)).toBeLessThan(2)
  })

  onEmbedded('is one of the API surfaces, and never one of the web application', async () => {
    const { here, client, integration, tokens } = await connectedWorld()
    await client.get('/api/v4/account')
    await client.get('/api/v4/nowhere')
    await client.get('/api/v2/products_settings')
    await client.get('/private/api/v2/json/leads/list')
    await client.get('/drive/v1.0/files')
    await refresh(here.stranger, integration, tokens.refresh_token)
    await here.admin.browser.get('/web/v4/account')
    await here.admin.browser.get('/web/session')
    await here.stranger.get('/healthz')
    await here.stranger.get('/api/openapi.json')
    expect((await logged(here)).map(summary).toReversed()).toEqual([
      ['POST', '/oauth2/access_token', '', 'oauth.token', 200],
      ['GET', '/api/v4/account', '', 'account.get', 200],
      ['GET', '/api/v4/nowhere', '', null, 404],
      ['GET', '/api/v2/products_settings', '', 'legacy.products_settings.get', 200],
      ['GET', '/private/api/v2/json/leads/list', '', 'legacy.leads.list', 204],
      ['GET', '/drive/v1.0/files', '', 'files.list', 204],
      ['POST', '/oauth2/access_token', '', 'oauth.token', 200],
    ])
  })

  test('is a push of a chat channel, with its account', async () => {
    const here = await world()
    const channel = await connected(here)
    await channel.push(textOf(here, 'Bob'))
    const [last] = await logged(here)
    expect(last).toMatchObject({ method: 'POST', path: `${CHATS}/${channel.scope_id}`, status: 200 })
  })

  test('has a body of at most 64 KiB, cut between two characters', async () => {
    const { here, client } = await connectedWorld()
    const drafts = Array.from({ length: 250 }, (_, i) => ({ name: `${'ж'.repeat(200)}${i}` }))
    await client.post('/api/v4/leads', drafts)
    const { request, response } = await lastExchange(here)
    const sent = JSON.stringify(drafts)
    expect([request.size, request.is_cut]).toEqual([Buffer.byteLength(sent), true])
    expect(sent.startsWith(request.body ?? '-')).toBe(true)
    expect(Buffer.byteLength(request.body ?? '')).toBeGreaterThan(65_530)
    expect(Buffer.byteLength(request.body ?? '')).toBeLessThanOrEqual(65_536)
    expect([response.is_cut, response.size > 0]).toEqual([response.size > 65_536, true])
  })

  test('has the bytes that were sent, also if they are no JSON', async () => {
    const { here, client } = await connectedWorld()
    const broken = '[{"name": "A",}] \u0000\u001e\u001f end'
    await client.post('/api/v4/leads', broken, { 'content-type': 'application/json' })
    const { request, why, status } = await lastExchange(here)
    expect([status, request.body]).toEqual([400, '[{"name": "A",}] \0\uFFFD\uFFFD end'])
    expect(why?.rule).toBe('The body is not valid JSON at line 1, column 15.')
  })

  test('names the members and parameters that nothing reads', async () => {
    const { here, client } = await connectedWorld()
    const lead = await add(here.admin.browser, 'leads')
    await client.patch(`/api/v4/leads/${lead}?witth=contacts`, { name: 'B', price_rub: 5 })
    await client.get('/api/v4/account')
    const rows = await logged(here)
    expect(rows.map(({ unread }) => unread)).toEqual([[], ['price_rub', 'witth'], []])
    expect((await logged(here, 'unread=true')).map(({ method }) => method)).toEqual(['PATCH'])
  })

  test('of a token request has the unread members, too', async () => {
    const { here, integration, tokens } = await connectedWorld()
    await refresh(here.stranger, integration, tokens.refresh_token, { scope: 'crm' })
    expect((await logged(here))[0]?.unread).toEqual(['scope'])
  })
})

describe('A refusal explains itself', () => {
  onEmbedded('with the faults, or the sentence of the problem', async () => {
    const { here, client } = await connectedWorld()
    await client.post('/api/v4/leads', [{ price: 'five' }])
    await client.get('/api/v4/tasks/999999')
    await here.stranger.get('/private/api/v2/json/leads/list')
    await client.post(
      '/api/v4/leads',
      Array.from({ length: 20 }, () => ({ price: 'five' })),
    )
    const [many, legacy, missing, invalid] = await logged(here, 'refused=true')
    expect(many?.why?.faults).toHaveLength(5)
    const fault = { path: 'price', detail: 'This value should be of type number.' }
    expect(invalid?.why).toMatchObject({
      rule: `${fault.path}: ${fault.detail}`,
      token: null,
      faults: [fault],
    })
    expect(missing?.why).not.toHaveProperty('faults')
    expect(missing?.why?.rule).toMatch(/./)
    expect(legacy?.why).toMatchObject({ token: { kind: 'access_token', state: 'missing' } })
  })

  test('with the end of the access token: unknown, expired, revoked', async () => {
    const { here, integration, tokens, client } = await connectedWorld()
    await here.stranger.as({ token: 'nobody' }).get('/api/v4/account')
    const unknown = await lastExchange(here)
    expect(unknown.why).toMatchObject({ code: 'token_unknown', token: { state: 'unknown', caused_by: null } })

    const revoked = await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
    expect(revoked.status).toBeLessThan(300)
    await client.get('/api/v4/account')
    const dead = await lastExchange(here)
    const token = { kind: 'access_token', state: 'revoked', caused_by: revoked.headers['x-request-id'] }
    expect(dead.why).toMatchObject({ code: 'token_revoked', token })
    expect(dead.why?.rule).toContain(`by request ${revoked.headers['x-request-id']}.`)
    expect(dead).toMatchObject({ integration_id: integration.client_id, generation: 0 })
    expect(tokens.access_token).not.toBe('')
  })

  test('with the time at which the access token expired', async () => {
    const { here, client } = await connectedWorld()
    here.clock.advance(86_400)
    await client.get('/api/v4/account')
    const { why } = await lastExchange(here)
    expect(why).toMatchObject({ code: 'token_expired', token: { state: 'expired', at: here.clock.now() } })
    expect(why?.rule).toBe('The access token expired at 2026-03-02T12:00:00Z.')
  })

  test('with the requests that replaced a refresh token', async () => {
    const { here, integration, tokens } = await connectedWorld()
    const second = await refresh(here.stranger, integration, tokens.refresh_token)
    const used = await here.stranger.as({ token: second.body.access_token }).get('/api/v4/account')
    await refresh(here.stranger, integration, tokens.refresh_token)
    const { why } = await lastExchange(here)
    const [caused_by, used_by] = [second, used].map(({ headers }) => String(headers['x-request-id']))
    expect(why?.token).toEqual({
      kind: 'refresh_token',
      state: 'replaced',
      reason: 'replaced',
      at: here.clock.now(),
      by: null,
      caused_by,
      used_by,
    })
    expect(why?.rule).toBe(
      `The refresh token was replaced: a new pair was issued at 2026-03-01T12:00:00Z by request ${caused_by}, and first used at 2026-03-01T12:00:00Z by request ${used_by}.`,
    )
  })

  test('with what was checked before a dead token: the keys of the client', async () => {
    const { here, integration, tokens } = await connectedWorld()
    const second = await refresh(here.stranger, integration, tokens.refresh_token)
    await here.stranger.as({ token: second.body.access_token }).get('/api/v4/account')
    await here.admin.browser.post(`/web/integrations/${integration.client_id}/secret`)
    await refresh(here.stranger, integration, tokens.refresh_token)
    await exchange(here.stranger, integration)
    for (const { why } of (await logged(here, 'refused=true')).slice(0, 2))
      expect([why?.code, why?.rule]).toEqual(['wrong_secret', 'Check the `client_secret` parameter'])
  })

  onEmbedded('also if a client repeats a dead token', async () => {
    const { here, integration, tokens } = await connectedWorld()
    const second = await refresh(here.stranger, integration, tokens.refresh_token)
    await here.stranger.as({ token: second.body.access_token }).get('/api/v4/account')
    for (let i = 0; i < 8; i++) await refresh(here.stranger, integration, tokens.refresh_token)
    const rows = await logged(here, 'refused=true')
    const caused_by = second.headers['x-request-id']
    expect(rows.map(({ why }) => why?.token?.caused_by)).toEqual(Array(8).fill(caused_by))
  })

  test('with the request that exchanged a code', async () => {
    const { here, integration } = await connectedWorld()
    const [first] = await logged(here)
    await exchange(here.stranger, integration)
    const { why } = await lastExchange(here)
    expect(why?.token).toMatchObject({ kind: 'code', state: 'replaced', caused_by: first?.request_id })
  })

  test('and a token of another account tells nothing about that account', async () => {
    const { here, client } = await connectedWorld()
    const other = await here.addAccount('other')
    await client.as({ host: here.ctx.hosts.accountHost(other.subdomain) }).get('/api/v4/account')
    const { body } = await helper(here)
      .as({ host: here.ctx.hosts.accountHost('other') })
      .get('/test_helpers/requests')
    expect(body.requests).toHaveLength(1)
    expect(body.requests[0]).toMatchObject({ integration_id: null, grant_id: null, status: 401 })
    expect(body.requests[0].why).toMatchObject({ code: 'token_of_other_account', token: null })
  })
})

describe('The integration of a token request', () => {
  test('is the one that it names, if there is one', async () => {
    const { here, integration } = await connectedWorld()
    const named = [integration.client_id, 'ab', 'a\u0000', 'x'.repeat(1_000), randomUUID()]
    for (const client_id of named)
      await here.stranger.post('/oauth2/access_token', { grant_type: 'authorization_code', client_id })
    const rows = await logged(here)
    expect(rows.slice(0, named.length).map(({ integration_id }) => integration_id)).toEqual([
      ...Array(named.length - 1).fill(null),
      integration.client_id,
    ])
  })
})

describe('The account of a request', () => {
  const countIn = async (here: World, subdomain: string) => {
    const at = helper(here).as({ host: here.ctx.hosts.accountHost(subdomain) })
    return (await at.get('/test_helpers/requests')).body.requests.length
  }

  test('is that of the token, also on the bare host', async () => {
    const { here, client } = await connectedWorld()
    await here.addAccount('other')
    await client.as({ host: 'localhost:8080' }).get('/api/v4/account')
    expect([await countIn(here, 'demo'), await countIn(here, 'other')]).toEqual([2, 0])
  })

  test('is nobody if a stranger names none of several', async () => {
    const { here } = await connectedWorld()
    await here.addAccount('other')
    await here.stranger.as({ host: 'localhost:8080', token: 'x' }).get('/api/v4/account')
    expect([await countIn(here, 'demo'), await countIn(here, 'other')]).toEqual([1, 0])
  })

  test('is that of the integration if its secret is wrong', async () => {
    const { here, integration, tokens } = await connectedWorld()
    await here.addAccount('other')
    const wrong = { client_secret: 'x'.repeat(64) }
    await refresh(here.stranger.as({ host: 'localhost:8080' }), integration, 'pbr_unknown', wrong)
    expect([await countIn(here, 'demo'), await countIn(here, 'other')]).toEqual([2, 0])
    expect(tokens.token_type).toBe('Bearer')
  })
})
