import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A span as OTLP writes it in JSON, with the attributes of the service that sent it. */
export interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  name: string
  /** 1: internal, 2: server, 3: client. */
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number; message?: string }
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}
type Wire = { [member: string]: unknown } & { attributes?: Attribute[] }

const attributesOf = ({ attributes = [] }: Wire): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector of OpenTelemetry on loopback. It reads OTLP in JSON and keeps everything else as bytes. */
export async function collector() {
  const spans: ExportedSpan[] = []
  const posts: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    const body = Buffer.concat(chunks)
    const { url: path = '', headers } = request
    posts.push({ path, headers, body })
    if (headers['content-type'] === 'application/json') spans.push(...spansIn(JSON.parse(body.toString())))
    response.writeHead(200, { 'content-type': headers['content-type'] }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, posts, text: () => Buffer.concat(posts.map(({ body }) => body)).toString('latin1') }
}

function spansIn(sent: { resourceSpans: { resource: Wire; scopeSpans: { spans: Wire[] }[] }[] }) {
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(
        (span) =>
          ({
            ...span,
            attributes: attributesOf(span),
            resource: attributesOf(resource),
          }) as unknown as ExportedSpan,
      ),
    ),
  )
}
