import type { NodeKind, Trace, TraceNode } from './schemas.ts'

/** Nodes of one trace. */
const MOST_NODES = 2_000

/** The nodes of a trace while they are collected. */
export class Tree {
  readonly #nodes = new Map<string, TraceNode>()
  readonly #left_out: Trace['left_out'] = []
  #isCut = false
  #trace_context: string | null = null

  /** Adds a node once. Nodes above the limit are counted with those that are left out. */
  add(node: TraceNode): void {
    if (this.#nodes.has(node.id)) return
    if (this.#nodes.size < MOST_NODES) this.#nodes.set(node.id, node)
    else if (node.parent_id !== null) this.leaveOut(node.parent_id, node.kind, 1)
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  get size(): number {
    return this.#nodes.size
  }

  get isFull(): boolean {
    return this.#nodes.size >= MOST_NODES
  }

  /** Counts nodes that are not shown. */
  leaveOut(parent_id: string, kind: NodeKind, count: number): void {
    if (count <= 0) return
    const known = this.#left_out.find((one) => one.parent_id === parent_id && one.kind === kind)
    if (known) known.count += count
    else this.#left_out.push({ parent_id, kind, count })
  }

  /** Says that not everything could be read. */
  cut(): void {
    this.#isCut = true
  }

  /** Remembers the trace that stored work continues. */
  keepContext({ trace_context }: { trace_context: string | null }): void {
    this.#trace_context ??= trace_context
  }

  get trace_context(): string | null {
    return this.#trace_context
  }

  /** The nodes of a kind. */
  of(kind: NodeKind): TraceNode[] {
    return [...this.#nodes.values()].filter((node) => node.kind === kind)
  }

  /** Each node after its cause, with what it caused in the order of time. */
  finished(): Pick<Trace, 'nodes' | 'left_out' | 'is_cut'> {
    const children = Map.groupBy(this.#nodes.values(), ({ parent_id }) => parent_id)
    const nodes: TraceNode[] = []
    const waiting = [...(children.get(null) ?? [])]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      nodes.push(node)
      waiting.push(...(children.get(node.id) ?? []).toSorted(inReadingOrder).reverse())
    }
    return { nodes, left_out: this.#left_out, is_cut: this.#isCut }
  }
}

/** Written rows come before sent requests. Times of some kinds are known to the second only. */
const ranks: Record<NodeKind, number> = {
  request: 0,
  event: 1,
  audit: 2,
  job: 3,
  run: 4,
  announcement: 5,
  delivery: 6,
  attempt: 7,
}

const inReadingOrder = (a: TraceNode, b: TraceNode): number =>
  ranks[a.kind] - ranks[b.kind] || a.at - b.at || a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1)
