import { randomUUID } from 'node:crypto'
import type { ServedMetrics } from './prometheus.ts'
import { observeProcess } from './process-metrics.ts'
import type { TelemetryConfig } from './settings.ts'
import { noTelemetry, type Telemetry } from './telemetry.ts'

/** Dependencies of a telemetry. `warn` writes a line to the log. */
export interface TelemetryDependencies {
  version: string
  warn: (fields: { err?: unknown; detail?: string }, message: string) => void
}

/**
 * Starts recording. OpenTelemetry's packages are loaded by what is switched on: they would cost every platform half a
 * second of its start.
 */
export async function openTelemetry(
  { metrics, tracing, webhookTraces }: TelemetryConfig,
  { version, warn }: TelemetryDependencies,
): Promise<Telemetry> {
  if (metrics === undefined && tracing === undefined) return noTelemetry
  await reportFaults(warn)
  const resource = await resourceOf(version)
  const reportFault = (error: unknown, message: string) => warn({ err: error }, message)
  const served =
    metrics && (await (await import('./prometheus.ts')).openMetrics(metrics, { resource, version, reportFault }))
  const stopObserving = served && observeProcess(served)
  const traces = tracing && (await (await import('./traces.ts')).openTraces(tracing, { resource, version }))
  return {
    ...noTelemetry,
    ...(served !== undefined && recording(served)),
    ...(traces !== undefined && { span: traces.span, isTracing: traces.isTracing }),
    webhookTraces,
    enabled: true,
    metricsUrl: served?.url ?? null,
    async stop() {
      stopObserving?.()
      await Promise.all([served?.stop(), traces?.stop().catch((error: unknown) => reportFault(error, LOST))])
    },
  }
}

const LOST = 'the last traces could not be sent'

function recording(served: ServedMetrics): Pick<Telemetry, 'count' | 'record' | 'recorder' | 'observe'> {
  const { count, record, recorder, observe } = served
  return { count, record, recorder, observe }
}

async function resourceOf(version: string) {
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources')
  const own = resourceFromAttributes({
    'service.name': 'tillwright',
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  return own.merge(detectResources({ detectors: [envDetector] }))
}

const REPORTED_EVERY_MS = 60_000

/** An unreachable collector is logged once a minute, with a text of OpenTelemetry's without headers. */
async function reportFaults(warn: TelemetryDependencies['warn']): Promise<void> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api')
  let quietUntilMs = 0
  const tell = (text: string) => {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + REPORTED_EVERY_MS
    warn({ detail: text }, 'telemetry could not be sent')
  }
  const quiet = () => {}
  const logger = { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
