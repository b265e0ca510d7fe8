import type { Payment } from '@tillwright/contract'
import { faultOf, type Fault } from '../ambient/fault.ts'
import type { Parts } from '../call.ts'
import type { CvcMemory } from '../vault/cvc-memory.ts'
import { readCard } from '../vault/read-card.ts'
import type { Authorisation, AuthorisationOutcome, DriverOf } from './processors/driver.ts'
import { withFault } from './processors/with-fault.ts'
import { lastAttempt } from './settle-payment.ts'

/** Who charges, and where the card's secrets come from. */
export interface Charging {
  parts: Parts
  driverOf: DriverOf
  cvcs: CvcMemory
  /** What shall go wrong at the processor, to try out the caller; nothing unless given. */
  fault?: Fault | null
}

/** How long a processor may take before its answer counts as unknown: well under the lease of a claim. */
const PROCESSOR_TIMEOUT_MS = 30_000

/** `unknown`: the processor may or may not have taken the money. Nothing else may be tried before it has been asked. */
export type AttemptOutcome = AuthorisationOutcome | { outcome: 'unknown' }

/** Sends a payment's latest attempt to its processor. The attempt's id makes a repetition harmless. */
export async function chargeCard(
  payment: Payment,
  cardId: string,
  { parts, driverOf, cvcs, fault = null }: Charging,
): Promise<AttemptOutcome> {
  const { accountId, amount, currency } = payment
  const { id, processorId, createdAt } = lastAttempt(payment)
  const driver = withFault(await driverOf({ id: processorId, accountId }), faultOf('processor', fault), parts.clock)
  const card = await readCard(cardId, accountId, parts)
  const authorisation: Authorisation = {
    attemptId: id,
    startedAtMs: Date.parse(createdAt),
    amount,
    currency,
    capture: 'now',
    descriptor: null,
    card: { ...card, cvc: cvcs.take(cardId) },
    network: null,
    threeds: null,
  }
  const answered = new AbortController()
  const tooLate = parts.clock.until(parts.clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => unknown)
  try {
    return await Promise.race([driver.authorise(authorisation), tooLate])
  } catch (error) {
    parts.log.error(
      { err: error, paymentId: payment.id, attemptId: id },
      'a processor gave no answer; the payment stays processing',
    )
    return unknown
  } finally {
    answered.abort()
  }
}

const unknown = { outcome: 'unknown' } as const
