import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of `/metrics`. Each server has a registry of its own, because tests run several in one process. */
export interface Metrics {
  registry: Registry
  requests: Histogram<'method' | 'route' | 'status'>
  deliveries: Counter<'kind' | 'outcome'>
  refused: Counter<'reason'>
  /** Open streams and exports. */
  streams: Gauge
  chore_failures: Counter<'chore'>
  /**
   * Adds a gauge whose value is read for each scrape. With a label, there is one value per label value. Null if there is
   * nothing to read. `late` is the value if the reading takes longer than a second.
   */
  watch(
    name: string,
    help: string,
    read: () => Reading | Promise<Reading>,
    label?: string,
    late?: Reading,
  ): void
  /** The same reading, at most once in ten seconds. For figures that take a query. */
  remembered<T>(read: () => Promise<T>): () => Promise<T>
}

const REMEMBERED_MS = 10_000
/** A database that hangs must not hold up the other figures: Prometheus and the primary of several processes wait briefly. */
const PATIENCE_MS = 1_000

/** One number, or one per label value. */
type Figure = number | Record<string, number>
type Reading = Figure | null

/** `monotonic` returns milliseconds. */
export function createMetrics(monotonic: () => number = () => performance.now()): Metrics {
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
      help: 'Delivery attempts, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    refused: new Counter({
      name: 'patchbay_refused_total',
      help: 'Refused requests and connections, by reason: overload, connections.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    streams: new Gauge({
      name: 'patchbay_streams_open',
      help: 'Open live streams and exports.',
      registers: [registry],
    }),
    chore_failures: new Counter({
      name: 'patchbay_chore_failures_total',
      help: 'Periodic tasks that failed and will be repeated, by task.',
      labelNames: ['chore'],
      registers: [registry],
    }),
    remembered(read) {
      let last: { at: number; value: ReturnType<typeof read> } | undefined
      return () => {
        if (last === undefined || monotonic() - last.at >= REMEMBERED_MS)
          last = { at: monotonic(), value: read() }
        return last.value
      }
    },
    watch(name, help, read, label, late = null) {
      registry.removeSingleMetric(name)
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect() {
          let figure: Reading
          try {
            figure = await inTime(read(), late)
          } catch {
            // Without the database, its figures are absent and the others remain.
            figure = null
          }
          if (figure === null) {
            this.reset()
            if (label === undefined) this.remove()
            return
          }
          if (typeof figure === 'number') this.set(figure)
          else
            for (const [value, number] of Object.entries(figure))
              this.set({ [label as string]: value }, number)
        },
      })
    },
  }
}

function inTime(reading: Reading | Promise<Reading>, late: Reading): Promise<Reading> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Reading>()
  const timer = setTimeout(resolve, PATIENCE_MS, late)
  return Promise.race([reading, tooLate]).finally(() => clearTimeout(timer))
}
