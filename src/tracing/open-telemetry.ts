import {
  createTraceState,
  DiagLogLevel,
  diag,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  type Context as SpanParent,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TelemetryConfig } from '../config.ts'
import { version } from '../package.ts'
import type { Span, Telemetry } from './telemetry.ts'
import type { TraceContext } from './trace-context.ts'

/** Milliseconds for the last spans when the program stops. */
const CLOSE_MS = 5_000

/**
 * Exports spans by OTLP over HTTP. The exporter reads the standard variables of its connection from the environment: the
 * address, headers, certificates, compression and timeouts. This module is loaded only if they name a collector.
 */
export function createTelemetry(config: TelemetryConfig, log: Logger): Telemetry {
  logProblems(log)
  const sampler = samplerOf(config)
  const ids = new GivenIds()
  const { batches } = config
  const exporter = config.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter()
  const provider = new TracerProvider({
    sampler,
    idGenerator: ids,
    resource: resource(),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batches })],
  })
  const tracer = provider.getTracer('patchbay', version)
  return {
    isSampled: (trace_id, parent) => isSampled(sampler, trace_id, parent),
    add: (span) => {
      const { name, kind, attributes, context, error } = span
      ids.next = context
      const options = { kind: kinds[kind], attributes, startTime: timeOf(span.from) }
      const started = tracer.startSpan(name, options, parentOf(span))
      if (error !== null) started.setStatus({ code: SpanStatusCode.ERROR, message: error })
      started.end(timeOf(span.to))
    },
    close: async () => {
      const stopped = provider
        .shutdown()
        .catch((error) => log.warn({ err: error }, 'spans were not exported'))
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        log.warn('spans were not exported in time')
        resolve()
      }, CLOSE_MS)
      await Promise.race([stopped, promise])
      clearTimeout(timer)
    },
  }
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** The ids follow from the requests, so that each process knows those of the others. */
class GivenIds implements IdGenerator {
  next: Pick<TraceContext, 'trace_id' | 'span_id'> = { trace_id: '', span_id: '' }
  generateTraceId = () => this.next.trace_id
  generateSpanId = () => this.next.span_id
}

/** Seconds and nanoseconds: a number would count from the start of the process if it is earlier. */
const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

function parentOf({ context, parent_span_id }: Span): SpanParent {
  return parent_span_id === null ? ROOT_CONTEXT : contextWith({ ...context, span_id: parent_span_id })
}

const contextWith = ({ trace_id, span_id, is_sampled, state }: TraceContext): SpanParent =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: trace_id,
    spanId: span_id,
    traceFlags: is_sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state && { traceState: createTraceState(state) }),
  })

function isSampled(sampler: Sampler, trace_id: string, parent: TraceContext | null): boolean {
  const context = parent ? contextWith(parent) : ROOT_CONTEXT
  const { decision } = sampler.shouldSample(context, trace_id, '', SpanKind.SERVER, {}, [])
  return decision === SamplingDecision.RECORD_AND_SAMPLED
}

function samplerOf({ sampler, ratio }: TelemetryConfig): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.+)$/.exec(sampler) ?? []
  const root =
    name === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler()
  return parentBased ? new ParentBasedSampler({ root }) : root
}

/** The variables of the operator win. */
const resource = () =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'patchbay',
        'service.version': version,
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))

/** Problems of the exporter, such as a collector that does not answer, are warnings of the server. */
function logProblems(log: Logger): void {
  const warn = (message: string) => log.warn({ problem: message.slice(0, LONGEST_PROBLEM) }, 'OpenTelemetry')
  const ignore = () => {}
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

const LONGEST_PROBLEM = 500
