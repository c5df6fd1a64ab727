import type { FastifyInstance } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'
import { validatorCompiler } from '../bodies/validation.ts'

interface Route {
  method: HTTPMethod
  url: string
  /** The schema of the parameters in the path. */
  params: object | undefined
}

/**
 * The methods that each address accepts, for the `Allow` header of a 405 (RFC 9110, section 15.5.6). A wrong method is
 * rare, and most programs never see one, so the router is built at the first.
 */
export function collectMethods(app: FastifyInstance, routerOptions: object): (path: string) => string[] {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    // A wildcard answers for addresses that do not exist.
    if (url.endsWith('*')) return
    const { params } = Object(schema) as { params?: object }
    for (const one of [method].flat()) routes.push({ method: one as HTTPMethod, url, params })
  })
  let methodsOf: ReturnType<typeof build> | undefined
  return (path) => {
    methodsOf ??= build(routes, routerOptions)
    return methodsOf(path)
  }
}

function build(routes: readonly Route[], routerOptions: object): (path: string) => string[] {
  const router = createRouter(routerOptions)
  for (const { method, url, params } of routes) {
    const validate = params && validatorCompiler({ schema: params, method, url, httpPart: 'params' })
    router.on(method, url, () => {}, validate)
  }
  const methods = [...new Set(routes.map(({ method }) => method))].sort()
  const accepts = (method: HTTPMethod, path: string): boolean => {
    const route = router.find(method, path)
    if (!route) return false
    const validate = route.store as ReturnType<typeof validatorCompiler> | undefined
    return !validate || !('error' in Object(validate(route.params)))
  }
  // HEAD takes the routes of GET.
  return (path) =>
    methods
      .filter((method) => accepts(method, path))
      .flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]))
}
