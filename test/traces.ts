import type { Trace, TraceNode } from '../src/traces/schemas.ts'
import { timeOfRequest } from '../src/tracing/request-ids.ts'
import type { Answer } from './client.ts'
import { helper } from './request-log.ts'
import type { World } from './world.ts'

export const idOf = ({ headers }: Pick<Answer, 'headers'>): string => String(headers['x-request-id'])

/** The trace of a request or of a name. */
export async function traceOf(here: Pick<World, 'ctx' | 'stranger'>, asked: string): Promise<Trace> {
  const { status, body, text } = await helper(here).get(`/test_helpers/traces/${encodeURIComponent(asked)}`)
  if (status !== 200) throw new Error(text)
  return body
}

/** Each node in a line, indented by its depth: what it is and what became of it. */
export function drawn({ nodes }: Trace): string[] {
  const depths = new Map<string, number>()
  return nodes.map((node) => {
    const depth = node.parent_id === null ? 0 : (depths.get(node.parent_id) ?? Number.NaN) + 1
    depths.set(node.id, depth)
    return `${'  '.repeat(depth)}${inShort(node)}`
  })
}

const inShort = ({ kind, name, state, status, error }: TraceNode): string =>
  [kind, name, state, status, error].filter(Boolean).join(' ')

/** The second in which a request began, as its id says. */
export const secondOf = (request_id: string): number => Math.floor((timeOfRequest(request_id) ?? 0) / 1000)
