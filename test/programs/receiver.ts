import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: IncomingMessage['headers']
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** The answer; by default 200. */
  answer: (request: Received, response: ServerResponse) => void
}

/** Another server on loopback, which records its requests. */
export async function receiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '/', 'http://receiver')
    const what = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body,
    }
    received.push(what)
    here.answer(what, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const here: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (_request, response) => response.end('{}'),
  }
  return here
}
