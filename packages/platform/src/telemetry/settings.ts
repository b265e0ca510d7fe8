import { z } from 'zod'
import type { MetricsConfig } from './prometheus.ts'
import type { SamplerConfig, TracingConfig } from './traces.ts'

/** What is recorded; `undefined` switches a part off. */
export interface TelemetryConfig {
  /** Where Prometheus reads metrics. */
  metrics: MetricsConfig | undefined
  /** Where traces are sent. */
  tracing: TracingConfig | undefined
  /** Whether webhooks carry the `traceparent` of their delivery to their receivers. */
  webhookTraces: boolean
}

/** OpenTelemetry takes an empty variable for one that is not set. */
function standard<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
}

const collectorUrl = standard(z.url({ protocol: /^https?$/ }))
const protocol = standard(z.enum(['http/protobuf', 'http/json']))

/** The environment variables, of ours and of OpenTelemetry's standard; the exporter itself reads headers and time-outs. */
export const telemetryVariables = {
  TILLWRIGHT_METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  TILLWRIGHT_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  TILLWRIGHT_WEBHOOK_TRACES: z.enum(['on', 'off']).default('off'),
  OTEL_SDK_DISABLED: standard(z.string()),
  OTEL_TRACES_EXPORTER: standard(z.enum(['otlp', 'none'])),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: standard(
    z.enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
  ),
  OTEL_TRACES_SAMPLER_ARG: standard(z.coerce.number().min(0).max(1)),
}

type Variables = z.output<z.ZodObject<typeof telemetryVariables>>

export function telemetrySettings(set: Variables): TelemetryConfig {
  const { TILLWRIGHT_METRICS_HOST: host, TILLWRIGHT_METRICS_PORT: port } = set
  return {
    metrics: port === undefined ? undefined : { host, port },
    tracing: tracingOf(set),
    webhookTraces: set.TILLWRIGHT_WEBHOOK_TRACES === 'on',
  }
}

/** Source: OpenTelemetry, "Environment Variable Specification" and "OTLP Exporter Configuration". */
function tracingOf(set: Variables): TracingConfig | undefined {
  const base = set.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = set.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`)
  const isOff = set.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || set.OTEL_TRACES_EXPORTER === 'none'
  if (url === undefined || isOff) return undefined
  return {
    url,
    protocol: set.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? set.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf',
    sampler: samplerOf(set),
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio = 1 }: Variables): SamplerConfig {
  switch (name) {
    case undefined:
      return { name: 'limited' }
    case 'traceidratio':
    case 'parentbased_traceidratio':
      return { name, ratio }
    case 'always_on':
    case 'always_off':
    case 'parentbased_always_on':
    case 'parentbased_always_off':
      return { name }
  }
}
