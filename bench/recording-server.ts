import { setTimeout as sleep } from 'node:timers/promises'
import { addMember } from '../src/accounts/accounts.ts'
import { freePort } from '../src/commands/ports.ts'
import { addEntities } from '../src/entities/entities.ts'
import { openWebSession } from '../test/fixtures/web-session.ts'
import { CONNECTIONS } from './callers.ts'
import type { Databases } from './databases.ts'
import type { Program } from './programs.ts'
import { exchange, makeCodes, openAccount, startServer } from './server.ts'

const PAGE = 250
const person = {
  name: 'Grace',
  email: 'grace@bench.example',
  password: 'a-long-enough-password',
  is_admin: true,
}

export interface Unrecorded {
  dropped: number
  overloaded: number
}

/** The real program with an integration, and an administrator who turns the request log on and off. */
export interface RecordingServer {
  program: Program
  access_token: string
  leads: number[]
  record(is_on: boolean): Promise<void>
  /** Deletes what is recorded. */
  clear(): Promise<void>
  /** The requests that are in the log. */
  recorded(): Promise<number>
  /** Requests since the start that the log has dropped, and those that the server refused because it was overloaded. */
  unrecorded(): Promise<Unrecorded>
}

export async function startRecordingServer(databases: Databases): Promise<RecordingServer> {
  const metrics = `127.0.0.1:${await freePort()}`
  const filled = await startServer(
    databases,
    async (ctx) => {
      const { actor, keys } = await openAccount(ctx)
      await addMember(ctx, actor.account_id, person)
      const [code] = (await makeCodes(ctx, actor, keys.client_id, 1)) as [string]
      const { access_token } = await exchange(ctx, keys, code)
      const drafts = Array.from({ length: CONNECTIONS * 4 }, (_, n) => ({ name: `Lead ${n}` }))
      const leads = (await addEntities(ctx, actor, 'leads', drafts)).map(({ id }) => id)
      return { access_token, leads }
    },
    { settings: { METRICS_LISTEN: metrics } },
  )
  const ask = await openWebSession(`http://localhost:${filled.program.port}`, person)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    ...filled,
    record: (is_on) => call('PUT', '/web/requests/settings', { is_on, days: 3, keeps_bodies: true }),
    clear: () => call('DELETE', '/web/requests'),
    recorded: async () => {
      let count = 0
      for (let next: number | null | undefined; next !== null; ) {
        const page = await call('GET', `/web/requests?limit=${PAGE}${next ? `&before=${next}` : ''}`)
        count += page.requests.length
        next = page.next ?? null
      }
      return count
    },
    unrecorded: async () => {
      const text = await (await fetch(`http://${metrics}/metrics`)).text()
      const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
      return {
        dropped: count('patchbay_requests_unrecorded'),
        overloaded: count('patchbay_refused_total\\{reason="overload"\\}'),
      }
    },
  }
}

/** Requests wait in memory for at most a tenth of a second. */
export const written = (): Promise<void> => sleep(300)
