import type { Payment } from '@tillwright/contract'
import type { FollowUp } from '../ledger/index.ts'
import { inTime, type Unknown } from '../payments/index.ts'
import { type Driver, driverFor, type FollowUpOutcome, withFault } from '../processors/index.ts'
import type { Charging } from '../routing/index.ts'
import { faultOf } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'

/** Who has authorised a payment, and what the authorisation is called there. */
export interface AuthorisedAt {
  processorId: string
  reference: string
}

/** @throws When no processor has: a bug of the caller, whose payment is authorised or was captured. */
export async function findAuthorisation(
  { id, accountId }: Pick<Payment, 'id' | 'accountId'>,
  db: Database,
): Promise<AuthorisedAt> {
  const [row] = await db.read(
    `SELECT processor_id, reference FROM payment_attempts
      WHERE account_id = ? AND payment_id = ? AND status = 'succeeded'`,
    [accountId, id],
  )
  if (typeof row?.['reference'] !== 'string') throw new Error(`No processor has a reference for the payment ${id}.`)
  return { processorId: String(row['processor_id']), reference: row['reference'] }
}

/** Asks the processor. The follow-up's id makes a repetition harmless. */
export async function askFollowUp(
  followUp: FollowUp,
  { payment, at }: { payment: Pick<Payment, 'accountId' | 'currency' | 'preview'>; at: AuthorisedAt },
  { parts, driverOf, fault = null }: Charging,
): Promise<FollowUpOutcome | Unknown> {
  const { id, paymentId } = followUp
  const own = await driverFor(payment, at.processorId, driverOf)
  const driver = withFault(own, faultOf('processor', fault), parts.clock)
  const { reference } = at
  return inTime(() => ask(followUp, { reference, currency: payment.currency }, driver), { paymentId, id }, parts)
}

function ask(
  { id, kind, amount }: FollowUp,
  { reference, currency }: { reference: string; currency: string },
  driver: Driver,
): Promise<FollowUpOutcome> {
  switch (kind) {
    case 'capture':
      return driver.capture({ id, reference, amount, currency })
    case 'refund':
      return driver.refund({ id, reference, amount, currency })
    case 'void':
      return driver.void({ id, reference })
  }
}
