/** The parts of a recorded request that a snippet needs. */
interface Recorded {
  method: string
  direction: string
  host: string
  path: string
  query: string
  request: { headers: Readonly<Record<string, string>>; body: string | null }
}

/** A part of a header: a text, or the name of the environment variable that has a secret. */
export type HeaderPart = { text: string } | { variable: string }

/** A recorded request as code sends it. */
export interface Call {
  method: string
  url: string
  headers: { name: string; parts: HeaderPart[] }[]
  body: string | null
  /** Whether the request says what its body is. Otherwise libraries must not add a type of their own. */
  hasType: boolean
}

/** Headers of the connection, of proxies and of the sending program, which the new program writes itself. */
const NOT_REPEATED =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|expect|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|x-request-id|traceparent|tracestate|sec-.*|cookie|te|trailer|upgrade)$/

/** The mark that the request log has in place of a secret: `[access_token ...k3Zq]`. */
const MARK = /\[([\w-]{1,60})(?: \.\.\.[\w.~-]{4})?\]/

/** The call that a recorded request is. `scheme` is that of the server. */
export function callOf({ method, direction, host, path, query, request }: Recorded, scheme: string): Call {
  const headers = Object.entries(request.headers).filter(([name]) => !NOT_REPEATED.test(name))
  return {
    method,
    url: `${direction === 'in' ? scheme : schemeOf(host)}//${host}${path}${query && `?${query}`}`,
    headers: headers.map(([name, value]) => ({ name, parts: partsOf(name, value) })),
    body: request.body,
    hasType: headers.some(([name]) => name === 'content-type'),
  }
}

/** The log does not have the scheme of an attempt. A host with a port, or of this machine, is a server in development. */
const schemeOf = (host: string): string => (/:\d+$|^localhost$|\.localhost$/.test(host) ? 'http:' : 'https:')

function partsOf(name: string, value: string): HeaderPart[] {
  const found = MARK.exec(value)
  if (!found) return [{ text: value }]
  const variable = variableOf(name, value, found[1] ?? '')
  const parts = [
    { text: value.slice(0, found.index) },
    { variable },
    { text: value.slice(found.index + found[0].length) },
  ]
  return parts.filter((part) => 'variable' in part || part.text !== '')
}

function variableOf(name: string, value: string, kind: string): string {
  if (name === 'authorization') return /^basic /i.test(value) ? 'CREDENTIALS' : 'TOKEN'
  return kind.replaceAll(/\W/g, '_').toUpperCase()
}
