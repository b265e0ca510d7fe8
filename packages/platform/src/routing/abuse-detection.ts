import type { DeclineCode, AbuseLimit, PaymentFlow } from '@tillwright/contract'
import type { PayingInstrument } from '../customers/index.ts'
import type { RequestContext, Reply, Write } from '../request-context.ts'
import { addressBlock, type ApiError } from '../runtime/index.ts'
import { deleteSome, type Statement } from '../storage/index.ts'
import { type CardTries, findSender } from '../vault/index.ts'

/** The limits of a flow against card testing. */
export type AbuseDetection = NonNullable<PaymentFlow['abuseDetectionConfig']>

/** The buyer and card that attempts are counted by. */
export interface Counted {
  paymentId: string
  flowId: string
  /** Absent where the shop does not tell it. */
  buyerIp: string | undefined
  cardFingerprint: string
  /** From `countedBuyer`. */
  buyer: string | null
}

/** A payment's instrument, and the session of the page that requested it, `null` for a merchant's server. */
export interface Payer {
  instrument: Pick<PayingInstrument, 'cardId' | 'customerId' | 'isCustomerProven'>
  funnelSessionId: string | null
}

/**
 * The buyer whose different cards are counted. A customer, where the merchant's server has named them; a session, for a
 * page, whose claims about its buyer are unproven; and for an e-mail address that a server has passed on, the card form
 * in which the card was typed. So entering another person's address locks out only the sender.
 *
 * @returns `null` where only the card and the address can be counted.
 */
export async function countedBuyer(
  { instrument, funnelSessionId }: Payer,
  { caller, services, nowMs }: Pick<RequestContext, 'caller' | 'services' | 'nowMs'>,
): Promise<string | null> {
  if (funnelSessionId !== null) return `session ${funnelSessionId}`
  if (instrument.isCustomerProven) return `customer ${instrument.customerId}`
  const sender = await findSender(instrument.cardId, caller.accountId, { db: services.db, nowMs })
  return sender && `form ${sender.session}`
}

/** A value that attempts are counted by, and how many a window allows. */
export interface Velocity {
  limit: AbuseLimit
  /** The flow and what is counted within it. */
  subject: string
  /** The id that is counted once: a payment, or a card of the buyer. */
  entry: string
  max: number
}

/**
 * The velocities that a payment counts towards, in the order in which all transactions lock them. Empty where the flow
 * has no abuse detection.
 */
export function velocitiesOf(config: AbuseDetection | null, counted: Counted): Velocity[] {
  if (config?.enabled !== true) return []
  const { paymentId, flowId, buyerIp, cardFingerprint, buyer } = counted
  const byCard: Velocity = {
    limit: 'maxAttemptsPerCard',
    subject: `${flowId} card ${cardFingerprint}`,
    entry: paymentId,
    max: config.maxAttemptsPerCard,
  }
  const ofBuyer: Velocity[] =
    buyer === null
      ? []
      : [
          {
            limit: 'maxDistinctCardsPerCustomer',
            subject: `${flowId} ${buyer}`,
            entry: cardFingerprint,
            max: config.maxDistinctCardsPerCustomer,
          },
        ]
  // Without a card there is no fingerprint, by which all such payments would count as tries of one card.
  const ofCard = cardFingerprint === '' ? [] : [byCard, ...ofBuyer]
  if (buyerIp === undefined) return ofCard
  const subject = `${flowId} ip ${addressBlock(buyerIp, 56)}`
  return [...ofCard, { limit: 'maxAttemptsPerIp', subject, entry: paymentId, max: config.maxAttemptsPerIp }]
}

/** How a transaction counts a payment. */
export interface Counting {
  accountId: string
  config: AbuseDetection
  nowMs: number
  /** The limits that are known to be exceeded, and do not hold the payment up. */
  over: readonly AbuseLimit[]
  /** The error that refuses the transaction when a limit is exceeded. */
  refusal: (velocity: Velocity) => ApiError
}

/**
 * The statements that count a payment, and refuse its transaction where a limit is exceeded. The row of each subject is
 * locked first, so that of payments that come together on several processes no more pass than the limit says.
 */
