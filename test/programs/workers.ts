import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { foundAccount } from '../fixtures/founding.ts'
import { signIn } from '../fixtures/web-session.ts'
import { type Program, startProgram } from './program.ts'

export interface Reply {
  status: number
  request_id: string
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

/** A client with one connection, which one process of the server serves. */
export interface Line {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Sends a request and returns its response as a stream. */
  open(path: string, headers: Record<string, string>): Promise<IncomingMessage>
  close(): void
}

export function openLine(base: string): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const asked = request(`${base}${path}`, {
        method,
        agent,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      })
      asked.on('response', resolve).on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed a connection that was idle for five seconds.
        const wasIdle = asked.reusedSocket && error.code === 'ECONNRESET'
        if (wasIdle) resolve(ask(method, path, body, headers))
        else reject(error)
      })
      asked.end(body === undefined ? '' : JSON.stringify(body))
    })
  return {
    async send(method, path, body, headers = {}) {
      const response = await ask(method, path, body, headers)
      let text = ''
      for await (const chunk of response) text += chunk
      const { statusCode: status = 0, headers: got } = response
      const request_id = String(got['x-request-id'])
      return { status, request_id, body: text.startsWith('{') ? JSON.parse(text) : text }
    },
    open: (path, headers) => ask('GET', path, undefined, headers),
    close: () => agent.destroy(),
  }
}

export interface Workers {
  program: Program
  env: Record<string, string>
  /** Headers of the administrator's browser. */
  session: Record<string, string>
  keys: { client_id: string; client_secret: string; redirect_uri: string }
  /** Headers with a fresh token. */
  bearer(): Promise<{ authorization: string }>
  /** One client for each process, in the order of their process ids. */
  lines: Line[]
  /** The process id that answered. */
  pidOf(reply: Reply): Promise<number>
}

/** A program with so many server processes, and a signed-in administrator. */
export async function startWorkers(count: number, more: Record<string, string> = {}): Promise<Workers> {
  const { env: founded, admin } = await foundAccount()
  const env = { ...founded, WORKERS: String(count), ...more }
  const program = await startProgram('serve', env)
  const pidOf = (reply: Reply) => pidIn(program, reply)
  const lines = await lineOfEach(program, count, pidOf)
  const [line] = lines as [Line]
  const session = await signIn(program.base, admin)
  const redirect_uri = 'https://shop.example/oauth'
  const saved = await line.send('POST', '/web/integrations', { name: 'Shop', redirect_uri }, session)
  const keys = { ...saved.body.keys, redirect_uri }
  const bearer = async () => {
    const { client_id } = keys
    const installed = await line.send('POST', '/web/installations', { client_id }, session)
    const { code } = installed.body
    const asked = { ...keys, grant_type: 'authorization_code', code }
    const { body } = await line.send('POST', '/oauth2/access_token', asked)
    return { authorization: `Bearer ${body.access_token}` }
  }
  return { program, env, session, keys, bearer, lines, pidOf }
}

/** Opens connections until each process has one. */
async function lineOfEach(program: Program, count: number, pidOf: Workers['pidOf']): Promise<Line[]> {
  const found = new Map<number, Line>()
  while (found.size < count) {
    const line = openLine(program.base)
    onTestFinished(() => line.close())
    const pid = await pidOf(await line.send('GET', '/nothing'))
    if (found.has(pid)) line.close()
    else found.set(pid, line)
  }
  return [...found].sort(([a], [b]) => a - b).map(([, line]) => line)
}

async function pidIn(program: Program, { request_id }: Reply): Promise<number> {
  const logged = () =>
    program
      .output()
      .split('\n')
      .find((line) => line.includes(request_id))
  await expect.poll(logged).toMatch(/\}$/)
  return JSON.parse(logged() as string).pid
}
