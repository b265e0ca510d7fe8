import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'

const time = (description: string) => timestamp.meta({ description, examples: ['2026-11-20T09:30:00.000Z'] })
const timeOrNone = (description: string) =>
  timestamp.nullable().meta({ description, examples: ['2026-11-20T09:30:00.000Z'] })
const count = (description: string, example = 0) => z.int().meta({ description, examples: [example] })

/** The alert rules of `operate/prometheus/alerts.yml` that the state of the platform alone can tell. */
export const platformAlerts = [
  'TillwrightWebhooksLate',
  'TillwrightUnresolved',
  'TillwrightRenewalsLate',
  'TillwrightWorkLate',
  'TillwrightAlone',
  'TillwrightClockOff',
  'TillwrightDiskFilling',
  'TillwrightKeyOld',
  'TillwrightFormKeyOld',
  'TillwrightBackupOld',
] as const
export type PlatformAlert = (typeof platformAlerts)[number]

/** Queues of pending work, and recurring jobs. */
export const platformQueues = [
  'webhooks',
  'payments',
  'post_authorizations',
  'renewals',
  'erasures',
  'sealing',
  'statistics',
  'sweeping',
] as const
export type PlatformQueue = (typeof platformQueues)[number]

/** Kinds of stored data that are personal or expire. */
const keptKinds = [
  'answers',
  'sessions',
  'threeds_messages',
  'audit',
  'customers',
  'orders',
  'threeds_outcomes',
  'events',
  'books',
] as const
export type KeptKind = (typeof keptKinds)[number]

const alert = z.object({
  rule: z.enum(platformAlerts).meta({
    description: 'The alert rule; `/guide/operating/observability` says what it means and what to do.',
    examples: ['TillwrightWebhooksLate'],
  }),
  about: z
    .string()
    .meta({ description: 'Which queue, process or key it is about; empty for the platform.', examples: ['webhooks'] }),
  since: timeOrNone('Since when, as far as that is known.'),
})

const disk = z.object({
  freeBytes: count('Free space where `TILLWRIGHT_HOME` lies.', 48_318_382_080),
  sizeBytes: count('Size of that file system.', 128_849_018_880),
})

const process = z.object({
  id: z.string().meta({ description: 'Never used again.', examples: ['proc_Y2VwYjQ1ZmR3'] }),
  name: z.string().meta({ description: 'Host and process id.', examples: ['api-7f9c:1'] }),
  roles: z
    .array(z.string())
    .meta({ description: 'Roles of the process; `all` for every role.', examples: [['api', 'worker']] }),
  version: z.string().meta({ description: 'The version that it runs.', examples: ['1.4.0'] }),
  schema: count('The newest schema that it knows.', 1),
  startedAt: time('When it joined the others.'),
  heartbeatAt: time('Its last heartbeat, by the clock of the database.'),
  heartbeatAgeMs: count('How long ago that was, in milliseconds.', 420),
  clockOffsetMs: count("How far its machine's clock is ahead of the database's, in milliseconds.", 3),
  takenOver: count('Payments, captures, refunds and voids that it took over to find out how they ended.', 0),
  givenBack: count('Work that it took and gave back unfinished, for another process to take.', 0),
  disk: disk.nullable().meta({ description: 'Its disk; null until it has looked.' }),
})

const queue = z.object({
  queue: z.enum(platformQueues).meta({
    description:
      '`post_authorizations` are captures, refunds and voids without an outcome; `sealing` are entries of the audit log; `statistics` and `sweeping` are rounds of work alone.',
    examples: ['webhooks'],
  }),
  waiting: z
    .int()
    .nullable()
    .meta({ description: 'How many wait, counted up to 10,000; null where nothing is counted.', examples: [12] }),
  hasMore: z.boolean().meta({ description: 'Whether there are more than were counted.', examples: [false] }),
  dueSince: timeOrNone('Since when the oldest has been due, but for webhooks to endpoints that fail; null if none is.'),
  workedAt: timeOrNone(
    'When a living process last finished looking for such work, up to a heartbeat ago; null if none has yet.',
  ),
})

const unresolved = z.object({
  kind: z
    .enum(['payment', 'capture', 'refund', 'void'])
    .meta({ description: 'Kind of object without an outcome yet.', examples: ['payment'] }),
  accountId: idOf('account', 'The account.'),
  paymentId: idOf('payment', 'The payment.'),
  since: time('Since when.'),
  processId: z
    .string()
    .nullable()
    .meta({ description: 'The living process that is at it; null if recovery takes it next.', examples: [null] }),
})

