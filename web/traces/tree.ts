import type { Trace, TraceNode } from '../data/traces.ts'

/** A node with what it caused, and how many more nodes there are. */
export interface Branch {
  node: TraceNode
  branches: Branch[]
  left_out: Trace['left_out']
}

/** The nodes of a trace as a tree; each follows its cause. */
export function treeOf({ nodes, left_out }: Trace): Branch | undefined {
  const branches = new Map<string, Branch>()
  const more = Map.groupBy(left_out, ({ parent_id }) => parent_id)
  for (const node of nodes) {
    const branch: Branch = { node, branches: [], left_out: more.get(node.id) ?? [] }
    branches.set(node.id, branch)
    if (node.parent_id !== null) branches.get(node.parent_id)?.branches.push(branch)
  }
  return branches.get(nodes[0]?.id ?? '')
}
