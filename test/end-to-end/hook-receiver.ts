import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An address of an integrator that stores what webhooks send, and answers as configured. */
export interface HookReceiver {
  url: string
  hits: { headers: IncomingHttpHeaders; body: string }[]
  answer(status: number, body: string): void
  stop(): void
}

export async function receiveHooks(): Promise<HookReceiver> {
  const hits: HookReceiver['hits'] = []
  let said = { status: 200, body: 'Thank you' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    hits.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(said.status, { 'content-type': 'text/plain' }).end(said.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    hits,
    answer: (status, body) => {
      said = { status, body }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
