import type { Payment } from '@tillwright/contract'
import { faultOf } from '../../ambient/fault.ts'
import { networksOf } from '@tillwright/contract/networks'
import { readCard } from '../../vault/read-card.ts'
import type { AttemptOutcome } from './attempt-outcome.ts'
import type { Charging } from '../routing/charging.ts'
import { inTime } from './in-time.ts'
import { lastAttempt } from './last-attempt.ts'
import type { AttemptFacts, Authorisation, ThreedsProof } from '../processors/driver.ts'
import { driverFor } from '../processors/driver-for.ts'
import { presetCard } from '../routing/preset-card.ts'
import { withFault } from '../processors/with-fault.ts'

/** What goes to the processor beside the payment. */
export interface ChargedCard {
  cardId: string
  /** As long as it is known. */
  cvc: string | null
  /** The proof that the buyer was authenticated, which holds for every attempt of the payment. */
  threeds: ThreedsProof | null
}

/** Sends a payment's latest attempt to its processor. The attempt's id makes a repetition harmless. */
export async function chargeCard(
  payment: Payment,
  { cardId, cvc, threeds }: ChargedCard,
  charging: Charging,
): Promise<AttemptOutcome> {
  const { parts, driverOf, circuit, fault = null } = charging
  const { accountId } = payment
  const { processorId } = lastAttempt(payment)
  const processor = await driverFor(payment, processorId, driverOf)
  const driver = withFault(processor, faultOf('processor', fault), parts.clock)
  const stored = await readCard(cardId, accountId, parts)
  const card = presetCard(payment.preview, stored)
  const authorisation: Authorisation = {
    ...factsOf(payment),
    card: { ...card, cvc },
    network: chosenNetwork(stored),
    initiatedBy: initiatorOf(payment),
    threeds,
  }
  const outcome = await inTime(() => driver.authorise(authorisation), idsOf(payment), parts)
  const worked = outcome.outcome !== 'unknown' && outcome.outcome !== 'refused_before_acceptance'
  // What a request has go wrong for itself says nothing of the processor, nor does a preview, which never gets there.
  if (fault === null && payment.preview === null) circuit.note(processorId, worked)
  return outcome
}

/**
 * Asks the processor what became of a payment's latest attempt. One that never arrived there is refused from now on, so
 * that it counts as an attempt that never began.
 */
export async function queryAttempt(
  payment: Payment,
  { parts, driverOf }: Pick<Charging, 'parts' | 'driverOf'>,
): Promise<AttemptOutcome> {
  const driver = await driverFor(payment, lastAttempt(payment).processorId, driverOf)
  const found = await inTime(() => driver.query(factsOf(payment)), idsOf(payment), parts)
  if (found.outcome !== 'not_found') return found
  return { outcome: 'refused_before_acceptance', reason: 'The attempt never arrived at its processor.' }
}

/** A card of one network leaves nothing to choose; of several the one that was chosen is the card's brand. */
function chosenNetwork({ number, brand }: { number: string; brand: string }): string | null {
  const networks: readonly string[] = networksOf(number)
  return networks.length > 1 && networks.includes(brand) ? brand : null
}

/** Nobody is at a checkout when a subscription is renewed, or pays its last period. */
function initiatorOf({ subscriptions }: Payment): Authorisation['initiatedBy'] {
  return subscriptions.some(({ occasion }) => occasion !== 'first') ? 'merchant' : 'buyer'
}

function factsOf(payment: Payment): AttemptFacts {
  const { id, createdAt } = lastAttempt(payment)
  const { amount, currency, captureMethod, statementDescriptor: descriptor } = payment
  const capture = captureMethod === 'manual' ? 'later' : 'now'
  return { attemptId: id, startedAtMs: Date.parse(createdAt), amount, currency, capture, descriptor }
}

function idsOf(payment: Payment) {
  return { paymentId: payment.id, attemptId: lastAttempt(payment).id }
}
