import type { FastifyInstance } from 'fastify'
import type { Examples } from '../../src/surfaces/openapi/examples.ts'
import type { Answer, Client, Identity } from '../client.ts'
import { client } from '../client.ts'
import { descriptionOf } from './description.ts'

/** A client that keeps the first successful request and response of each operation. */
export async function recording(
  http: FastifyInstance,
  identity: Identity,
): Promise<{ v4: Client; examples: Examples; refused: string[] }> {
  const description = await descriptionOf(http)
  const examples: Examples = {}
  const refused: string[] = []
  const inner = client(http, identity)
  const keep = (method: string, url: string, body: unknown, { status, body: shown, text }: Answer) => {
    const operation = description.find(method, url.split('?', 1)[0] as string)
    if (status >= 300) refused.push(`${method} ${url}: ${text}`)
    else if (operation)
      examples[operation.operationId] ??= {
        ...(body !== undefined && !Buffer.isBuffer(body) && { request: body }),
        ...(text !== '' && { response: shortened(shown) }),
      }
  }
  const send: Client['send'] = async (method, url, body, headers) => {
    const answer = await inner.send(method, url, body, headers)
    keep(method, url, body, answer)
    return answer
  }
  const v4: Client = {
    ...inner,
    send,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body, headers) => send('POST', url, body, headers),
    put: (url, body, headers) => send('PUT', url, body, headers),
    patch: (url, body, headers) => send('PATCH', url, body, headers),
    delete: (url, body, headers) => send('DELETE', url, body, headers),
  }
  return { v4, examples, refused }
}

/** Lists of more than two items say nothing more. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

const RANDOM = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-hjkmnp-tv-z]{26}\b/g

/** Other texts that depend on chance: keys, tokens and signatures. */
const chance: [RegExp, string][] = [
  [/-[0-9a-f-]{36}@/g, '@'],
  [/\/(survey|s|upload)\/[\w-]+/g, '/$1/example'],
  [/\/website_buttons\/[\w-]+\.js/g, '/website_buttons/example.js'],
  [/(\/download\/\d+\/[^/]+\/[^/]+\/\d+\/)[\w-]+/g, '$1example'],
  [/\bpb([cr])_[\w-]+/g, 'pb$1_example'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ.example.token'],
  // The uids of incoming leads.
  [/\b[0-9a-f]{60}\b/g, '0123456789ab'.repeat(5)],
  [/("client_secret": )"[^"]+"/g, '$1"example"'],
  // Times, traces, tokens and signatures of the request log.
  [/(?<name>"duration_ms": )\d+/g, '$<name>12'],
  [/(?<name>"at": )\d{13}\b/g, '$<name>1772366400000'],
  [/("trace_id": )"[0-9a-f]{32}"/g, '$1"019ca9450a00725a969f762df58083f9"'],
  [/(\[access_token \.\.\.)[\w-]{4}\]/g, '$1x9fQ]'],
  [/("x-signature": )"[0-9a-f]{40}"/g, '$1"527bd36a27c1303316a5fec89135dac0c0ffbae4"'],
]

/** Ids of the request log contain the number of a batch, which depends on the speed of the machine. */
const LOG_ID = /(?<="(?:id|log_id|next)": )\d{5,}\b/g

/** The same examples without chance: each random id is replaced by its number. */
export function settled(examples: Examples): Examples {
  const numbers = new Map<string, number>()
  const whole = JSON.stringify(examples, null, 2)
  const logIds = [...new Set(whole.match(LOG_ID))].map(Number).sort((a, b) => a - b)
  const numbered = whole.replaceAll(LOG_ID, (id) => String(81_000 + logIds.indexOf(Number(id))))
  const text = numbered.replaceAll(RANDOM, (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1)
    const number = String(numbers.get(id))
    return id.includes('-')
      ? `00000000-0000-4000-8000-${number.padStart(12, '0')}`
      : `01kjm${number.padStart(21, '0')}`
  })
  return JSON.parse(chance.reduce((now, [pattern, usual]) => now.replaceAll(pattern, usual), text))
}
