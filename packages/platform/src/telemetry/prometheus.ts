import { createServer, type Server } from 'node:http'
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, type ViewOptions } from '@opentelemetry/sdk-metrics'
import { OperatorError } from '../runtime/index.ts'
import { type Attributes, openMeasurements } from './measurements.ts'
import { type Metric, type MetricName, metrics, prometheusName } from './metrics.ts'
import type { Observation, Telemetry } from './telemetry.ts'

/** Where metrics are served. */
export interface MetricsConfig {
  host: string
  /** 0 takes any free port. */
  port: number
}

/** How the metrics report their own faults. */
export type ReportFault = (error: unknown, message: string) => void

type Source = Parameters<Telemetry['observe']>[0]

/** Metrics as they are recorded, and the address at which Prometheus reads them. */
export interface ServedMetrics extends Pick<Telemetry, 'count' | 'record' | 'recorder' | 'observe' | 'stop'> {
  /** Such as `http://127.0.0.1:9464/metrics`. */
  url: string
}

/**
 * Records metrics and serves them in Prometheus' text format, on a port of their own that no public origin shares.
 *
 * @throws {OperatorError} If the port is taken, or the host is not an address of this machine.
 */
export async function openMetrics(
  config: MetricsConfig,
  { resource, version, reportFault }: { resource: Resource; version: string; reportFault: ReportFault },
): Promise<ServedMetrics> {
  const options = { resource, version, bounded: boundedValues(), seriesMax: SERIES_MAX }
  const { count, record, recorder, producer } = openMeasurements(options)
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers: [producer] })
  const provider = new MeterProvider({ resource, readers: [reader], views: Object.keys(metrics).flatMap(viewOf) })
  const meter = provider.getMeter('tillwright', version)
  const serializer = new PrometheusSerializer('', false, undefined, false, true)
  const sources: Source[] = []
  const failed = () => count('tillwright.metrics.failures', {})
  observeAll(meter, { instruments: instrumentsOf(meter), sources, reportFault, failed })
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end()
    reader.collect().then(
      ({ resourceMetrics, errors }) => {
        for (const error of errors) reportFault(error, 'a metric could not be collected')
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
        response.end(`${serializer.serialize(resourceMetrics)}\n`)
      },
      (error: unknown) => {
        reportFault(error, 'the metrics could not be collected')
        response.writeHead(500).end()
      },
    )
  })
  const url = await listen(server, config)
  return {
    url,
    count,
    record,
    recorder,
    observe: (source) => void sources.push(cached(source)),
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await provider.shutdown()
    },
  }
}

/** Prometheus wants the unit in the name. */
function viewOf(name: string): ViewOptions[] {
  // The keys of the table are its names.
  const known = name as MetricName
  const total = /_total$/ // which the exporter adds automatically
  return [
    {
      instrumentName: name,
      name: prometheusName(known).replace(total, ''),
      aggregationCardinalityLimit: SERIES_MAX,
    },
  ]
}

/** Instruments that are read at each scrape. Counters and histograms are added up by `openMeasurements`. */
function instrumentsOf(meter: Meter): Map<string, Observable> {
  const instruments = new Map<string, Observable>()
  for (const [name, { kind, unit, description }] of Object.entries<Metric>(metrics)) {
    const options = { unit, description }
    if (kind === 'gauge') instruments.set(name, meter.createObservableGauge(name, options))
    if (kind === 'observedCounter') instruments.set(name, meter.createObservableCounter(name, options))
  }
  return instruments
}

/** Far above what the operations of the contract and their statuses come to. */
const SERIES_MAX = 5_000
const VALUES_MAX = 500

/** A label never takes more values than this: what comes later is `other`, whatever a caller does. */
function boundedValues(): (attributes: Attributes) => Attributes {
  const seen = new Map<string, Set<string | number>>()
  function isKnown(name: string, value: string | number): boolean {
    const values = seen.get(name) ?? new Set()
    seen.set(name, values)
    if (values.has(value)) return true
    if (values.size >= VALUES_MAX) return false
    values.add(value)
    return true
  }
  return (attributes) => {
    const entries = Object.entries(attributes)
    if (entries.every(([name, value]) => isKnown(name, value))) return attributes
    return Object.fromEntries(entries.map(([name, value]) => [name, isKnown(name, value) ? value : 'other']))
  }
}

const TRUST_MS = 5_000

/** However often and by however many it is scraped, a source is read every five seconds at most. */
function cached(source: Source): Source {
  let read: Promise<readonly Observation[]> | null = null
  let readAtMs = 0
  return () => {
    const nowMs = performance.now()
    if (read === null || nowMs - readAtMs >= TRUST_MS) {
      readAtMs = nowMs
      read = Promise.resolve().then(source)
    }
    return read
  }
}

/** A source that takes longer is left out: a database that hangs must not make the metrics hang that tell of it. */
const SOURCE_TIMEOUT_MS = 2_000

interface Observing {
  instruments: ReadonlyMap<string, Observable>
  sources: readonly Source[]
  reportFault: ReportFault
  failed: () => void
}

function observeAll(meter: Meter, { instruments, sources, reportFault, failed }: Observing): void {
  async function observe(result: BatchObservableResult): Promise<void> {
    await Promise.all(
      sources.map(async (source) => {
        try {
          for (const { metric, value, attributes } of await inTime(source())) {
            const instrument = instruments.get(metric)
            if (instrument !== undefined) result.observe(instrument, value, attributes)
          }
        } catch (error) {
          failed()
          reportFault(error, 'a source of metrics could not be read')
        }
      }),
    )
  }
  meter.addBatchObservableCallback(observe, [...instruments.values()])
}

async function inTime<Read>(read: Read | Promise<Read>): Promise<Read> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A source of metrics did not answer in time.')), SOURCE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

function cannotServe(address: string, error: NodeJS.ErrnoException): OperatorError {
  return new OperatorError(
    `Cannot serve metrics on ${address} (${error.code}); set another address with TILLWRIGHT_METRICS_PORT and TILLWRIGHT_METRICS_HOST.`,
    { cause: error },
  )
}

async function listen(server: Server, { host, port }: MetricsConfig): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotServe(`${host}:${port}`, error)))
    server.listen({ host, port }, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address : { address: host, port, family: 'IPv4' }
  const name = taken.family === 'IPv6' ? `[${taken.address}]` : taken.address
  return `http://${name}:${taken.port}/metrics`
}
