import type { Payment } from '@tillwright/contract'
import type { Parts } from '../call.ts'
import type { CvcMemory } from '../vault/cvc-memory.ts'
import { readCard } from '../vault/read-card.ts'
import type { ChargeOutcome, Processor } from './processors/processor.ts'
import { lastAttempt } from './settle-payment.ts'

/** Who charges, and where the card's secrets come from. */
export interface Charging {
  parts: Parts
  processor: Processor
  cvcs: CvcMemory
}

/** A card that is about to be charged. */
export interface CardInHand {
  cardId: string
  /** Under which name its security code waits: the id of a security code's token, or else the card's own. */
  codeId: string
}

/** How long a processor may take before its answer counts as unknown: well under the lease of a claim. */
const PROCESSOR_TIMEOUT_MS = 30_000

/** `unknown`: the processor may or may not have taken the money. Nothing else may be tried before it has been asked. */
export type AttemptOutcome = ChargeOutcome | { outcome: 'unknown' }

/** Sends a payment's latest attempt to its processor. The attempt's id makes a repetition harmless. */
export async function chargeCard(
  payment: Payment,
  { cardId, codeId }: CardInHand,
  { parts, processor, cvcs }: Charging,
): Promise<AttemptOutcome> {
  const { id, processorId } = lastAttempt(payment)
  const card = await readCard(cardId, payment.accountId, parts)
  const charge = {
    id,
    processorId,
    amount: payment.amount,
    currency: payment.currency,
    card: { ...card, cvc: cvcs.take(codeId) },
  }
  const answered = new AbortController()
  const tooLate = parts.clock.until(parts.clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => unknown)
  try {
    return await Promise.race([processor.charge(charge), tooLate])
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
