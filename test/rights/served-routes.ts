import type { FastifyInstance } from 'fastify'

const LINE = /^((?:│ {3}| {4})*)[├└]── (\S*)(?: \((.+)\))?$/

/**
 * The server's routes below an address, as the router prints them: `PATCH /leads/:`. Without catch-all routes and HEAD.
 */
export function servedRoutes(http: FastifyInstance, below: string): string[] {
  const path: string[] = []
  const routes: string[] = []
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part, methods] = LINE.exec(line) ?? []
    if (part === undefined) continue
    path.length = indent.length / 4
    path.push(part)
    const url = path.join('').replaceAll(/:\w+(\|:\w+)*/g, ':')
    if (methods === undefined || !url.startsWith(`${below}/`) || url.endsWith('*')) continue
    for (const method of methods.split(', '))
      if (method !== 'HEAD') routes.push(`${method} ${url.slice(below.length)}`)
  }
  return routes.toSorted()
}
