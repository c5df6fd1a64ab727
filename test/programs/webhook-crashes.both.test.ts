import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { answering } from '../fixtures/deliveries.ts'
import { foundAccount } from '../fixtures/founding.ts'
import { signIn } from '../fixtures/web-session.ts'
import { itemsOf } from '../fixtures/webhooks.ts'
import { runsOn, times } from '../long.ts'
import { lastingPort, startProgram } from './program.ts'

const KILLS = times(1, 200)
/** Each changes two leads of its own, one change after the other: the first alone, or both in one batch. */
const WRITERS = 4
const LONGEST_RUN_MS = 300
/** More than a hundred would disable the webhook. */
const MOST_FAILURES = 50
const PATIENCE = { timeout: 120_000, interval: 50 }
/** The queue grows while the program is killed again and again. */
const BACKLOG_PATIENCE = { ...PATIENCE, timeout: times(120_000, 900_000) }

// biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
type Body = any

test.runIf(runsOn('postgres'))(
  `after ${KILLS} kills, every committed change has reached a webhook, in the order of its record`,
  {
    timeout: 1_800_000,
  },
  async () => {
    /** The names of each lead in the requests. One can arrive twice, and no other one of the lead comes in between. */
    const received = new Map<string, unknown[]>()
    let failures = 0
    const receiver = await answering((hit) => {
      for (const { id, name } of itemsOf(hit)) {
        const names = received.get(String(id)) ?? []
        if (names.at(-1) !== name) received.set(String(id), [...names, name])
      }
      // It fails now and then, so that deliveries wait for their second attempt.
      if (failures === MOST_FAILURES || Math.random() > 0.02) return 200
      failures++
      return 503
    })
    const { env, admin } = await foundAccount()
    const settings = {
      ...env,
      PORT: lastingPort(),
      LOG_LEVEL: 'error',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      // A lease of a killed program ends after a minute of its clock.
      NODE_OPTIONS: `--import ${new URL('fast-clock.ts', import.meta.url)}`,
      CLOCK_BEGAN: String(Date.now()),
      CLOCK_SPEED: '20',
    }
    const start = () => startProgram('serve', settings)
    let program = await start()
    const headers = { ...(await signIn(program.base, admin)), 'content-type': 'application/json' }
    const { base } = program
    const send = (method: string, path: string, body?: object): Promise<Body> =>
      fetch(`${base}/web/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        .then((answer) => answer.json())
        .catch(() => undefined)

    await send('POST', 'v4/webhooks', { destination: `${receiver.url}/`, settings: ['update_lead'] })
    const drafts = Array.from({ length: WRITERS * 2 }, () => ({ name: 'new' }))
    const added = await send('POST', 'v4/leads', drafts)
    const ids: number[] = added._embedded.leads.map(({ id }: { id: number }) => id)
    let isOver = false
    let changes = 0
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const own = ids.slice(writer * 2, writer * 2 + 2)
      for (let n = 1; !isOver; n++) {
        const patches = own.slice(0, n % 3 === 0 ? 2 : 1).map((id) => ({ id, name: `change ${n}` }))
        if (await send('PATCH', 'v4/leads', patches)) changes++
        else await sleep(Math.random() * 100)
      }
    })
    for (let kill = 0; kill < KILLS; kill++) {
      const before = changes
      await vi.waitFor(() => expect(changes).toBeGreaterThan(before + 5), PATIENCE)
      await sleep(Math.random() * LONGEST_RUN_MS)
      await program.stop('SIGKILL')
      program = await start()
    }
    isOver = true
    await Promise.all(writers)

    /** The names that the log says the lead has had, the first one first. */
    const committed = async (id: number): Promise<string[]> => {
      const names: string[] = []
      for (
        let path = `v4/events?limit=100&filter[entity]=lead&filter[entity_id]=${id}&filter[type]=name_field_changed`;
        path;
      ) {
        const { _embedded, _links } = await send('GET', path)
        names.push(
          ..._embedded.events.map(({ value_after: [{ name_field_value }] }: Body) => name_field_value.name),
        )
        path = _links.next?.href.split('/web/')[1] ?? ''
      }
      return names.reverse()
    }
    for (const id of ids) {
      const names = await committed(id)
      const ofLead = () => received.get(String(id)) ?? []
      await vi.waitFor(() => expect(ofLead().length).toBeGreaterThanOrEqual(names.length), BACKLOG_PATIENCE)
      expect([id, ofLead()]).toEqual([id, names])
    }
    expect(changes).toBeGreaterThan(KILLS * 5)
  },
)
