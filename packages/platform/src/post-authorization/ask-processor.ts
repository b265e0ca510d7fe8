import type { Payment } from '@tillwright/contract'
import { type PostAuthorization, paymentAttemptsTable } from '../ledger/index.ts'
import { inTime, queryAttempt, type Unknown } from '../payments/index.ts'
import {
  type Driver,
  driverFor,
  type PostAuthorizationOutcome,
  processorsTable,
  withFault,
} from '../processors/index.ts'
import type { AttemptOutcome, Charging } from '../routing/index.ts'
import { faultOf } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'

/** The processor that authorized a payment, and its reference for the authorization. */
export interface AuthorisedAt {
  processorId: string
  reference: string
  /** The name of its driver. */
  driver: string
}

/** @throws If no processor has: a bug of the caller, whose payment is authorized or captured. */
export async function findAuthorisation(
  { id, accountId }: Pick<Payment, 'id' | 'accountId'>,
  db: Database,
): Promise<AuthorisedAt> {
  const [row] = readAuthorisations(await db.read(selectAuthorisation, [accountId, id]))
  if (row === undefined || row.reference === null)
    throw new Error(`No processor has a reference for the payment ${id}.`)
  return { processorId: row.processor_id, reference: row.reference, driver: row.driver }
}

const selectAuthorisation = `SELECT a.processor_id, a.reference, p.driver FROM payment_attempts a
  JOIN processors p ON p.account_id = a.account_id AND p.id = a.processor_id
  WHERE a.account_id = ? AND a.payment_id = ? AND a.status = 'succeeded'`
const readAuthorisations = rowReader({
  ...pick(paymentAttemptsTable, 'processor_id', 'reference'),
  ...pick(processorsTable, 'driver'),
})

/**
 * Asks the processor. The post-authorization operation's id makes a repetition harmless. Where the authorization has run out
 * already, a void is done: there is nothing left to void.
 */
export async function askPostAuthorization(
  postAuthorization: PostAuthorization,
  { payment, at }: { payment: Payment; at: AuthorisedAt },
  { services, driverOf, fault = null }: Charging,
): Promise<PostAuthorizationOutcome | Unknown> {
  const { id, kind, paymentId } = postAuthorization
  const own = await driverFor(payment, at.processorId, driverOf)
  const driver = withFault(own, faultOf('processor', fault), services.clock)
  const { reference } = at
  const about = { paymentId, id }
  const outcome = await inTime(
    () => ask(postAuthorization, { reference, currency: payment.currency }, driver),
    about,
    services,
  )
  if (fault === null && outcome.outcome === 'refused' && outcome.reason === 'unavailable') {
    const { accountId } = payment
    const message = `a processor refused a ${kind} for a reason of its own: "tillwright processors check" asks it about its key`
    services.log.warn({ accountId, processorId: at.processorId, ...about, reason: outcome.said }, message)
  }
  const isRefused = outcome.outcome === 'refused' && outcome.reason === 'wrong_state'
  if (kind !== 'void' || !isRefused) return outcome
  const found = await queryAttempt(payment, { services, driverOf })
  return capturedElsewhere(found, payment) === 0 ? { outcome: 'succeeded', reference } : outcome
}

/**
 * How much of an authorized payment was captured beyond what is on record, once nothing more can be; `null` while its
 * authorization is open.
 *
 * @param found The answer of its processor to a query.
 */
export function capturedElsewhere(found: AttemptOutcome, { amount, capturedAmount }: Payment): number | null {
  switch (found.outcome) {
    case 'refused_before_acceptance':
      return 0
    case 'succeeded':
      // More than was authorized is no money of this payment.
      return Math.max(0, Math.min(found.captured ?? amount, amount) - capturedAmount)
    case 'authorized':
    case 'declined':
    case 'threeds_required':
    case 'redirect':
    case 'pending':
    case 'unknown':
      return null
  }
}

function ask(
  { id, kind, amount, isFinal }: PostAuthorization,
  { reference, currency }: { reference: string; currency: string },
  driver: Driver,
): Promise<PostAuthorizationOutcome> {
  switch (kind) {
    case 'capture':
      return driver.capture({ id, reference, amount, currency, isFinal })
    case 'refund':
      return driver.refund({ id, reference, amount, currency })
    case 'void':
      return driver.void({ id, reference })
  }
}
