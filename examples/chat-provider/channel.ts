import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from './settings.ts'
import { sign } from './signature.ts'

/** A message in the platform's format, see the table of its kinds. */
export interface Content {
  type: string
  [member: string]: unknown
}

export interface Push {
  timestamp: number
  msgid: string
  conversation_id: string
  sender: { id: string; name: string; avatar: string; profile?: { phone?: number; email?: string } }
  message: Content
}

export class Refused extends Error {
  readonly status: number
  constructor(status: number, answer: string) {
    super(`refused with ${status}: ${answer}`)
    this.status = status
  }
}

export const DELIVERED = 1
export const READ = 2
export const FAILED = -1
/** The platform's code with a custom text. */
const OTHER_ERROR = 905

export type Channel = ReturnType<typeof openChannel>

/** The calls of a provider. Each is signed over the sent bytes. */
export function openChannel({ chat_url, channel_id, channel_secret, account_id }: Settings) {
  let scope_id = `${channel_id}_${account_id}`

  async function send(path: string, body: string): Promise<{ scope_id?: string; new_message?: object }> {
    const response = await fetch(`${chat_url}/v2/origin/custom/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': sign(channel_secret, body) },
      body,
      signal: AbortSignal.timeout(10_000),
    })
    const answer = await response.text()
    if (!response.ok) throw new Refused(response.status, answer)
    return answer ? JSON.parse(answer) : {}
  }

  /** An answer can be lost. Repeating the same bytes never creates a second message. */
  async function sendSurely(path: string, content: unknown) {
    const body = JSON.stringify(content)
    for (const pause_ms of [500, 2_000]) {
      try {
        return await send(path, body)
      } catch (error) {
        const isFinal = error instanceof Refused && error.status < 500 && error.status !== 429
        if (isFinal) throw error
        await sleep(pause_ms)
      }
    }
    return send(path, body)
  }

  return {
    /** Idempotent, so it can run at every start. */
    async connect(): Promise<string> {
      const content = { account_id, title: 'Example messenger', hook_api_version: 'v1' }
      scope_id = String((await sendSurely(`${channel_id}/connect`, content)).scope_id)
      return scope_id
    },
    async disconnect(): Promise<void> {
      await sendSurely(`${channel_id}/disconnect`, { account_id })
    },
    push: (payload: Push) => sendSurely(scope_id, { event_type: 'new_message', payload }),
    /** Reports the status of a message from the account. */
    async report(msgid: string, delivery_status: number, error?: string): Promise<void> {
      const content = { msgid, delivery_status, ...(error && { error_code: OTHER_ERROR, error }) }
      await sendSurely(`${scope_id}/${msgid}/delivery_status`, content)
    },
  }
}
