import { type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics'
import { type Metric, type MetricName, metrics, prometheusName } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'

/** The attributes of a measurement. */
export type Attributes = Readonly<Record<string, string | number>>

/** The measurements of one combination of attributes. `counts` has one more than there are bounds. */
interface Series {
  attributes: Attributes
  counts: number[]
  count: number
  sum: number
}

interface MeasurementOptions {
  resource: Resource
  version: string
  /** Replaces values of attributes that are too many. */
  bounded: (attributes: Attributes) => Attributes
  /** How many combinations of attributes a metric has at most; what comes later is counted together. */
  seriesMax: number
}

interface Measurements extends Pick<Telemetry, 'count' | 'record' | 'recorder'> {
  producer: MetricProducer
}

/**
 * Adds up counters, and counts measurements into the buckets of histograms. OpenTelemetry's own sort and serialise the
 * attributes of each measurement, and a payment makes about a dozen; here a measurement is a look-up and an addition.
 */
export function openMeasurements(options: MeasurementOptions): Measurements {
  const { resource, version } = options
  const measured = new Map<string, Measured>()
  for (const [name, metric] of Object.entries<Metric>(metrics)) {
    if (metric.kind !== 'histogram' && metric.kind !== 'counter') continue
    // The keys of the table are its names.
    measured.set(name, new Measured(prometheusName(name as MetricName), metric, options))
  }
  const startTime = hrTime()
  return {
    count: (metric, attributes, by = 1) => measured.get(metric)?.record(by, attributes),
    record: (metric, value, attributes) => measured.get(metric)?.record(value, attributes),
    recorder: (metric, attributes) => measured.get(metric)?.recorder(attributes) ?? (() => {}),
    producer: {
      async collect() {
        const endTime = hrTime()
        const read = [...measured.values()].flatMap((each) => each.read(startTime, endTime))
        const scopeMetrics = [{ scope: { name: 'tillwright', version }, metrics: read }]
        return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
      },
    },
  }
}

/** One metric. A counter is a histogram of which the sum alone is read. */
class Measured {
  readonly #name: string
  readonly #metric: Metric
  readonly #bounds: readonly number[]
  readonly #options: MeasurementOptions
  readonly #series = new Map<string, Series>()

  constructor(name: string, metric: Metric, options: MeasurementOptions) {
    this.#name = name
    this.#metric = metric
    this.#bounds = metric.buckets ?? []
    this.#options = options
    // Counts of events that never happened are 0 rather than absent, where it can be known beforehand.
    if (metric.kind === 'counter' && metric.attributes.length === 0) this.#opened({})
  }

  record(value: number, attributes: Attributes): void {
    this.#count(value, this.#series.get(this.#key(attributes)) ?? this.#added(attributes))
  }

  /** A series begins with its first measurement. */
  recorder(attributes: Attributes): (value: number) => void {
    let series: Series | null = null
    return (value) => this.#count(value, (series ??= this.#added(attributes)))
  }

  /** In the form of OpenTelemetry's exporters, of which Prometheus' adds `_total` to the names of sums. */
  read(startTime: HrTime, endTime: HrTime): MetricData[] {
    if (this.#series.size === 0) return []
    const { unit, description, kind } = this.#metric
    const name = kind === 'counter' ? this.#name.replace(/_total$/, '') : this.#name
    const about = {
      descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    }
    const boundaries = [...this.#bounds]
    const points = Array.from(this.#series.values(), ({ attributes, counts, count, sum }) => ({
      sum: { startTime, endTime, attributes, value: sum },
      histogram: {
        startTime,
        endTime,
        attributes,
        value: { buckets: { boundaries, counts: [...counts] }, count, sum },
      },
    }))
    return kind === 'counter'
      ? [{ ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points.map(({ sum }) => sum) }]
      : [{ ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: points.map(({ histogram }) => histogram) }]
  }

  #count(value: number, series: Series): void {
    let bucket = 0
    while (value > (this.#bounds[bucket] ?? Infinity)) bucket += 1
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.count += 1
    series.sum += value
  }

  #key(attributes: Attributes): string {
    let key = ''
    for (const name of this.#metric.attributes) key += `${attributes[name]}\n`
    return key
  }

  /** The series that attributes are counted in which are seen for the first time, or have too many values. */
  #added(attributes: Attributes): Series {
    const kept = this.#options.bounded(attributes)
    const known = this.#series.get(this.#key(kept))
    if (known !== undefined) return known
    const isFull = this.#series.size >= this.#options.seriesMax
    const others = () => Object.fromEntries(this.#metric.attributes.map((name) => [name, 'other']))
    return this.#opened(isFull ? others() : kept)
  }

  #opened(attributes: Attributes): Series {
    const key = this.#key(attributes)
    const counts = Array.from({ length: this.#bounds.length + 1 }, () => 0)
    const series = this.#series.get(key) ?? { attributes, counts, count: 0, sum: 0 }
    this.#series.set(key, series)
    return series
  }
}
