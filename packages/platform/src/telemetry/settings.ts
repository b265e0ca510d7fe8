import { z } from 'zod'
import { portSchema, setting } from '../runtime/index.ts'
import type { MetricsConfig } from './prometheus.ts'
import type { SamplerConfig, TracingConfig } from './traces.ts'

/** The telemetry to record; `undefined` switches a part off. */
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

const httpUrl = z.url({ protocol: /^https?$/ })
const protocol = z.enum(['http/protobuf', 'http/json'])
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const listed = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ')

/** The environment variables, of ours and of OpenTelemetry's standard; the exporter itself reads headers and time-outs. */
export const telemetryVariables = {
  TILLWRIGHT_METRICS_PORT: setting(portSchema().optional(), {
    doc: 'The port on which Prometheus reads the metrics of this process. See [observability](observability.md).',
    fallback: 'no metrics',
  }),
  TILLWRIGHT_METRICS_HOST: setting(z.string().min(1).default('127.0.0.1'), {
    doc: 'The name or address of this machine on which it listens for Prometheus: one that only Prometheus reaches.',
  }),
  TILLWRIGHT_WEBHOOK_TRACES: setting(z.enum(['on', 'off']).default('off'), {
    doc: 'Whether webhooks carry the `traceparent` of their delivery to their receivers.',
  }),
  OTEL_SDK_DISABLED: setting(standard(z.string()), { doc: '`true` switches traces off.', form: '`true`, `false`' }),
  OTEL_TRACES_EXPORTER: setting(standard(z.enum(['otlp', 'none'])), {
    doc: '`none` switches traces off.',
    form: '`otlp`, `none`',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(standard(httpUrl), {
    doc: 'The collector to which traces are sent, below `/v1/traces`.',
    fallback: 'no traces',
    form: 'URL',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(standard(httpUrl), {
    doc: 'The same, as the whole address.',
    fallback: 'no traces',
    form: 'URL',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(standard(protocol), {
    doc: 'How traces are sent.',
    fallback: '`http/protobuf`',
    form: listed(protocol.options),
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: setting(standard(protocol), {
    doc: 'The same; it goes before the one above.',
    fallback: '`http/protobuf`',
    form: listed(protocol.options),
  }),
  OTEL_TRACES_SAMPLER: setting(standard(z.enum(samplers)), {
    doc: 'Which requests are traced.',
    fallback: 'a limited number each second',
    form: listed(samplers),
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(standard(z.coerce.number().min(0).max(1)), {
    doc: 'The part of requests that a `traceidratio` traces.',
    fallback: '1',
    form: 'number from 0 to 1',
  }),
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
