import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, consent, register } from '../../test/fixtures/integrations.ts'
import { helper, logged } from '../../test/fixtures/request-log.ts'
import { type World, world } from '../../test/world.ts'
import { openRequestLogDatabase } from '../db/request-log-database.ts'

const AT = '/test_helpers/requests'

async function recordedWorld(options = {}) {
  const here = await world(options)
  const integration = await register(here.admin)
  const { access_token } = await connect(here.stranger, integration)
  const client = here.stranger.as({ token: access_token })
  return { here, integration, client }
}

const paths = (rows: { path: string }[]) => rows.map(({ path }) => path)

describe('The list of requests', () => {
  test('can be filtered by every condition', async () => {
    const { here, integration, client } = await recordedWorld()
    await client.get('/api/v4/account')
    await client.post('/api/v4/leads', [{ name: 'Велосипед "Star"' }])
    await client.get('/api/v4/leads?limit=500')
    const { headers } = await client.patch('/api/v4/leads', [{ id: 999, name: 'B' }])
    const cases: [query: string, count: number][] = [
      ['', 5],
      [`integration=${integration.client_id}`, 5],
      ['integration=another', 0],
      ['operation=leads.create', 1],
      ['direction=in', 5],
      ['direction=out', 0],
      ['method=GET', 2],
      ['path=/api/v4/leads', 3],
      ['status=200', 3],
      ['status=2xx', 3],
      ['status=4xx', 2],
      ['status=400', 2],
      ['status=5xx', 0],
      ['status=none', 0],
      ['refused=true', 2],
      [`text=${encodeURIComponent('Велосипед "Star')}`, 0],
      [`text=${encodeURIComponent('Велосипед \\"Star')}`, 1],
      ['text=limit%3D500', 1],
      ['text=/api/v4/acc', 1],
      ['text=nowhere', 0],
      [`request_id=${headers['x-request-id']}`, 1],
      ['method=GET&status=2xx', 1],
      ['account=demo', 5],
    ]
    for (const [query, count] of cases)
      expect([query, (await logged(here, query)).length]).toEqual([query, count])
  })

  test('has pages, and the newer part after an id', async () => {
    const { here, client } = await recordedWorld()
    for (let i = 0; i < 7; i++) {
      await client.get(`/api/v4/leads/${i + 1}/links`)
      // Some of them are written together, and others are not.
      if (i % 3 === 0) await logged(here)
    }
    const all = await logged(here)
    expect(all).toHaveLength(8)
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a))
    const walked: unknown[] = []
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const { body } = await helper(here).get(`${AT}?limit=3&before=${before}`)
      walked.push(...body.requests)
      before = body.next
    }
    expect(walked).toEqual(all)
    expect(await logged(here, `after=${all[3]?.id}`)).toEqual(all.slice(0, 3))
    expect((await helper(here).get(`${AT}?limit=8`)).body.next).toBeNull()
  })

  onEmbedded('refuses a query that it does not understand', async () => {
    const { here } = await recordedWorld()
    for (const query of [
      'status=6xx',
      'status=abc',
      'direction=up',
      'limit=251',
      'limit=0',
      'after=-1',
      'text=',
    ])
      expect([query, (await helper(here).get(`${AT}?${query}`)).status]).toEqual([query, 400])
    expect((await helper(here).get(`${AT}/999000`)).status).toBe(404)
    expect((await helper(here).get(`${AT}/x`)).status).toBe(404)
  })

  test('is empty after it was cleared, and ids go on', async () => {
    const { here, client } = await recordedWorld()
    await client.get('/api/v4/account')
    const [last] = await logged(here)
    expect((await helper(here).delete(AT)).status).toBe(204)
    expect(await logged(here)).toEqual([])
    await client.get('/api/v4/account')
    const rows = await logged(here)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.id).toBeGreaterThan(last?.id as number)
  })
})

