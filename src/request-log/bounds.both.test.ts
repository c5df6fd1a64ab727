import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { helper, lastExchange, logged } from '../../test/fixtures/request-log.ts'
import { times } from '../../test/long.ts'
import { type World, world } from '../../test/world.ts'
import { requestLogFile } from '../db/request-log-database.ts'
import { requestLogOf } from './list.ts'
import type { RequestLog } from './recorder.ts'
import { deleteExcess, deleteOld } from './upkeep.ts'

const SERVED = { mode: 'serve', env: { TRUST_PROXY: '127.0.0.1' } } as const
const DAY = 86_400
/** The id of no account. */
const GONE = 999_999

async function clientOf(here: World) {
  const { access_token } = await connect(here.stranger, await register(here.admin))
  return here.stranger.as({ token: access_token })
}

const set = (here: World, change: object) =>
  here.admin.browser.put('/web/requests/settings', { is_on: true, days: 3, keeps_bodies: true, ...change })

describe('The setting of an account', () => {
  test('is on in development', async () => {
    const here = await world()
    const { body } = await here.admin.browser.get('/web/requests/settings')
    expect(body).toEqual({ is_on: true, days: 3, keeps_bodies: true })
  })

  onEmbedded('is off on a server, and nothing is recorded until an administrator turns it on', async () => {
    const here = await world(SERVED)
    const client = await clientOf(here)
    expect(requestLogOf(here.ctx).isOn).toBe(false)
    expect((await here.admin.browser.get('/web/requests/settings')).body.is_on).toBe(false)
    expect((await here.admin.browser.get('/web/requests')).body.requests).toEqual([])
    expect((await set(here, {})).status).toBe(204)
    await client.get('/api/v4/account')
    const { body } = await here.admin.browser.get('/web/requests')
    expect(body.requests).toMatchObject([{ path: '/api/v4/account', status: 200 }])
    await set(here, { is_on: false })
    await client.get('/api/v4/account')
    expect((await here.admin.browser.get('/web/requests')).body.requests).toHaveLength(1)
    expect(requestLogOf(here.ctx).isOn).toBe(false)
  })

  onEmbedded('can leave out bodies', async () => {
    const here = await world()
    const client = await clientOf(here)
    await set(here, { keeps_bodies: false })
    await client.post('/api/v4/leads', [{ name: 'A' }])
    const { request, response } = await lastExchange(here)
    expect([request.body, request.size, response.body]).toEqual([null, 14, null])
    expect(response.size).toBeGreaterThan(0)
  })

  onEmbedded('of one account does not turn on another', async () => {
    const here = await world(SERVED)
    const other = await here.addAccount('other')
    const eve = await here.addPerson({ name: 'Eve', account: other, is_admin: true })
    await set(here, {})
    await here.stranger.as({ host: here.ctx.hosts.accountHost('other'), token: 'x' }).get('/api/v4/account')
    expect((await eve.browser.get('/web/requests')).body.requests).toEqual([])
    expect((await eve.browser.get('/web/requests/settings')).body.is_on).toBe(false)
  })

  onEmbedded('is refused if it is invalid, and each change is in the audit log', async () => {
    const here = await world()
    for (const change of [{ days: 0 }, { days: 31 }, { is_on: 'yes' }])
      expect((await set(here, change)).status).toBe(400)
    await set(here, { days: 7 })
    await set(here, { days: 7 })
    const { body } = await here.admin.browser.get('/web/audit')
    expect(body.entries.map(({ details }: { details: unknown }) => details)).toEqual([
      { changed: ['is_request_log_on', 'request_log_days'] },
    ])
  })

  test('is followed by another process', async () => {
    const here = await world({ ...SERVED, ownServer: true })
    const second = await here.secondProcess()
    await set(here, {})
    await requestLogOf(second.ctx).readSettings()
    expect(requestLogOf(second.ctx).settingOf(here.account.id).is_on).toBe(true)
  })
})

