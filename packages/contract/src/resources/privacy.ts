import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'

/** The body of an erasure. */
export const newErasure = z.strictObject({
  dryRun: z
    .boolean()
    .default(false)
    .meta({
      description: 'Only says what would be erased and what kept; nothing is changed.',
      examples: [true],
    }),
})

export const erasureStatus = z.enum(['pending', 'succeeded'])

const count = z.int().min(0)

function codeOf<Code extends string>(texts: Readonly<Record<Code, string>>) {
  // The keys of an object that was written out are all that it has.
  return z.enum(Object.keys(texts) as Code[])
}

/** Why fields of an erased customer stay. */
export const keptReasons = {
  records_of_sales:
    'Amounts, currencies, times and ids are records of sales, which tax and accounting laws require to be kept.',
  card_of_disputes: 'Brand and last four digits tell which payment a bank’s question or dispute is about.',
  bank_of_card: 'The first digits name the bank, not the cardholder; reports on routing and fees need them.',
  proof_of_authentication: 'How the cardholder was authenticated is the proof by which the merchant answers a dispute.',
  name_of_nobody: 'Orders, payments and events name their customer by this id, which says nothing by itself.',
  id_of_event: 'Receivers know events by this id.',
  what_happened: 'Events of an order or a payment, with their times, without the person.',
} as const
export type KeptReason = keyof typeof keptReasons

/** Copies of erased data that are out of the platform's reach, and how each ends. */
export const remainders = {
  backups:
    'Backups made before hold the data until they are deleted. Restoring one erases the customer again: `/guide/security/privacy` says how.',
  sqlite_pages:
    'The database file was overwritten and its log emptied. Unused space of an index page that was split may hold a word until the page is written again: VACUUM ends it.',
  postgres_files:
    'The files of PostgreSQL (free space of pages, write-ahead log, replicas that lag) hold old bytes until they are overwritten: VACUUM FULL and the end of the log’s retention end it.',
  other_systems: 'Processors, receivers of webhooks and other systems keep what they were sent; ask each to delete it.',
} as const
export type Remainder = keyof typeof remainders

/** Result of an erasure for one kind of data. */
const erasedData = z
  .object({
    data: z.string().meta({ description: 'The kind of data, by its table.', examples: ['orders'] }),
    found: count.meta({ description: 'How many rows about the customer there were.', examples: [12] }),
    erased: count.meta({ description: 'In how many of them something was erased.', examples: [12] }),
    isDeleted: z.boolean().meta({ description: 'Whether the rows are gone as a whole.', examples: [false] }),
    fields: z.array(z.string()).meta({
      description: 'The fields that were removed or replaced.',
      examples: [['buyer', 'metadata']],
    }),
    kept: z
      .array(
        z.object({
          fields: z
            .array(z.string())
            .meta({ description: 'The fields that stay.', examples: [['amount', 'currency']] }),
          code: codeOf(keptReasons).meta({ description: 'Why they stay, as a code.', examples: ['records_of_sales'] }),
          reason: z.string().meta({
            description: 'Why they stay.',
            examples: ['Amounts are records of sales, which tax and accounting laws require to be kept.'],
          }),
        }),
      )
      .meta({ description: 'Data that stays, and the reason.' }),
  })
  .meta({ id: 'ErasedData' })

/** The erasure of a customer: a receipt without personal data. */
export const customerErasure = z
  .object({
    id: idOf('erasure', 'The id of the erasure.'),
    accountId: idOf('account', 'The account.'),
    storeId: idOf('store', 'The store that the customer belonged to.'),
    customerId: idOf('customer', 'The customer.'),
    status: erasureStatus.meta({
      description: '`pending`: still being erased. `succeeded`: everything is erased.',
      examples: ['succeeded'],
    }),
    createdAt: timestamp.meta({ description: 'When it was asked for.' }),
    finishedAt: timestamp.nullable().meta({ description: 'When everything was erased; null before.' }),
    receipt: z
      .array(erasedData)
      .nullable()
      .meta({ description: 'Erased and kept data, by kind; null while it is pending.' }),
    remains: z
      .array(
        z.object({
          code: codeOf(remainders).meta({ description: 'Kind of data.', examples: ['backups'] }),
          message: z.string().meta({
            description: 'The same for people, and what ends it.',
            examples: ['Backups made before hold the data until they are deleted.'],
          }),
        }),
      )
      .meta({ description: 'Data that a platform cannot reach by itself, and how to remove it.' }),
  })
  .meta({ id: 'CustomerErasure', description: 'The erasure of a customer, with its receipt.' })
export type CustomerErasure = z.infer<typeof customerErasure>

/** An erasure that was begun, or what it would be. */
export const begunErasure = customerErasure
  .extend({
    id: idOf('erasure', 'The id of the erasure; null for a dry run.').nullable(),
    status: z.enum(['dry_run', 'pending', 'succeeded']).meta({
      description: '`dry_run`: nothing was changed. `pending`: still being erased. `succeeded`: everything is erased.',
      examples: ['pending'],
    }),
    isWhole: z.boolean().meta({
      description: 'False for a dry run that stopped counting, because there is too much for one request.',
      examples: [true],
    }),
  })
  .meta({ id: 'BegunErasure', description: 'An erasure that was begun, or what it would erase.' })
export type BegunErasure = z.infer<typeof begunErasure>

/** Everything that is known of a customer. */
export const customerExport = z
  .object({
    customerId: idOf('customer', 'The customer.'),
    accountId: idOf('account', 'The account.'),
    exportedAt: timestamp.meta({ description: 'When the export was made.' }),
    data: z
      .array(
        z.object({
          kind: z.string().meta({ description: 'The kind of data, by its table.', examples: ['orders'] }),
          fields: z.record(z.string(), z.unknown()).meta({
            description: 'Stored values. Encrypted values are named, and not shown.',
            examples: [{ email: 'ada@example.com' }],
          }),
        }),
      )
      .meta({ description: 'All that is stored of the customer.' }),
  })
  .meta({ id: 'CustomerExport', description: 'Everything that is known of a customer.' })