export function countVelocities(velocities: readonly Velocity[], counting: Counting): Write[] {
  const { accountId, nowMs, over, refusal } = counting
  return velocities.flatMap((velocity) => {
    const { subject, entry, limit } = velocity
    const lock: Write = {
      sql: lockSubject,
      params: [accountId, subject, nowMs],
      expect: 1,
      onRefused: () => refusal(velocity),
    }
    if (over.includes(limit)) return [lock, { sql: addEntry, params: [accountId, subject, entry, nowMs] }]
    return [lock, { ...addWithin(velocity, counting), expect: 1, onRefused: () => refusal(velocity) }]
  })
}

/** The statement that keeps a subject away for as long as the flow says. */
export function blockSubject(
  { subject }: Velocity,
  { accountId, config, nowMs }: Omit<Counting, 'over' | 'refusal'>,
): Write {
  return {
    sql: `INSERT INTO velocity_subjects (account_id, subject, blocked_until, touched_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (account_id, subject) DO UPDATE
      SET blocked_until = excluded.blocked_until, touched_at = excluded.touched_at
      WHERE velocity_subjects.blocked_until <= excluded.touched_at`,
    params: [accountId, subject, nowMs + config.blockSeconds * 1_000, nowMs],
  }
}

/** The longest window, in milliseconds. Source: the contract's bound of `windowSeconds`. */
const WINDOW_MAX_MS = 86_400_000

/** Deletes counts that are older than every window, and expired blocks. */
export function forgetVelocities(nowMs: number): Statement[] {
  const beforeMs = nowMs - WINDOW_MAX_MS
  return [
    deleteSome({ table: 'velocity_entries', key: 'account_id, subject, entry', where: 'at < ?' }, [beforeMs]),
    deleteSome(
      { table: 'velocity_subjects', key: 'account_id, subject', where: 'touched_at < ? AND blocked_until <= ?' },
      [beforeMs, nowMs],
    ),
  ]
}

/** Refused while the subject is blocked. */
const lockSubject = `INSERT INTO velocity_subjects (account_id, subject, blocked_until, touched_at) VALUES (?, ?, 0, ?)
  ON CONFLICT (account_id, subject) DO UPDATE SET touched_at = excluded.touched_at
  WHERE velocity_subjects.blocked_until <= excluded.touched_at`

const addEntry = `INSERT INTO velocity_entries (account_id, subject, entry, at) VALUES (?, ?, ?, ?)
  ON CONFLICT (account_id, subject, entry) DO UPDATE SET at = excluded.at`

/** No more rows are counted than matter. */
function addWithin({ subject, entry, max }: Velocity, { accountId, config, nowMs }: Counting): Statement {
  return {
    sql: `INSERT INTO velocity_entries (account_id, subject, entry, at)
      SELECT ?, ?, ?, CAST(? AS BIGINT) WHERE (
        SELECT count(*) FROM (SELECT 1 FROM velocity_entries
          WHERE account_id = ? AND subject = ? AND at > ? AND entry <> ? LIMIT ?) AS others) < ?
      ON CONFLICT (account_id, subject, entry) DO UPDATE SET at = excluded.at`,
    params: [
      accountId,
      subject,
      entry,
      nowMs,
      accountId,
      subject,
      nowMs - config.windowSeconds * 1_000,
      entry,
      max,
      max,
    ],
  }
}

/** A card that was charged, and what is answered about it. */
export interface Charged {
  cardId: string
  reply: Reply<unknown>
}

/**
 * Counts a payment that ended in a decline which tells of a tester as further tries of the form and the address that its
 * card came from, once however many processors were asked.
 */
export async function countDecline(
  { cardId, reply }: Charged,
  context: RequestContext,
  cardTries: CardTries,
): Promise<void> {
  if (cardId === '' || !('failure' in reply) || !isSignOfTesting(reply.failure.details.declineCode)) return
  const { caller, services, nowMs } = context
  const sender = await findSender(cardId, caller.accountId, { db: services.db, nowMs })
  if (sender !== null) await cardTries.countOdd({ ...sender, account: caller })
}

/**
 * Whether a decline suggests that the payer does not hold the card. Tests of stolen or made-up cards meet these
 * declines again and again; a decline for lack of money, or one without a reason, happens to honest buyers as well and
 * is no sign.
 */
function isSignOfTesting(declineCode: string | undefined): boolean {
  return signs.some((sign) => sign === declineCode)
}

const signs: readonly DeclineCode[] = [
  'incorrect_cvc',
  'expired_card',
  'invalid_number',
  'closed_account',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
]
