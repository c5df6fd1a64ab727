import { setTimeout as sleep } from 'node:timers/promises'
// In a project of your own: import { createClient, type Schemas } from 'patchbay/client'
import { createClient, type Schemas } from '../../sdk/client.ts'
import type { Settings } from './settings.ts'
import { sign } from './signature.ts'

type Push = Extract<Schemas['Push'], { event_type: 'new_message' }>['payload']
/** A message in the platform's format, see the table of its kinds. */
export type Content = Push['message']

export class Refused extends Error {
  readonly status: number
  constructor(status: number, error: unknown) {
    super(`refused with ${status}: ${JSON.stringify(error)}`)
    this.status = status
  }
}

export const DELIVERED = 1
export const READ = 2
export const FAILED = -1
/** The platform's code with a custom text. */
const OTHER_ERROR = 905
const TIMEOUT_MS = 10_000

type Status = typeof DELIVERED | typeof READ | typeof FAILED
type Answered<Data> = { data?: Data; error?: unknown; response: Response }

/** A client whose requests are signed over the sent bytes. */
function signingClient({ chat_url, channel_secret }: Settings) {
  const client = createClient(chat_url)
  client.use({
    async onRequest({ request }) {
      const body = Buffer.from(await request.clone().arrayBuffer())
      request.headers.set('x-signature', sign(channel_secret, body))
    },
  })
  return client
}

/** An answer can be lost. Repeating the same request never creates a second message. */
async function surely<Data>(send: (signal: AbortSignal) => Promise<Answered<Data>>): Promise<Data> {
  const once = async (): Promise<Data> => {
    const { data, error, response } = await send(AbortSignal.timeout(TIMEOUT_MS))
    if (!response.ok) throw new Refused(response.status, error)
    return data as Data
  }
  for (const pause_ms of [500, 2_000]) {
    try {
      return await once()
    } catch (error) {
      const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429
      if (isFinal) throw error
      await sleep(pause_ms)
    }
  }
  return once()
}

/** The calls of a provider. */
export function openChannel(settings: Settings) {
  const { channel_id, account_id } = settings
  const client = signingClient(settings)
  const ofChannel = { path: { channel_id } }
  let scope_id = `${channel_id}_${account_id}`

  return {
    /** Idempotent, so it can run at every start. */
    async connect(): Promise<string> {
      const body = { account_id, title: 'Example messenger', hook_api_version: 'v1' as const }
      const connected = await surely((signal) =>
        client.POST('/v2/origin/custom/{channel_id}/connect', { params: ofChannel, body, signal }),
      )
      scope_id = connected.scope_id
      return scope_id
    },
    async disconnect(): Promise<void> {
      const body = { account_id }
      await surely((signal) =>
        client.POST('/v2/origin/custom/{channel_id}/disconnect', { params: ofChannel, body, signal }),
      )
    },
    push(payload: Push) {
      const body = { event_type: 'new_message' as const, payload }
      return surely((signal) =>
        client.POST('/v2/origin/custom/{scope_id}', { params: { path: { scope_id } }, body, signal }),
      )
    },
    /** Reports the status of a message from the account. */
    async report(msgid: string, delivery_status: Status, error?: string): Promise<void> {
      const body = { msgid, delivery_status, ...(error && { error_code: OTHER_ERROR, error }) }
      const params = { path: { scope_id, msgid } }
      await surely((signal) =>
        client.POST('/v2/origin/custom/{scope_id}/{msgid}/delivery_status', { params, body, signal }),
      )
    },
  }
}
