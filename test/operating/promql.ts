import { parser } from '@prometheus-io/lezer-promql'

/** One read of an expression, with the parts of it that can be wrong. */
export interface Read {
  metric: string
  /** The labels that it matches, by name. */
  labels: string[]
}

/** The metrics of an expression in PromQL, and the labels by which it groups. Throws for one that cannot be parsed. */
export function readExpression(expression: string): { reads: Read[]; groups: string[] } {
  // Grafana replaces its variables first.
  const text = expression.replaceAll('$__rate_interval', '5m')
  const reads: Read[] = []
  const groups: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      const own = text.slice(from, to)
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`)
      if (type.name === 'VectorSelector') reads.push({ metric: '', labels: [] })
      if (type.name === 'Identifier') (reads.at(-1) as Read).metric = own
      if (type.name !== 'LabelName') return
      if (node.parent?.name === 'GroupingLabels') groups.push(own)
      else reads.at(-1)?.labels.push(own)
    },
  })
  return { reads, groups }
}
