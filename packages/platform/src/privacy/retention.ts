import { IDEMPOTENCY_RETENTION_MS, type KeptKind } from '@tillwright/contract'
import { z } from 'zod'
import { type Reading, setting } from '../runtime/index.ts'

const DAY_MS = 86_400_000

/** The bounds within which operators choose how long something is kept, in days. */
const bounds = {
  sessions: { min: 1, max: 365, usual: 30 },
  threedsMessages: { min: 1, max: 120, usual: 30 },
  /** At least what PCI DSS 10.5.1 asks for, twelve months; usually a month more, to look at them. */
  audit: { min: 365, max: 3_650, usual: 400 },
  /** Behind the last try of a webhook, and whoever catches up after an outage. */
  events: { min: 30, max: 3_650 },
} as const

const daysWithin = ({ min, max }: { min: number; max: number }) => z.coerce.number().int().min(min).max(max)

export const retentionVariables = {
  TILLWRIGHT_KEEP_SESSIONS_DAYS: setting(daysWithin(bounds.sessions).default(bounds.sessions.usual), {
    unit: 'days',
    doc: 'How long a session of a buyer is kept after its last activity, with what they typed. See [privacy](../security/privacy.md).',
  }),
  TILLWRIGHT_KEEP_THREEDS_MESSAGES_DAYS: setting(daysWithin(bounds.threedsMessages).optional(), {
    unit: 'days',
    doc: 'How long messages of 3-D Secure are kept, which name the buyer. The outcome, which disputes are about, is kept with its payment.',
    fallback: `\`${bounds.threedsMessages.usual}\` in \`production\`, otherwise \`1\``,
  }),
  TILLWRIGHT_KEEP_AUDIT_DAYS: setting(daysWithin(bounds.audit).default(bounds.audit.usual), {
    unit: 'days',
    doc: 'How long the audit log is kept. PCI DSS 10.5.1 asks for twelve months.',
  }),
  TILLWRIGHT_KEEP_EVENTS_DAYS: setting(daysWithin(bounds.events).optional(), {
    unit: 'days',
    doc: 'How long events are kept, with their deliveries. They are most of what a payment leaves in the database; statistics stay.',
    fallback: 'until their customer is erased',
  }),
}

/** How long the sweeper leaves what has a limit. */
export interface RetentionConfig {
  retention: { sessionsMs: number; threedsMessagesMs: number; auditMs: number; eventsMs: number | null }
}

export function retentionSettings(
  set: z.output<z.ZodObject<typeof retentionVariables>>,
  { environment }: Reading,
): RetentionConfig {
  const usual = environment === 'production' ? bounds.threedsMessages.usual : 1
  return {
    retention: {
      sessionsMs: set.TILLWRIGHT_KEEP_SESSIONS_DAYS * DAY_MS,
      threedsMessagesMs: (set.TILLWRIGHT_KEEP_THREEDS_MESSAGES_DAYS ?? usual) * DAY_MS,
      auditMs: set.TILLWRIGHT_KEEP_AUDIT_DAYS * DAY_MS,
      eventsMs: set.TILLWRIGHT_KEEP_EVENTS_DAYS === undefined ? null : set.TILLWRIGHT_KEEP_EVENTS_DAYS * DAY_MS,
    },
  }
}

/** How long a kind of personal data is kept in production, in days; `null` until its person is erased. */
interface Retention {
  kind: KeptKind
  data: string
  tables: readonly string[]
  days: number | null
  from: string
  /** The setting by which operators choose other `days`; absent where they cannot. */
  setting?: { name: keyof typeof retentionVariables; min: number; max: number }
}

/** How long personal data is kept. The sweeper deletes what has a limit; apps/docs/pages/security/privacy.md has the same table. */
export const retention: readonly Retention[] = [
  {
    kind: 'answers',
    data: 'Answers kept for a repeated request',
    tables: ['idempotency_keys'],
    days: IDEMPOTENCY_RETENTION_MS / DAY_MS,
    from: 'the request',
  },
  {
    kind: 'sessions',
    data: 'Sessions of buyers, and what the audit log says that they typed',
    tables: ['funnel_sessions'],
    days: bounds.sessions.usual,
    from: 'the last activity',
    setting: { name: 'TILLWRIGHT_KEEP_SESSIONS_DAYS', ...bounds.sessions },
  },
  {
    kind: 'threeds_messages',
    data: 'Messages of 3-D Secure',
    tables: ['threeds_messages'],
    days: bounds.threedsMessages.usual,
    from: 'the message',
    setting: { name: 'TILLWRIGHT_KEEP_THREEDS_MESSAGES_DAYS', ...bounds.threedsMessages },
  },
  {
    kind: 'audit',
    data: 'The audit log',
    tables: ['audit_entries'],
    days: bounds.audit.usual,
    from: 'the change',
    setting: { name: 'TILLWRIGHT_KEEP_AUDIT_DAYS', ...bounds.audit },
  },
  {
    kind: 'customers',
    data: 'Customers, instruments and cards',
    tables: [
      'customers',
      'payment_instruments',
      'processor_tokens',
      'cards',
      'card_tokens',
      'search_words',
      'low_value_payments',
    ],
    days: null,
    from: '',
  },
  { kind: 'orders', data: 'Buyers of orders, and metadata', tables: ['orders'], days: null, from: '' },
  { kind: 'threeds_outcomes', data: 'Outcomes of 3-D Secure', tables: ['threeds_sessions'], days: null, from: '' },
  {
    kind: 'events',
    data: 'Events and answers of webhook receivers',
    tables: ['events', 'webhook_deliveries'],
    days: null,
    from: '',
    setting: { name: 'TILLWRIGHT_KEEP_EVENTS_DAYS', ...bounds.events },
  },
  {
    kind: 'books',
    data: 'The books',
    tables: [
      'payments',
      'payment_attempts',
      'payment_follow_ups',
      'refund_requests',
      'disputes',
      'ledger_entries',
      'subscriptions',
      'usage_records',
    ],
    days: null,
    from: '',
  },
]
