import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows: one registry a server, so that several can live in one process. */
export interface Metrics {
  registry: Registry
  requests: Histogram<'method' | 'route' | 'status'>
  deliveries: Counter<'kind' | 'outcome'>
  refused: Counter<'reason'>
  /** Live streams and exports that are open. */
  streams: Gauge
  /** Adds a figure that is read when it is asked for; a label gives a figure for each of its values. */
  watch(name: string, help: string, read: () => Figure | Promise<Figure>, label?: string): void
}

/** One number, or one for each value of a label. */
type Figure = number | Record<string, number>

export function createMetrics(): Metrics {
  const registry = new Registry()
  return {
    registry,
    requests: new Histogram({
      name: 'patchbay_http_request_seconds',
      help: 'Time to answer a request, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'patchbay_delivery_attempts_total',
      help: 'Attempts to deliver something to others, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    refused: new Counter({
      name: 'patchbay_refused_total',
      help: 'Requests and connections that the server had no room for, by reason: overload, connections.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    streams: new Gauge({
      name: 'patchbay_streams_open',
      help: 'Live streams and exports that are open.',
      registers: [registry],
    }),
    watch(name, help, read, label) {
      registry.removeSingleMetric(name)
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect() {
          const figure = await read()
          if (typeof figure === 'number') this.set(figure)
          else
            for (const [value, number] of Object.entries(figure))
              this.set({ [label as string]: value }, number)
        },
      })
    },
  }
}
