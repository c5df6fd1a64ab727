import { namesOfIntegrations } from '../integrations/integrations.ts'
import type { Trace, TraceNode } from '../traces/schemas.ts'
import { readTrace } from '../traces/traces.ts'
import { withContext } from './open.ts'
import { onOneLine, print } from './printable.ts'
import { accountOf } from './requests.ts'
import type { Command } from './run.ts'

export const trace: Command = {
  name: 'trace',
  summary: 'Print what a request caused: what it wrote, what was sent, and how it was answered.',
  operands: ['REQUEST_ID'],
  options: {
    account: { value: 'SUBDOMAIN', description: 'the account, if there are several' },
    json: { description: 'print the trace as JSON' },
  },
  run: ({ account, json }, [request_id = '']) =>
    withContext(async (ctx) => {
      const found = await readTrace(ctx, await accountOf(ctx, account), request_id, namesOfIntegrations)
      print(json === undefined ? textOf(found) : `${JSON.stringify(found, null, 2)}\n`)
    }),
}

/** A node in each line, indented below its cause. */
function textOf({ nodes, left_out, is_logged, is_cut }: Trace): string {
  const began = nodes[0]?.at ?? 0
  const depths = new Map<string, number>()
  const lines = nodes.flatMap((node) => {
    const depth = node.parent_id === null ? 0 : (depths.get(node.parent_id) ?? 0) + 1
    depths.set(node.id, depth)
    return `${'  '.repeat(depth)}${lineOf(node, began)}`
  })
  const more = left_out.map(
    ({ parent_id, kind, count }) => `${count} more of the kind ${kind} below ${parent_id}`,
  )
  const notes = [
    ...more,
    ...(is_logged ? [] : ['The request log does not have the request.']),
    ...(is_cut ? ['Not everything could be read, so more can have happened.'] : []),
  ]
  return [...lines, ...notes].map((line) => `${onOneLine(line)}\n`).join('')
}

function lineOf(node: TraceNode, began: number): string {
  const { kind, ref, at, is_exact, parent_id, name, address, record, state, status, error, duration_ms } =
    node
  const since = parent_id === null ? new Date(at).toISOString() : `+${Math.max(0, at - began)}`
  return [
    parent_id === null || is_exact || at - began >= 1_000 ? since : '+0',
    kind,
    kind === 'request' ? null : ref,
    name,
    address,
    record && `${record.entity_type} ${record.id}`,
    state,
    status ?? (kind === 'attempt' ? '---' : null),
    error,
    duration_ms !== null && `${duration_ms} ms`,
  ]
    .filter((part) => part !== null && part !== false && part !== '')
    .join(' ')
}
