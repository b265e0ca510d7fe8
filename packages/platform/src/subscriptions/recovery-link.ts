import { timingSafeEqual } from 'node:crypto'
import type { Payment } from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import type { Reply, Services, Write } from '../request-context.ts'
import { ApiError, type SecretBox } from '../runtime/index.ts'
import { endsUnpaid } from './amount-due.ts'
import { findSubscription } from './records.ts'

/** An unpaid period of a subscription, by the number of the period that was paid last. */
export interface UnpaidPeriod {
  accountId: string
  storeId: string
  subscriptionId: string
  period: number
}

/** The one unpaid period of one subscription that a link opens, until it is paid. */
export interface RecoverySubject {
  accountId: string
  subscriptionId: string
  /** The number of the subscription's period when the link was made: a period that was paid is another one. */
  period: number
  expiresMs: number
}

/** How long a link works, in milliseconds: longer than renewals are tried. */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000

/** A link to the page where the buyer of a subscription pays its unpaid period. */
export function linkOf(
  { accountId, storeId, subscriptionId, period }: UnpaidPeriod,
  { apiUrl, secrets, nowMs }: { apiUrl: string; secrets: SecretBox; nowMs: number },
): { url: string; expiresAt: string } {
  const expiresMs = nowMs + LIFETIME_MS
  const payload = Buffer.from(JSON.stringify([accountId, subscriptionId, period, expiresMs])).toString('base64url')
  const token = `${payload}.${secrets.sign(PURPOSE, payload).toString('base64url')}`
  // In the fragment, which no server is sent and no log has.
  return {
    url: `${apiUrl}/recover/${accountId}/${storeId}#${token}`,
    expiresAt: new Date(expiresMs).toISOString(),
  }
}

/**
 * The event that brings the buyer of a period back whose first try was declined, unless the subscription has ended by it, or
 * was cancelled meanwhile and owes nothing.
 *
 * @param ended A renewal, and the answer that its end comes to.
 * @param place The origin of the API; none is told in a process that does not know it.
 */
export async function bringBack(
  { payment, reply }: { payment: Payment; reply: Reply<Payment> },
  { apiUrl, services }: { apiUrl?: string | undefined; services: Pick<Services, 'db' | 'secrets'> },
  emitter: Emitter,
): Promise<Write[]> {
  const isDeclined = 'failure' in reply && reply.failure.details.declineCode !== undefined
  if (!isDeclined || apiUrl === undefined) return []
  const { id: paymentId, accountId, storeId, customerId } = payment
  const { db, secrets } = services
  const told = payment.subscriptions.map(async ({ subscriptionId, occasion, period, tries, retryAfterDays }) => {
    if (occasion === 'first' || tries > 0 || retryAfterDays === null) return []
    const record = await findSubscription(subscriptionId, accountId, db)
    if (record === null || endsUnpaid(record)) return []
    const unpaid = { accountId, storeId, subscriptionId, period: occasion === 'renewal' ? period - 1 : period }
    const { url: recoveryUrl, expiresAt } = linkOf(unpaid, { apiUrl, secrets, nowMs: emitter.nowMs })
    const properties = { subscriptionId, status: 'past_due', paymentId, recoveryUrl, expiresAt } as const
    return emit('s_subscription_action_required', { storeId, customerId, properties }, emitter)
  })
  return (await Promise.all(told)).flat()
}

/**
 * The subject of a link's token.
 *
 * @throws {ApiError} `token_invalid` for one that was not signed here or belongs to another account, `token_expired`.
 */
export function readRecoveryToken(
  token: string,
  { accountId, secrets, nowMs }: { accountId: string; secrets: SecretBox; nowMs: number },
): RecoverySubject {
  const subject = openToken(token, secrets)
  if (subject === null || subject.accountId !== accountId) {
    throw new ApiError('token_invalid', 'This link is not valid; ask the shop for a new one.', { param: 'token' })
  }
  if (subject.expiresMs > nowMs) return subject
  throw new ApiError('token_expired', 'This link has expired; ask the shop for a new one.', { param: 'token' })
}

function openToken(token: string, secrets: SecretBox): RecoverySubject | null {
  const [, payload = '', sent = ''] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const given = Buffer.from(sent, 'base64url')
  const isSigned = secrets
    .signatures(PURPOSE, payload)
    .some((each) => each.length === given.length && timingSafeEqual(each, given))
  if (!isSigned || given.toString('base64url') !== sent) return null
  const [accountId, subscriptionId, period, expiresMs] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { accountId, subscriptionId, period, expiresMs }
}

const PURPOSE = 'subscription recovery'
