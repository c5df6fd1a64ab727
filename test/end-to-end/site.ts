import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An integrator's site on its own origin: it serves the given pages and echoes requests. */
export async function startSite(
  pages: Record<string, string> = {},
): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      pages[pathname] ??
        `<!doctype html><title>Came back</title><p id="came-back">${pathname}</p><code>${search.replaceAll('<', '&lt;')}</code>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
