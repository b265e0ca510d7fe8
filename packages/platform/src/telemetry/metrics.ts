import { runtimeMetrics } from './runtime-metrics.ts'

/** How a metric is collected: added up, as a distribution, or read from its source at each scrape. */
type Kind = 'counter' | 'histogram' | 'gauge' | 'observedCounter'

/** A metric in OpenTelemetry's terms. Its attributes become the labels of Prometheus. */
export interface Metric {
  kind: Kind
  /** UCUM: `s`, `By`, `1` for a ratio, or what is counted in braces. */
  unit: string
  description: string
  /** All of a metric's attributes. Their values come from short lists of our own or from an operator, never from a request. */
  attributes: readonly string[]
  /** Upper bounds of a histogram's buckets. */
  buckets?: readonly number[]
}

/** From a read out of memory to the longest that a client waits. */
const REQUEST_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DATABASE_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Every metric of the platform: `apps/docs/pages/operating/observability.md` lists them from here. Names are those of OpenTelemetry's semantic
 * conventions where it has one, and begin with `tillwright.` otherwise.
 */
export const metrics = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Requests to the API and to the vault until their answer began',
    attributes: ['tillwright.origin', 'http.request.method', 'http.route', 'http.response.status_code'],
    buckets: REQUEST_S,
  },
  'tillwright.http.connections': {
    kind: 'gauge',
    unit: '{connection}',
    description: 'Open connections of clients',
    attributes: [],
  },
  'tillwright.http.connections.limit': {
    kind: 'gauge',
    unit: '{connection}',
    description: 'How many connections of clients the descriptors of this process allow',
    attributes: [],
  },
  'tillwright.http.connections.dropped': {
    kind: 'counter',
    unit: '{connection}',
    description: 'Connections over the limit, closed with an answer (503) or without one',
    attributes: ['tillwright.connection.answered'],
  },
  'tillwright.http.bodies.used': {
    kind: 'gauge',
    unit: 'By',
    description: 'What the bodies of requests take now: in memory, on disk, and of the memory for parsing large ones',
    attributes: ['tillwright.bodies.place'],
  },
  'tillwright.http.bodies.limit': {
    kind: 'gauge',
    unit: 'By',
    description: 'What they may take together',
    attributes: ['tillwright.bodies.place'],
  },
  'tillwright.http.bodies.waiting': {
    kind: 'gauge',
    unit: '{body}',
    description: 'Large bodies that have arrived and wait to be parsed',
    attributes: [],
  },
  'tillwright.http.bodies.refused': {
    kind: 'observedCounter',
    unit: '{body}',
    description:
      'Bodies refused because the budget was spent (503), or because their sender held its share of it (429)',
    attributes: ['tillwright.bodies.reason'],
  },
  'tillwright.payment.outcomes': {
    kind: 'counter',
    unit: '{payment}',
    description: 'Payments by the outcome of their last attempt',
    attributes: ['tillwright.payment.outcome'],
  },
  'tillwright.payment.attempt.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Attempts to charge a card, by processor and by outcome or decline category',
    attributes: ['tillwright.processor.id', 'tillwright.payment.outcome'],
    buckets: REQUEST_S,
  },
  'tillwright.payment.attempt.declines': {
    kind: 'counter',
    unit: '{attempt}',
    description: 'Declined attempts by processor and reason',
    attributes: ['tillwright.processor.id', 'tillwright.decline.code'],
  },
  'tillwright.processor.call.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Calls of a processor by driver',
    attributes: ['tillwright.processor.driver', 'tillwright.processor.operation', 'tillwright.processor.outcome'],
    buckets: REQUEST_S,
  },
  'tillwright.processor.circuits.open': {
    kind: 'gauge',
    unit: '{processor}',
    description: 'Processors that this process leaves alone because they failed several times in a row',
    attributes: [],
  },
  'tillwright.threeds.authentication.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Authentication requests to directory servers, by the transStatus of the answer',
    attributes: ['tillwright.threeds.outcome'],
    buckets: REQUEST_S,
  },
  'tillwright.threeds.challenges': {
    kind: 'counter',
    unit: '{challenge}',
    description: 'Results of challenges, by transStatus',
    attributes: ['tillwright.threeds.outcome'],
  },
  'tillwright.hook.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Questions to merchants’ own servers, by kind, and by `answered` or why there was no answer',
    attributes: ['tillwright.hook.kind', 'tillwright.hook.outcome'],
    buckets: REQUEST_S,
  },
  'tillwright.webhook.delivery.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Tries to deliver a webhook, by what followed',
    attributes: ['tillwright.webhook.outcome'],
    buckets: REQUEST_S,
  },
  'tillwright.webhook.backlog': {
    kind: 'gauge',
    unit: '{delivery}',
    description: 'Webhook deliveries that are not acknowledged yet, at most 10,000',
    attributes: [],
  },
  'tillwright.webhook.oldest_due.age': {
    kind: 'gauge',
    unit: 's',
    description:
      'For how long the oldest due webhook delivery has waited, but for those to endpoints that fail; 0 if none is due',
    attributes: [],
  },
  'tillwright.unresolved.count': {
    kind: 'gauge',
    unit: '{operation}',
    description:
      'Payments, and captures, refunds and voids, without an outcome: under way or left to recovery, at most 10,000',
    attributes: ['tillwright.unresolved.kind'],
  },
  'tillwright.unresolved.oldest.age': {
    kind: 'gauge',
    unit: 's',
    description: 'For how long the oldest of them has been without an outcome; 0 if there is none',
    attributes: ['tillwright.unresolved.kind'],
  },
  'tillwright.renewal.backlog': {
    kind: 'gauge',
    unit: '{subscription}',
    description: 'Subscriptions whose renewal is due, at most 10,000',
    attributes: [],
  },
  'tillwright.renewal.oldest_due.age': {
    kind: 'gauge',
    unit: 's',
    description: 'For how long the oldest due renewal has waited; 0 if none is due',
    attributes: [],
  },
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Reads and committed transactions of the database, waiting included',
    attributes: ['db.system.name', 'db.operation.name', 'tillwright.db.outcome'],
    buckets: DATABASE_S,
  },
  'tillwright.db.connections.max': {
    kind: 'gauge',
    unit: '{connection}',
    description: "The database's connections; of the embedded database the thread that writes",
    attributes: ['tillwright.db.pool'],
  },
  'tillwright.db.connections.used': {
    kind: 'gauge',
    unit: '{connection}',
    description: 'Connections at work',
    attributes: ['tillwright.db.pool'],
  },
  'tillwright.db.requests.waiting': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Reads or transactions that wait for a connection',
    attributes: ['tillwright.db.pool'],
  },
  'tillwright.disk.free': {
    kind: 'gauge',
    unit: 'By',
    description: 'Free space where TILLWRIGHT_HOME lies: the embedded database and the files of plugins',
    attributes: [],
  },
  'tillwright.disk.size': {
    kind: 'gauge',
    unit: 'By',
    description: 'Size of that file system',
    attributes: [],
  },
  'tillwright.key.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the newest key of a kind: of card forms, and the data and master keys of both rings',
    attributes: ['tillwright.key.kind'],
  },
  'tillwright.key.uses': {
    kind: 'observedCounter',
    unit: '{use}',
    description: 'How often this process has used a key, by purpose; version 0 is the key of MACs',
    attributes: ['tillwright.key.ring', 'tillwright.key.version', 'tillwright.key.purpose', 'tillwright.key.operation'],
  },
  'tillwright.certificate.expiry': {
    kind: 'gauge',
    unit: 's',
    description:
      'Time until the first certificate of a kind ends: of the public addresses, of the channel between roles as this process holds it, of Apple Pay, and of 3-D Secure; 0 where a file has none that can be read',
    attributes: ['tillwright.certificate.kind'],
  },
  'tillwright.backup.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Age of the newest whole backup by `tillwright backup`; absent while there is none',
    attributes: [],
  },
  'tillwright.cluster.processes': {
    kind: 'gauge',
    unit: '{process}',
    description: 'Living processes of the platform as this one sees them, itself included',
    attributes: [],
  },
  'tillwright.cluster.beat.age': {
    kind: 'gauge',
    unit: 's',
    description: "Time since this process's last confirmed beat: after a few seconds the others take it for dead",
    attributes: [],
  },
  'tillwright.cluster.rejoins': {
    kind: 'observedCounter',
    unit: '{rejoin}',
    description: 'How often this process was taken for dead and joined again',
    attributes: [],
  },
  'tillwright.log.lines.dropped': {
    kind: 'observedCounter',
    unit: '{line}',
    description: 'Lines of the log that were dropped: its reader did not read, or its disk was full',
    attributes: [],
  },
  'tillwright.clock.offset': {
    kind: 'gauge',
    unit: 's',
    description: "How far this machine's clock is ahead of the database's",
    attributes: [],
  },
  'tillwright.work.age': {
    kind: 'gauge',
    unit: 's',
    description: 'Time since a living process last finished a round of this work, or since the oldest one started',
    attributes: ['tillwright.work'],
  },
  ...runtimeMetrics,
  'tillwright.build.info': {
    kind: 'gauge',
    unit: '{build}',
    description: 'Always 1, with the version',
    attributes: ['service.version', 'db.system.name'],
  },
  'tillwright.metrics.failures': {
    kind: 'counter',
    unit: '{source}',
    description: 'Sources of gauges that could not be read for a scrape',
    attributes: [],
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** The names of the metrics that are collected in one of these ways. */
export type NamesOf<Wanted extends Kind> = {
  [Name in MetricName]: (typeof metrics)[Name]['kind'] extends Wanted ? Name : never
}[MetricName]

/** The attributes of a metric: all of them, and no others. */
export type AttributesOf<Name extends MetricName> = Readonly<
  Record<(typeof metrics)[Name]['attributes'][number], string | number>
>

const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/** The metric's name at `/metrics`, without `_bucket`, `_sum` and `_count`. Source: OpenTelemetry, "Prometheus compatibility". */
export function prometheusName(name: MetricName): string {
  const { unit, kind } = metrics[name]
  const total = kind === 'counter' || kind === 'observedCounter' ? '_total' : ''
  return `${name.replaceAll(/[^A-Za-z0-9]/g, '_')}${UNIT_SUFFIXES[unit] ?? ''}${total}`
}
