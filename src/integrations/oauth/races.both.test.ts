import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import {
  accountStatus,
  connect,
  exchange,
  freshCode,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { times } from '../../../test/long.ts'
import { patiently } from '../../../test/patiently.ts'
import { world } from '../../../test/world.ts'

const PARALLEL = 50
/** Rounds of the tests whose requests come in pairs. */
const FEW = times(3, 50)
const ROUNDS = times(3, 200)
const onPostgres = process.env.TEST_DATABASE === 'postgres'

/** A world whose requests alternate between two processes on PostgreSQL. On SQLite there is one process. */
async function crowd() {
  const here = await world()
  const shop = await register(here.admin)
  const host = 'demo.localhost:8080'
  const servers = [here.stranger]
  if (onPostgres) servers.push(client((await here.secondProcess()).app.http, { host }))
  const all = <T>(n: number, ask: (server: typeof here.stranger, i: number) => Promise<T>) =>
    Promise.all(
      Array.from({ length: n }, (_, i) => ask(servers[i % servers.length] as typeof here.stranger, i)),
    )
  return { ...here, shop, all }
}

describe('Races', () => {
  test(`${PARALLEL} parallel exchanges of one code: exactly one succeeds, and its tokens are revoked (A4, A5)`, async () => {
    const { admin, stranger, shop, all } = await crowd()
    for (let round = 0; round < ROUNDS; round++) {
      const code = await freshCode(admin, shop)
      const answers = await all(PARALLEL, (server) => patiently(() => exchange(server, shop, code)))
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(PARALLEL - 1)
      expect(await accountStatus(stranger, won[0]?.body.access_token)).toBe(401)
    }
  }, 300_000)

  test(`${PARALLEL} parallel refreshes of one token return one child, with equal bodies (A6)`, async () => {
    const { stranger, shop, all } = await crowd()
    let { refresh_token } = await connect(stranger, shop)
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await all(PARALLEL, (server) => patiently(() => refresh(server, shop, refresh_token)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      refresh_token = answers[0]?.body.refresh_token
    }
  }, 300_000)

  test(`${PARALLEL} parallel repetitions after a day return one valid access token, with equal bodies (A6)`, async () => {
    const { stranger, shop, all, clock } = await crowd()
    let { refresh_token } = await connect(stranger, shop)
    for (let round = 0; round < times(2, 10); round++) {
      const lost = (await refresh(stranger, shop, refresh_token)).body
      clock.advance(86_400)
      const answers = await all(PARALLEL, (server) => patiently(() => refresh(server, shop, refresh_token)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers[0]?.body.refresh_token).toBe(lost.refresh_token)
      expect(await accountStatus(stranger, answers[0]?.body.access_token)).toBe(200)
      refresh_token = lost.refresh_token
    }
  })

  test('a repetition after a day and an exchange of the child end in one of the two serial outcomes', async () => {
    const { stranger, shop, all, clock } = await crowd()
    let parent = await connect(stranger, shop)
    for (let round = 0; round < FEW; round++) {
      const child = (await refresh(stranger, shop, parent.refresh_token)).body
      clock.advance(86_400)
      const asked = round % 2 === 0 ? [parent, child] : [child, parent]
      const answers = await all(2, (server, i) => refresh(server, shop, asked[i]?.refresh_token ?? ''))
      const [repeated, exchanged] = round % 2 === 0 ? answers : answers.toReversed()
      expect(exchanged?.status).toBe(200)
      expect([200, 400]).toContain(repeated?.status)
      if (repeated?.status === 200) expect(repeated.body.refresh_token).toBe(child.refresh_token)
      expect((await refresh(stranger, shop, parent.refresh_token)).status).toBe(400)
      parent = exchanged?.body
    }
  })

  test('a replay and the first use end in one of the two serial outcomes', async () => {
    const { stranger, shop, all } = await crowd()
    let parent = await connect(stranger, shop)
    for (let round = 0; round < ROUNDS; round++) {
      const child = (await refresh(stranger, shop, parent.refresh_token)).body
      const [used, replay] = await all<number | { status: number; refresh_token?: string }>(
        2,
        async (server, i) => {
          if ((i + round) % 2 === 0) return accountStatus(server, child.access_token)
          const { status, body } = await refresh(server, shop, parent.refresh_token)
          return { status, refresh_token: body.refresh_token }
        },
      ).then((both) => (typeof both[0] === 'number' ? both : [both[1], both[0]]))
      expect(used).toBe(200)
      expect([
        { status: 200, refresh_token: child.refresh_token },
        { status: 400, refresh_token: undefined },
      ]).toContainEqual(replay)
      expect((await refresh(stranger, shop, parent.refresh_token)).status).toBe(400)
      parent = child
    }
  }, 300_000)

  test('an exchange during a deactivation leaves no valid token', async () => {
    const { admin, stranger, shop, all } = await crowd()
    for (let round = 0; round < FEW; round++) {
      const { code } = (await admin.browser.post('/web/installations', { client_id: shop.client_id })).body
      const answers = await all(4, async (server, i) =>
        i === 1
          ? admin.browser.post(`/web/installations/${shop.client_id}/disable`)
          : exchange(server, shop, code),
      )
      for (const { status, body } of answers.filter((_answer, i) => i !== 1)) {
        expect([200, 400]).toContain(status)
        if (status === 200) expect(await accountStatus(stranger, body.access_token)).toBe(401)
      }
    }
  })
})
