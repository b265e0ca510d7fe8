import { ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { type Metric, metrics, prometheusName } from './metrics.ts'
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

/** What histograms are read with. */
interface HistogramOptions {
  resource: Resource
  version: string
  /** Replaces values of attributes that are too many. */
  bounded: (attributes: Attributes) => Attributes
  /** How many combinations of attributes a metric has at most; what comes later is counted together. */
  seriesMax: number
}

interface Histograms extends Pick<Telemetry, 'record' | 'recorder'> {
  producer: MetricProducer
}

/**
 * Counts measurements into the buckets of every histogram. OpenTelemetry's own sort and serialise the attributes of each
 * measurement, and a payment makes about a dozen; here a measurement is a look-up and an addition.
 */
export function openHistograms(options: HistogramOptions): Histograms {
  const { resource, version } = options
  const histograms = new Map<string, Distribution>()
  for (const [name, metric] of Object.entries<Metric>(metrics)) {
    if (metric.kind === 'histogram') histograms.set(name, new Distribution(metric, options))
  }
  const startTime = hrTime()

  function read(): HistogramMetricData[] {
    const endTime = hrTime()
    return [...histograms].flatMap(([name, histogram]) => {
      const { unit, description }: Metric = histogram.metric
      const dataPoints = histogram.series().map(({ attributes, counts, count, sum }) => ({
        startTime,
        endTime,
        attributes,
        value: { buckets: { boundaries: [...histogram.bounds], counts: [...counts] }, count, sum },
      }))
      if (dataPoints.length === 0) return []
      // The keys of the table are its names.
      const descriptor = { name: prometheusName(name as keyof typeof metrics), description, unit }
      return {
        descriptor: { ...descriptor, valueType: ValueType.DOUBLE },
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.HISTOGRAM as const,
        dataPoints,
      }
    })
  }

  return {
    record: (metric, value, attributes) => histograms.get(metric)?.record(value, attributes),
    recorder: (metric, attributes) => histograms.get(metric)?.recorder(attributes) ?? (() => {}),
    producer: {
      async collect() {
        const scopeMetrics = [{ scope: { name: 'tillwright', version }, metrics: read() }]
        return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
      },
    },
  }
}

class Distribution {
  readonly metric: Metric
  readonly bounds: readonly number[]
  readonly #options: HistogramOptions
  readonly #series = new Map<string, Series>()

  constructor(metric: Metric, options: HistogramOptions) {
    this.metric = metric
    this.bounds = metric.buckets ?? []
    this.#options = options
  }

  record(value: number, attributes: Attributes): void {
    this.#count(value, this.#series.get(this.#key(attributes)) ?? this.#added(attributes))
  }

  /** A series begins with its first measurement. */
  recorder(attributes: Attributes): (value: number) => void {
    let series: Series | null = null
    return (value) => this.#count(value, (series ??= this.#added(attributes)))
  }

  #count(value: number, series: Series): void {
    let bucket = 0
    while (value > (this.bounds[bucket] ?? Infinity)) bucket += 1
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.count += 1
    series.sum += value
  }

  series(): Series[] {
    return [...this.#series.values()]
  }

  #key(attributes: Attributes): string {
    let key = ''
    for (const name of this.metric.attributes) key += `${attributes[name]}\n`
    return key
  }

  /** The series that attributes are counted in which are seen for the first time, or have too many values. */
  #added(attributes: Attributes): Series {
    const kept = this.#options.bounded(attributes)
    const known = this.#series.get(this.#key(kept))
    if (known !== undefined) return known
    const isFull = this.#series.size >= this.#options.seriesMax
    const others = () => Object.fromEntries(this.metric.attributes.map((name) => [name, 'other']))
    return this.#opened(isFull ? others() : kept)
  }

  #opened(attributes: Attributes): Series {
    const key = this.#key(attributes)
    const counts = Array.from({ length: this.bounds.length + 1 }, () => 0)
    const series = this.#series.get(key) ?? { attributes, counts, count: 0, sum: 0 }
    this.#series.set(key, series)
    return series
  }
}
