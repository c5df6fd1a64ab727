import { expect, test } from 'vitest'
import { queue, worker } from '../../test/fixtures/deliveries.ts'
import { type World, world } from '../../test/world.ts'
import type { CircuitRow } from '../db/tables.ts'
import type { Outbound } from './http-client.ts'

const GOOD = 'http://good.example/'

/** Receivers of which the slow ones take three seconds, or do not answer while they hang. */
function receivers() {
  const sent: string[] = []
  const hanging = new Set<() => void>()
  const state = { hangs: false }
  const outbound: Outbound = {
    request: async ({ url }) => {
      sent.push(url)
      const isSlow = url.includes('slow')
      if (isSlow && state.hangs) await new Promise<void>((resolve) => hanging.add(resolve))
      return { status: 200, headers: {}, body: '', duration_ms: isSlow ? 3_000 : 1 }
    },
    close: async () => {},
  }
  const release = () => {
    state.hangs = false
    for (const answer of hanging) answer()
  }
  return { sent, state, outbound, release }
}

test('many slow endpoints with a backlog do not occupy all claims', async () => {
  const here = await world()
  const { sent, state, outbound, release } = receivers()
  const { runDue } = worker({ ...here.ctx, outbound })
  const slow = Array.from({ length: 130 }, (_, i) => `http://slow-${i}.example/`)
  await queue(
    here,
    slow.map((url) => ({ url })),
  )
  await runDue()
  state.hangs = true
  await queue(
    here,
    slow.flatMap((url) => Array.from({ length: 5 }, () => ({ url }))),
  )
  await queue(here, [{ url: GOOD }])
  const done = runDue()
  await expect.poll(() => sent.includes(GOOD)).toBe(true)
  release()
  await done
  expect(sent.filter((url) => url !== GOOD)).toHaveLength(6 * slow.length)
})

/** Stores the state of a circuit, and that of its deliveries, each with the time at which it is due. */
async function put(
  { ctx: { db } }: World,
  circuit: Pick<CircuitRow, 'name' | 'state' | 'due_at'>,
  states: ['ready' | 'paused', next_attempt_at: number, count: number][],
  ids: number[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const failed = { failures: 5, failing_since: 1, tries: 5 }
    const last = { last_success_at: null, last_failure_at: 1, last_error: '500' }
    await tx
      .insertInto('circuits')
      .values({ ...failed, ...last, ...circuit })
      .execute()
    const left = [...ids]
    for (const [state, next_attempt_at, count] of states)
      await tx
        .updateTable('deliveries')
        // With an attempt, because a worker that starts makes those due that have none.
        .set({ state, next_attempt_at, attempts: 1 })
        .where('id', 'in', left.splice(0, count))
        .execute()
  })
}

test('circuits that recover from a long backlog do not hold up the others', async () => {
  const here = await world()
  const { sent, outbound } = receivers()
  const { runDue } = worker({ ...here.ctx, outbound })
  const now = here.clock.now()
  for (let i = 0; i < 20; i++) {
    const name = `channel:slow-${i}`
    const drafts = Array.from({ length: 130 }, () => ({ url: `http://slow-${i}.example/`, circuit: name }))
    await put(
      here,
      { name, state: 'recovering', due_at: now - 100 },
      [
        ['ready', now + 30, 129],
        ['paused', now, 1],
      ],
      await queue(here, drafts),
    )
  }
  const name = 'channel:good'
  const ids = await queue(here, [{ url: GOOD, circuit: name }])
  await put(here, { name, state: 'open', due_at: now - 1 }, [['paused', now, 1]], ids)
  // The worker polls once a second while something is due.
  for (let poll = 0; poll < 3; poll++) await runDue()
  expect(sent).toEqual([GOOD])
})

/** The subdomains of the accounts whose requests were sent, in the order of the requests. */
const senders = (sent: readonly string[]): string[] => sent.map((url) => new URL(url).pathname.slice(1))

test('a long backlog of one account delays no other account', async () => {
  const here = await world()
  const { id: other } = await here.addAccount('other')
  const { sent, outbound } = receivers()
  const { runDue } = worker({ ...here.ctx, outbound })
  const urls = Array.from({ length: 40 }, (_, i) => `http://fast-${i}.example/long`)
  for (let i = 0; i < 40; i++)
    await queue(
      here,
      urls.map((url) => ({ url })),
    )
  here.clock.advance(1)
  await queue(here, [{ url: GOOD, account_id: other }])
  await runDue()
  expect(sent).toHaveLength(1601)
  expect(sent.indexOf(GOOD)).toBeLessThan(150)
})

test('the accounts take turns at an endpoint that they have in common', async () => {
  const here = await world()
  const accounts = [here.account]
  for (let i = 0; i < 30; i++) accounts.push(await here.addAccount(`account${i}`))
  const { sent, outbound } = receivers()
  const { runDue } = worker({ ...here.ctx, outbound })
  for (const { id, subdomain } of accounts) {
    const drafts = Array.from({ length: 20 }, () => ({
      url: `http://all.example/${subdomain}`,
      account_id: id,
    }))
    await queue(here, drafts)
    here.clock.advance(1)
  }
  await runDue()
  expect(sent).toHaveLength(31 * 20)
  // Each account has had two turns before any has had six.
  const firsts = accounts.map(({ subdomain }) =>
    senders(sent).indexOf(subdomain, senders(sent).indexOf(subdomain) + 1),
  )
  expect(Math.max(...firsts)).toBeLessThan(5 * 31)
})

test('more backlogs than one query returns all have a turn', async () => {
  const here = await world()
  const { sent, outbound } = receivers()
  const { runDue } = worker({ ...here.ctx, outbound })
  const urls = Array.from({ length: 1_100 }, (_, i) => `http://one-${i}.example/`)
  for (let i = 0; i < 2; i++)
    await queue(
      here,
      urls.map((url) => ({ url })),
    )
  await runDue()
  expect(new Set(sent)).toEqual(new Set(urls))
  expect(sent).toHaveLength(2 * urls.length)
})
