import { Counter, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows: one registry a server, so that several can live in one process. */
export interface Metrics {
  registry: Registry
  requests: Histogram<'method' | 'route' | 'status'>
  deliveries: Counter<'kind' | 'outcome'>
}

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
  }
}
