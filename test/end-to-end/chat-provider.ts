import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The example provider in its own process and folder. The caller must stop it. */
export interface Provider {
  url: string
  /** Its output. */
  output(): string
  /** The messages as the customer sees them. */
  messages(): Promise<ProviderMessage[]>
  /** Sends a message like its page. */
  post(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }>
  stop(): Promise<void>
}

export interface ProviderMessage {
  direction: 'from' | 'to'
  customer: string
  type: string
  text: string
  media?: string
  file?: string
  webhook_id?: string
  state: string
}

/** Starts it and waits until it has tried to connect. `env` contains its settings. */
export async function startProvider(port: number, env: Record<string, string>): Promise<Provider> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-provider-'))
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['examples/chat-provider/main.ts'], {
    env: { PATH: process.env.PATH, FOLDER: folder, CALLBACK_URL: `${url}/callback`, ...env },
  })
  let text = ''
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const read = (chunk: Buffer) => {
    text += chunk
    if (/connected: .*\n/.test(text)) resolve()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const ended = new Promise<void>((done) => child.on('exit', () => done()))
  ended.then(() => reject(new Error(`the provider ended: ${text}`)))
  await ready
  return {
    url,
    output: () => text,
    messages: async () =>
      ((await (await fetch(`${url}/messages`)).json()) as { messages: ProviderMessage[] }).messages,
    post: async (path, body = {}) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    stop: async () => {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