describe('Waiting', () => {
  test('ends as soon as the request happened', async () => {
    const { here, client } = await recordedWorld()
    const waiting = helper(here).get(`${AT}/wait?path=/api/v4/account&method=GET&count=2&timeout=20`)
    await client.get('/api/v4/account')
    await client.get('/api/v4/account?with=amojo_id')
    const before = performance.now()
    const { status, body } = await waiting
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(status).toBe(200)
    expect(body.requests.map(({ query }: { query: string }) => query)).toEqual(['', 'with=amojo_id'])
    expect(body.requests[0].response.body).toContain('"subdomain":"demo"')
  })

  test('counts what has happened before, unless it says after what', async () => {
    const { here, client } = await recordedWorld()
    await client.get('/api/v4/account')
    const [last] = await logged(here)
    const wait = (query: string) => helper(here).get(`${AT}/wait?path=/api/v4/account&timeout=0${query}`)
    expect([(await wait('')).status, (await wait(`&after=${last?.id}`)).status]).toEqual([200, 408])
  })

  test('that ends in vain tells the nearest misses', async () => {
    const { here, client } = await recordedWorld()
    await client.post('/api/v4/leads', [{ nam: 'A' }])
    await client.post('/api/v4/contacts', [{ name: 'A' }])
    const { status, body } = await helper(here).get(
      `${AT}/wait?method=POST&path=/api/v4/leads&status=4xx&timeout=0`,
    )
    expect([status, body.title, body.detail]).toEqual([
      408,
      'Request Timeout',
      '0 of 1 such requests happened in time.',
    ])
    expect(
      body.nearest.map(({ path, differs }: { path: string; differs: unknown }) => [path, differs]),
    ).toEqual([
      ['/api/v4/leads', [{ member: 'status', expected: '4xx', found: 200 }]],
      [
        '/api/v4/contacts',
        [
          { member: 'path', expected: '/api/v4/leads', found: '/api/v4/contacts' },
          { member: 'status', expected: '4xx', found: 200 },
        ],
      ],
      [
        '/oauth2/access_token',
        [
          { member: 'path', expected: '/api/v4/leads', found: '/oauth2/access_token' },
          { member: 'status', expected: '4xx', found: 200 },
        ],
      ],
    ])
  })

  test('names the integration and a missing answer as the query does', async () => {
    const { here, integration, client } = await recordedWorld()
    await client.get('/api/v4/account')
    const wait = async (query: string) =>
      (await helper(here).get(`${AT}/wait?path=/api/v4/account&timeout=0&${query}`)).body.nearest[0].differs
    const other = await register(here.admin)
    expect(await wait(`integration=${other.client_id}`)).toEqual([
      { member: 'integration', expected: other.client_id, found: integration.client_id },
    ])
    expect(await wait('status=none')).toEqual([{ member: 'status', expected: 'none', found: 200 }])
  })
})