const kept = z.object({
  kind: z.enum(keptKinds).meta({
    description: 'Kind of stored data: `answers` are those for repeated requests.',
    examples: ['sessions'],
  }),
  tables: z.array(z.string()).meta({ description: 'Where it is.', examples: [['funnel_sessions']] }),
  days: z
    .number()
    .nullable()
    .meta({ description: 'How many days it stays; null until its customer is erased.', examples: [30] }),
  setting: z
    .string()
    .nullable()
    .meta({ description: 'The setting that changes it.', examples: ['TILLWRIGHT_KEEP_SESSIONS_DAYS'] }),
  due: z
    .int()
    .nullable()
    .meta({
      description: 'Rows whose time is over, counted up to 10,000; null without a limit, and for events.',
      examples: [0],
    }),
  hasMore: z.boolean().meta({ description: 'Whether there are more than were counted.', examples: [false] }),
})

const schemaStep = z.object({
  id: z.string().meta({ description: 'The step.', examples: ['0001-baseline'] }),
  phase: z.enum(['expand', 'backfill', 'contract']).meta({ description: 'Phase of the change.', examples: ['expand'] }),
  state: z
    .enum(['missing', 'running', 'filled', 'done'])
    .meta({ description: 'How far it is; `filled`: every row was seen once.', examples: ['done'] }),
  rows: count('Rows that a backfill has gone through.', 0),
})

const ring = z.object({
  ring: z.enum(['cards', 'secrets']).meta({ description: 'Data that the keys encrypt.', examples: ['cards'] }),
  dataKeyAt: timeOrNone('When the newest data key was made.'),
  masterKeyAt: timeOrNone('When the newest master key came into use.'),
  masterKeys: count('More than one while the master key is being replaced.', 1),
  columns: count('Columns whose rows are sealed.', 2),
  resealedColumns: count('Those of them whose rows are all under the newest data key.', 2),
  resealedRows: count('Rows sealed again since the newest data key was made.', 0),
})

/** The state of a platform, for its operator. Every part was read at `at`. */
export const platformState = z
  .object({
    at: time('When all of it was read.'),
    processId: z.string().meta({ description: 'The process that answers.', examples: ['proc_Y2VwYjQ1ZmR3'] }),
    environment: z
      .enum(['local', 'development', 'production'])
      .meta({ description: 'Environment of the platform.', examples: ['production'] }),
    engine: z.enum(['sqlite', 'postgres']).meta({ description: 'The database.', examples: ['postgres'] }),
    alerts: z
      .array(alert)
      .meta({ description: 'Alerts that need a person, the most urgent first; empty if there are none.' }),
    processes: z.array(process).meta({ description: 'The processes, the oldest first.' }),
    queues: z.array(queue).meta({ description: 'Queues: the number waiting, and the time of their last work.' }),
    recovery: z
      .object({
        underWay: z
          .array(unresolved)
          .meta({ description: 'Objects without an outcome yet, the oldest first, 20 at most.' }),
        hasMore: z.boolean().meta({ description: 'Whether there is more.', examples: [false] }),
      })
      .meta({
        description: 'Payments, captures, refunds and voids of all accounts that have had no outcome for ten seconds.',
      }),
    retention: z
      .array(kept)
      .meta({ description: 'How long each kind of data stays, and what the next sweep deletes.' }),
    schema: z
      .object({
        known: count('The schema that the answering process knows.', 1),
        oldest: count('The oldest schema whose processes may still write.', 0),
        steps: z.array(schemaStep).meta({ description: 'The steps that this version knows, in order.' }),
        newer: z
          .array(z.string())
          .meta({ description: 'Steps of a newer version that has already run.', examples: [[]] }),
      })
      .meta({ description: 'How far the database is with the steps of the schema.' }),
    keys: z
      .object({
        rings: z.array(ring).meta({ description: 'Encryption keys.' }),
        cardFormAt: timeOrNone('When the newest key of card forms was made.'),
      })
      .meta({ description: 'How old keys are, and how far a rotation has come.' }),
    backup: z
      .object({
        takenAt: time('The moment that its rows are of.'),
        version: z.string().meta({ description: 'The version that took it.', examples: ['1.4.0'] }),
        missingFiles: count('Files of plugins that the store no longer had.', 0),
        provedAt: timeOrNone('When `tillwright restore --verify` proved it.'),
      })
      .nullable()
      .meta({ description: 'The newest whole backup by `tillwright backup`; null if there is none.' }),
  })
  .meta({ id: 'PlatformState', description: 'The state of a platform, for its operator.' })
export type PlatformState = z.infer<typeof platformState>
