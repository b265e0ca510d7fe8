import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import type { AttributesOf, NamesOf } from './metrics.ts'

/**
 * The attributes that spans may carry: ids, names of our own and numbers. Never a buyer's input, a key, a token, the
 * URL of a request or an error's message, which might quote one of them.
 */
export type SpanAttribute =
  | 'db.operation.name'
  | 'db.system.name'
  | 'error.type'
  | 'http.request.method'
  | 'http.response.status_code'
  | 'http.route'
  | 'tillwright.account.id'
  | 'tillwright.attempt.id'
  | 'tillwright.attempt.number'
  | 'tillwright.db.outcome'
  | 'tillwright.db.statements'
  | 'tillwright.event.id'
  | 'tillwright.event.type'
  | 'tillwright.origin'
  | 'tillwright.payment.id'
  | 'tillwright.payment.outcome'
  | 'tillwright.processor.driver'
  | 'tillwright.processor.id'
  | 'tillwright.processor.operation'
  | 'tillwright.processor.outcome'
  | 'tillwright.request.id'
  | 'tillwright.threeds.outcome'
  | 'tillwright.threeds.transaction.id'
  | 'tillwright.webhook.endpoint.id'
  | 'tillwright.webhook.outcome'

export type SpanAttributes = Readonly<Partial<Record<SpanAttribute, string | number | boolean>>>

/** How a span begins. */
export interface SpanStart {
  /** Whether it begins a trace where it is below no other span. Other spans are recorded only as part of a trace. */
  begins?: true
  /** `internal` unless given. */
  kind?: 'server' | 'client' | 'consumer'
  attributes?: SpanAttributes
  /** The caller's `traceparent` header, which makes the span part of the caller's trace. */
  traceparent?: string | undefined
  /** The `traceparent` of what led to this, in a trace of its own. */
  link?: string | null
}

/** A span under way. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void
  rename(name: string): void
  /** Marks the span as failed; a thrown error does so automatically. */
  fail(errorType: string): void
}

/** A gauge or a counter, as its source has it now. */
export type Observation = {
  [Name in NamesOf<'gauge' | 'observedCounter'>]: [keyof AttributesOf<Name>] extends [never]
    ? { metric: Name; value: number; attributes?: undefined }
    : { metric: Name; value: number; attributes: AttributesOf<Name> }
}[NamesOf<'gauge' | 'observedCounter'>]

/** Records what a platform does. A part that is switched off costs a call of an empty function. */
export interface Telemetry {
  /** Whether anything is recorded at all. */
  readonly enabled: boolean
  /** Runs work as a span, below the one that it is called in. */
  span<Result>(name: string, start: SpanStart, work: (span: OpenSpan) => Promise<Result>): Promise<Result>
  count<Name extends NamesOf<'counter'>>(metric: Name, attributes: AttributesOf<Name>, by?: number): void
  /** @param value In the unit of the metric. */
  record<Name extends NamesOf<'histogram'>>(metric: Name, value: number, attributes: AttributesOf<Name>): void
  /** Records measurements whose attributes are known beforehand, without looking them up each time. */
  recorder<Name extends NamesOf<'histogram'>>(metric: Name, attributes: AttributesOf<Name>): (value: number) => void
  /** Whether a part of what is under way here would be recorded as a span. */
  isTracing(): boolean
  /** Reads a source at each scrape, but at most every five seconds. One that fails leaves its metrics out. */
  observe(source: () => readonly Observation[] | Promise<readonly Observation[]>): void
  /** Where this process's metrics are read; `null` where they are off. */
  readonly metricsUrl: string | null
  /** Whether webhooks carry the `traceparent` of their delivery. */
  readonly webhookTraces: boolean
  /** Sends what is left and closes the metrics' port. */
  stop(): Promise<void>
}

/** The span that is being worked on, of whichever platform in this process; none in what is not recorded, which costs nothing so. */
export const currentSpan = new AsyncLocalStorage<Span>()

/** Fields that lead from a line of the log to its trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan.getStore()?.spanContext()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** The current span as W3C Trace Context's header has it, to be linked to later; `null` outside of a recorded one. */
export function traceparent(): string | null {
  const span = currentSpan.getStore()
  if (span === undefined) return null
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** A span that is not recorded. */
export const noSpan: OpenSpan = { set: () => {}, rename: () => {}, fail: () => {} }

/** Records nothing. */
export const noTelemetry: Telemetry = {
  enabled: false,
  span: (_name, _start, work) => work(noSpan),
  count: () => {},
  record: () => {},
  recorder: () => () => {},
  isTracing: () => false,
  observe: () => {},
  metricsUrl: null,
  webhookTraces: false,
  stop: async () => {},
}

/** Seconds since a moment of `performance.now()`. */
export function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1_000
}