describe('The log is bounded', () => {
  onEmbedded(
    'in memory: a burst is answered completely, and what is too much is dropped and counted',
    async () => {
      const here = await world()
      const client = await clientOf(here)
      const log = await pausedLog(here)
      const count = times(10_500, 20_000)
      const again = times(9_800, 0)
      await repeat(log, again, () => client.get('/api/v4/account'))
      let most = 0
      for (let sent = again; sent < count; sent += 100) {
        const answers = await Promise.all(Array.from({ length: 100 }, () => client.get('/api/v4/account')))
        expect(answers.every(({ status }) => status === 200)).toBe(true)
        most = Math.max(most, log.waiting)
      }
      expect([most, log.dropped]).toEqual([10_000, count - 10_000])
      log.resume()
      const { body } = await helper(here).get('/test_helpers/requests?limit=1')
      expect([body.dropped, log.waiting]).toEqual([count - 10_000, 0])
      // The exchange of the code was recorded before the burst.
      expect(await recordedCount(here)).toBe(10_001)
    },
    300_000,
  )

  onEmbedded(
    'in bytes: large bodies are dropped sooner',
    async () => {
      const here = await world()
      const client = await clientOf(here)
      const log = await pausedLog(here)
      const drafts = [{ name: 'a'.repeat(65_000) }]
      const count = 600
      const again = times(400, 0)
      const send = () => client.post('/api/v4/leads/nowhere', drafts)
      await repeat(log, again, send)
      expect(log.dropped).toBe(0)
      for (let i = again; i < count; i++) expect((await send()).status).toBe(404)
      expect(log.waiting + log.dropped).toBe(count)
      expect(log.dropped).toBeGreaterThan(0)
      expect(log.waiting).toBeLessThan(count)
      log.resume()
    },
    120_000,
  )

  test('in requests: the oldest above the limit of an account are deleted', async () => {
    const here = await world()
    const client = await clientOf(here)
    for (let i = 0; i < 9; i++) {
      await client.get(`/api/v4/leads/${i}`)
      await requestLogOf(here.ctx).flush()
    }
    await deleteExcess(here.ctx, 4)
    expect((await logged(here)).map(({ path }) => path)).toEqual(
      [8, 7, 6, 5].map((i) => `/api/v4/leads/${i}`),
    )
    await deleteExcess(here.ctx, 1)
    expect(await logged(here)).toHaveLength(4)
  })

  test('in days: older requests are deleted, by the setting of their account', async () => {
    const here = await world()
    const client = await clientOf(here)
    await requestLogOf(here.ctx).flush()
    here.clock.advance(2 * DAY)
    await client.get('/api/v4/account')
    await requestLogOf(here.ctx).flush()
    here.clock.advance(DAY + 1)
    await deleteOld(here.ctx)
    expect((await logged(here)).map(({ path }) => path)).toEqual(['/api/v4/account'])
    here.admin.browser = await here.signIn(here.admin)
    expect((await set(here, { days: 1 })).status).toBe(204)
    here.clock.advance(DAY)
    await deleteOld(here.ctx)
    expect(await logged(here)).toEqual([])
  })

  test('by the accounts: the requests of an account that does not exist any more are deleted', async () => {
    const here = await world()
    await clientOf(here)
    const { traffic } = here.ctx
    const message = { headers: {}, content: 'A note', size: 6 }
    traffic.add({
      ...{
        direction: 'out',
        at: here.ctx.clock(),
        duration_ms: 1,
        method: 'POST',
        host: 'a.example',
        url: '/',
      },
      ...{ operation: 'webhook', request_id: 'r', account_id: GONE, subdomain: null, integration_id: null },
      ...{ user_id: null, grant_id: null, generation: null, status: 200, error: null, unread: [] },
      ...{ request: message, response: message },
    })
    expect(await recordedCount(here, GONE)).toBe(1)
    await deleteOld(here.ctx)
    expect([await recordedCount(here, GONE), await recordedCount(here)]).toEqual([0, 1])
  })
})

describe('The store', () => {
  test('that fails loses the log, and no answer', async () => {
    const here = await world({ ownServer: true })
    const client = await clientOf(here)
    const log = requestLogOf(here.ctx)
    await log.flush()
    Object.defineProperty(log, 'store', {
      configurable: true,
      get: () => {
        throw new Error('no space')
      },
    })
    expect((await client.get('/api/v4/account')).status).toBe(200)
    await log.flush()
    expect(log.dropped).toBe(1)
    expect(here.logged()).toContain('the request log does not record all requests')
    Reflect.deleteProperty(log, 'store')
  })

  test('is a file beside the embedded database, and not part of it', async () => {
    const here = await world({ kind: 'sqlite' })
    const file = requestLogFile(here.ctx.config)
    expect(existsSync(file)).toBe(false)
    await clientOf(here)
    await logged(here)
    expect(existsSync(file)).toBe(true)
  })
})

/** The log, which writes nothing until it is resumed, at the latest at the end of the test. */
async function pausedLog(here: World) {
  const log = requestLogOf(here.ctx)
  await log.flush()
  const flush = vi.spyOn(log, 'flush').mockResolvedValue()
  onTestFinished(() => flush.mockRestore())
  return Object.assign(log, { resume: () => flush.mockRestore() })
}

/** Fills the log with one request many times, which takes less time than sending it. */
async function repeat(log: RequestLog, count: number, send: () => Promise<unknown>): Promise<void> {
  if (count === 0) return
  const add = vi.spyOn(log, 'add')
  await send()
  const [exchange] = add.mock.calls[0] as Parameters<typeof log.add>
  add.mockRestore()
  for (let i = 1; i < count; i++) log.add(exchange)
}

async function recordedCount(here: World, account_id = here.account.id): Promise<number> {
  const log = requestLogOf(here.ctx)
  await log.flush()
  const rows = await log.store
    .selectFrom('request_batches')
    .select('count')
    .where('account_id', '=', account_id)
    .execute()
  return rows.reduce((sum, { count }) => sum + count, 0)
}