describe('Callers', () => {
  const refusals = async (here: World, token: string | undefined) =>
    (await here.stranger.as(token === undefined ? {} : { token }).get(AT)).status

  test('of the test helpers need their key', async () => {
    const { here, client } = await recordedWorld()
    const token = client.identity.token as string
    expect([await refusals(here, undefined), await refusals(here, token), await refusals(here, 'x')]).toEqual(
      [401, 401, 401],
    )
    expect((await here.stranger.get('/test_helpers/nowhere')).status).toBe(401)
    expect((await helper(here).get('/test_helpers/nowhere')).status).toBe(404)
    expect((await here.admin.browser.get(AT)).status).toBe(401)
  })

  test('of the test helpers name the account if there are several', async () => {
    const { here } = await recordedWorld()
    const bare = helper(here).as({ host: 'localhost:8080' })
    expect((await bare.get(AT)).body.requests).toHaveLength(1)
    await here.addAccount('other')
    expect((await bare.get(AT)).status).toBe(400)
    expect((await bare.get(`${AT}?account=demo`)).body.requests).toHaveLength(1)
    expect((await bare.get(`${AT}?account=other`)).body.requests).toEqual([])
    expect((await bare.get(`${AT}?account=third`)).status).toBe(404)
  })

  onEmbedded('have no test helpers on a server that is not for development', async () => {
    const served = await world({ mode: 'serve' })
    expect(served.ctx.testHelpersKey).toBeNull()
    expect((await served.stranger.as({ token: 'x' }).get(AT)).status).toBe(404)
  })

  onEmbedded('are administrators in the web application, and see the log of their account', async () => {
    const { here, client } = await recordedWorld()
    await client.get('/api/v4/account')
    const [row] = await logged(here)
    const { body } = await here.admin.browser.get('/web/requests?operation=account.get')
    expect(body).toMatchObject({
      requests: [{ id: row?.id, path: '/api/v4/account' }],
      next: null,
      dropped: 0,
    })
    const shown = await here.admin.browser.get(`/web/requests/${row?.id}`)
    expect(shown.body.request.headers.authorization).toMatch(/^Bearer \[access_token \.\.\..{4}\]$/)
    expect((await here.admin.browser.delete('/web/requests')).status).toBe(204)
    expect((await here.admin.browser.get('/web/requests')).body.requests).toEqual([])
  })

  test('without the right, or of another account, see none of it', async () => {
    const { here } = await recordedWorld()
    const [row] = await logged(here)
    const ann = await here.addPerson({ rights: {} as never })
    const other = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', account: other, is_admin: true })
    const all = [
      ['get', '/web/requests'],
      ['get', `/web/requests/${row?.id}`],
      ['delete', '/web/requests'],
      ['get', '/web/requests/settings'],
    ] as const
    for (const [method, path] of all) {
      const answer = await ann.browser[method](path)
      expect([path, answer.status, answer.text.includes('access_token')]).toEqual([path, 403, false])
    }
    const setting = { is_on: false, days: 1, keeps_bodies: false }
    expect((await ann.browser.put('/web/requests/settings', setting)).status).toBe(403)
    expect((await eve.browser.get('/web/requests')).body.requests).toEqual([])
    expect((await eve.browser.get(`/web/requests/${row?.id}`)).status).toBe(404)
    expect((await eve.browser.delete('/web/requests')).status).toBe(204)
    expect(paths(await logged(here))).toEqual(['/oauth2/access_token'])
  })

  test('see a handle in place of the id of an integration of another account', async () => {
    const here = await world()
    const integration = await register(here.admin, { access: 'public' })
    const other = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', account: other, is_admin: true })
    const { code } = await consent(eve, integration)
    const theirs = here.stranger.as({ host: here.ctx.hosts.accountHost('other') })
    const { access_token } = await connect(theirs, integration, code)
    await theirs.as({ token: access_token }).get('/api/v4/account')
    const { requests } = (await eve.browser.get('/web/requests?operation=account.get')).body
    expect(requests).toHaveLength(1)
    expect(requests[0].integration_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(requests[0].integration_id).not.toBe(integration.client_id)
    expect(
      (await eve.browser.get(`/web/requests?integration=${requests[0].integration_id}`)).body.requests,
    ).toHaveLength(2)
    const [exchange] = (await eve.browser.get('/web/requests?operation=oauth.token')).body.requests
    const { text } = await eve.browser.get(`/web/requests/${exchange.id}`)
    expect(text).toContain(requests[0].integration_id)
    expect(text).not.toContain(integration.client_id)
  })
})

test('the search reads by the index on account and id', async () => {
  const { here } = await recordedWorld()
  await logged(here)
  const store = openRequestLogDatabase(here.ctx.config, here.ctx.db)
  const rows = await store.selectFrom('request_batches').select(['account_id', 'count']).execute()
  expect(rows).toEqual([{ account_id: here.account.id, count: 1 }])
  if (!here.ctx.config.database_url) await store.destroy()
})
