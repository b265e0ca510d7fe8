import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { currentSpan, noSpan, type OpenSpan, type SpanStart, type Telemetry } from './telemetry.ts'

/** Where traces go, and which of them. */
export interface TracingConfig {
  /** The collector's address for traces, over OTLP/HTTP. */
  url: string
  protocol: 'http/protobuf' | 'http/json'
  sampler: SamplerConfig
}

/** `limited` unless the operator has set `OTEL_TRACES_SAMPLER`: so many traces a second that tracing stays cheap. */
export type SamplerConfig =
  | { name: 'limited' }
  | { name: `${'' | 'parentbased_'}${'always_on' | 'always_off'}` }
  | { name: `${'' | 'parentbased_'}traceidratio`; ratio: number }

/** A payment makes about twenty spans, and each costs its making and its sending; the bench `telemetry` measures what they come to. */
const TRACES_PER_SECOND = 5

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/** Records traces and sends them to a collector in the background; where it does not take them they are lost. */
export async function openTraces(
  { url, protocol, sampler }: TracingConfig,
  { resource, version }: { resource: Resource; version: string },
): Promise<Pick<Telemetry, 'span' | 'isTracing' | 'stop'>> {
  const provider = new TracerProvider({
    resource,
    sampler: samplerFor(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter: await exporterFor(protocol, url) })],
  })
  const tracer = provider.getTracer('tillwright', version)
  const isWanted = sampler.name === 'limited' ? limit(TRACES_PER_SECOND, () => performance.now()) : () => true
  return {
    span(name, start, work) {
      const parent = currentSpan.getStore()
      // A trace that is not recorded costs no ids, no span and no context that goes along.
      if (parent === undefined && (start.begins !== true || !isWanted(start.traceparent))) return work(noSpan)
      return within(begin(tracer, { name, start, parent }), work)
    },
    isTracing: () => currentSpan.getStore() !== undefined,
    stop: () => provider.shutdown(),
  }
}

async function exporterFor(protocol: TracingConfig['protocol'], url: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({ url })
}

interface Beginning {
  name: string
  start: SpanStart
  parent: Span | undefined
}

function begin(tracer: Tracer, { name, start, parent }: Beginning): Span {
  const { kind, attributes, traceparent, link } = start
  const linked = link ? parseTraceParent(link) : null
  return tracer.startSpan(
    name,
    {
      kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
      ...(attributes !== undefined && { attributes }),
      ...(linked !== null && { links: [{ context: linked }] }),
    },
    parent === undefined ? callersContext(traceparent) : trace.setSpan(ROOT_CONTEXT, parent),
  )
}

function callersContext(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
  if (caller === null || !isSpanContextValid(caller)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
}

async function within<Result>(span: Span, work: (open: OpenSpan) => Promise<Result>): Promise<Result> {
  if (!span.isRecording()) return work(noSpan)
  try {
    return await currentSpan.run(span, () => work(opened(span)))
  } catch (error) {
    fail(span, error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

function opened(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    rename: (name) => void span.updateName(name),
    fail: (errorType) => fail(span, errorType),
  }
}

/** Reports the kind of an error only, because its message may quote a buyer's input. */
function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR })
}

function samplerFor(config: SamplerConfig): Sampler {
  switch (config.name) {
    case 'limited': // decided before a trace begins
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(config.ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.ratio) })
  }
}

/**
 * Lets so many traces begin in a second and no more. A caller's wish not to be traced is respected, its wish to be traced is
 * subject to the limit: `traceparent` comes from outside, and must not be a way to make the platform slow.
 *
 * @returns Whether a trace may begin for a caller that sent this `traceparent`.
 */
export function limit(perSecond: number, nowMs: () => number): (traceparent: string | undefined) => boolean {
  let tokens = perSecond
  let lastMs = nowMs()
  return (traceparent) => {
    const atMs = nowMs()
    tokens = Math.min(perSecond, tokens + ((atMs - lastMs) / 1_000) * perSecond)
    lastMs = atMs
    if (tokens < 1 || isUnwanted(traceparent)) return false
    tokens -= 1
    return true
  }
}

function isUnwanted(traceparent: string | undefined): boolean {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent)
  return caller !== null && (caller.traceFlags & TraceFlags.SAMPLED) === 0
}
