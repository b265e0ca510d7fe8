import type { Payment } from '@tillwright/contract'
import { networksOf } from '@tillwright/contract/networks'
import type { Consent } from '../../customers/index.ts'
import {
  type AttemptFacts,
  type AuthorisationOutcome,
  declined,
  driverFor,
  type BuyerDetails,
  type OtherMethod,
  type PresentedCard,
  presetCard,
  type AuthenticationResult,
  withFault,
} from '../../processors/index.ts'
import { paymentAttemptsTable } from '../../ledger/index.ts'
import type { Services } from '../../request-context.ts'
import { type AttemptOutcome, type Charging, lastAttempt, outcomeName, type Presentation } from '../../routing/index.ts'
import { faultOf } from '../../runtime/index.ts'
import { pick, rowReader } from '../../storage/index.ts'
import { secondsSince } from '../../telemetry/index.ts'
import { CardGone, type CardRow, readCard, type SealedCode, type WalletApproval } from '../../vault/index.ts'
import { storedCredentialOf } from '../record/index.ts'

/** The card details sent to the processor with the payment. */
export interface ChargedCard {
  cardId: string
  /** The other method to charge, whose buyer returns to `returnUrl`; `null` for a card. */
  other: OtherMethod | null
  returnUrl: string | null
  /** The later charges of it that its buyer agreed to, or `null`. */
  consent: Consent | null
  /** The security code, `null` where none was typed; it is opened for the length of one call. */
  code: SealedCode | null
  /** The proof that the buyer was authenticated, which holds for every attempt of the payment. */
  threeds: AuthenticationResult | null
  buyer: BuyerDetails
}

/** Sends a payment's latest attempt to its processor. The attempt's id makes a repetition harmless. */
export function chargeCard(payment: Payment, card: ChargedCard, charging: Charging): Promise<AttemptOutcome> {
  const { telemetry } = charging.services
  const { id: attemptId, processorId } = lastAttempt(payment)
  const attributes = {
    'tillwright.account.id': payment.accountId,
    'tillwright.payment.id': payment.id,
    'tillwright.attempt.id': attemptId,
    'tillwright.attempt.number': payment.attempts.length,
    'tillwright.processor.id': processorId,
  }
  return telemetry.span('payment attempt', { attributes }, async (span) => {
    const startedAt = performance.now()
    const outcome = await askProcessor(payment, card, charging)
    const result = { 'tillwright.payment.outcome': outcomeName(outcome) }
    span.set(result)
    const labels = { 'tillwright.processor.id': processorId }
    telemetry.record('tillwright.payment.attempt.duration', secondsSince(startedAt), { ...labels, ...result })
    if (outcome.outcome === 'declined') {
      telemetry.count('tillwright.payment.attempt.declines', {
        ...labels,
        'tillwright.decline.code': outcome.declineCode,
      })
    }
    return outcome
  })
}

async function askProcessor(
  payment: Payment,
  { cardId, other, returnUrl, consent, code, threeds, buyer }: ChargedCard,
  charging: Charging,
): Promise<AttemptOutcome> {
  const { services, circuit, fault = null } = charging
  const { accountId, preview } = payment
  const { processorId, exemption } = lastAttempt(payment)
  const presentation: Presentation = {
    accountId,
    processorId,
    preview,
    paidWith: other ?? { cardId },
    code,
    facts: factsOf(payment),
    initiatedBy: payment.initiatedBy,
    storedCredential: storedCredentialOf(payment, consent),
    threeds,
    exemption: exemption?.asked ?? null,
    buyer,
    customerId: payment.customerId,
    orderId: payment.orderId,
    returnUrl,
    fault,
  }
  const { present } = charging
  const send = present ? () => present(presentation) : await readyToSend(presentation, charging)
  const outcome = await inTime(send, idsOf(payment), services)
  if (outcome.outcome === 'refused_before_acceptance' && outcome.reason === VAULT_UNREACHABLE) return outcome
  if (outcome.outcome === 'declined' && outcome.declineCode === 'card_deleted') return outcome
  const worked = outcome.outcome !== 'unknown' && outcome.outcome !== 'refused_before_acceptance'
  // A simulated fault says nothing about the processor's health, nor does a preview, which never reaches it.
  if (fault !== null || payment.preview !== null) return outcome
  circuit.note(processorId, worked)
  if (outcome.outcome === 'refused_before_acceptance') {
    const { reason } = outcome // codes alone: of a key that is refused nobody else would say so
    services.log.warn({ accountId, processorId, ...idsOf(payment), reason }, 'a processor did not begin an attempt')
  }
  return outcome
}

/** The reason of attempts that never left this process. It says nothing of their processors. */
export const VAULT_UNREACHABLE = 'No process of the vault could be reached.'

/**
 * Presents a card to a processor: the one step of a payment for which the card is opened. In a process that holds the card
 * key and the keys of security codes.
 */
export async function presentCard(
  presentation: Presentation,
  charging: Pick<Charging, 'services' | 'driverOf' | 'codes'>,
): Promise<AuthorisationOutcome> {
  const send = await readyToSend(presentation, charging)
  return send()
}

/** Opens driver, card and code. What fails here has not begun. A card that was deleted meanwhile is declined unasked. */
async function readyToSend(
  { accountId, processorId, preview, paidWith, code, facts, fault, ...presented }: Presentation,
  { services, driverOf, codes }: Pick<Charging, 'services' | 'driverOf' | 'codes'>,
): Promise<() => Promise<AuthorisationOutcome>> {
  const processor = await driverFor({ accountId, preview }, processorId, driverOf)
  const driver = withFault(processor, faultOf('processor', fault), services.clock)
  if ('type' in paidWith) return () => driver.authorise({ ...facts, ...presented, method: paidWith })
  const { cardId } = paidWith
  const [stored, opened] = await Promise.all([
    readCard(cardId, accountId, services).catch(nullIfGone),
    code === null ? null : codes.open(code, { accountId, cardId }),
  ])
  if (stored === null) return () => Promise.resolve(declined('card_deleted', { reference: null }))
  if (code !== null && opened === null && isProvenByCode(code, presented)) {
    return () => Promise.resolve(declined('authentication_required', { reference: null }))
  }
  const card = presetCard(preview, presentedAs(stored, { approval: code?.approval ?? null, opened }))
  return () =>
    driver.authorise({
      ...facts,
      ...presented,
      method: { type: 'card', card, network: chosenNetwork(stored) },
    })
}

/**
 * Whether only a wallet's cryptogram shows that the buyer was present, so that they were never asked to authenticate.
 */
function isProvenByCode(
  { approval }: SealedCode,
  { initiatedBy, threeds }: Pick<Presentation, 'initiatedBy' | 'threeds'>,
) {
  return approval !== null && initiatedBy === 'buyer' && threeds === null
}

/**
 * A stored card as a processor is shown it, with what proves it for this one payment: a security code, or a wallet's
 * cryptogram, which comes with what the wallet's buyer has approved.
 */
function presentedAs(
  { kind, number, expMonth, expYear, wallet }: CardRow & { number: string },
  { approval, opened }: { approval: WalletApproval | null; opened: string | null },
): PresentedCard {
  const shown = { number, expMonth, expYear, wallet }
  if (kind === 'number') return { kind, ...shown, cvc: opened }
  return { kind, ...shown, cryptogram: approval === null ? null : opened, eci: approval?.eci ?? null }
}

function nullIfGone(error: unknown): null {
  if (error instanceof CardGone) return null
  throw error
}

/**
 * Asks the processor for the outcome of a payment's latest attempt. An attempt that never arrived is refused from now
 * on, and so counts as never begun.
 */
export async function queryAttempt(
  payment: Payment,
  { services, driverOf }: Pick<Charging, 'services' | 'driverOf'>,
  returned: Readonly<Record<string, string>> | null = null,
): Promise<AttemptOutcome> {
  const driver = await driverFor(payment, lastAttempt(payment).processorId, driverOf)
  const reference = await findReference(payment, services.db)
  const hasEnded = payment.status === 'declined' || payment.status === 'failed'
  const query = { ...factsOf(payment), reference, returned, hasEnded }
  const found = await inTime(() => driver.query(query), idsOf(payment), services)
  if (found.outcome === 'not_known_yet') return unknown
  if (found.outcome !== 'not_found') return found
  return { outcome: 'refused_before_acceptance', reason: 'The attempt never arrived at its processor.' }
}

/** The processor's reference of an attempt that it has accepted and will decide later; `null` if there is none yet. */
async function findReference(payment: Payment, db: Services['db']): Promise<string | null> {
  const sql = 'SELECT reference FROM payment_attempts WHERE account_id = ? AND id = ?'
  const [row] = readReferences(await db.read(sql, [payment.accountId, lastAttempt(payment).id]))
  return row?.reference ?? null
}

const readReferences = rowReader(pick(paymentAttemptsTable, 'reference'))

/** A card of one network leaves nothing to choose; of several the one that was chosen is the card's brand. */
function chosenNetwork({ number, brand }: { number: string; brand: string }): string | null {
  const networks: readonly string[] = networksOf(number)
  return networks.length > 1 && networks.includes(brand) ? brand : null
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

/** No clear answer: what was asked for may or may not have happened. */
export interface Unknown {
  outcome: 'unknown'
}

const unknown: Unknown = { outcome: 'unknown' }

/** How long a processor may take before its answer counts as unknown: well under the lease of a payment. */
const PROCESSOR_TIMEOUT_MS = 30_000

/**
 * Waits for a processor. One that does not answer in time, or not clearly, leaves the outcome unknown.
 *
 * @param about The ids that the log names.
 */
export async function inTime<Outcome>(
  ask: () => Promise<Outcome>,
  about: Readonly<Record<string, string>>,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): Promise<Outcome | Unknown> {
  const answered = new AbortController()
  const tooLate = clock.until(clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => unknown)
  try {
    return await Promise.race([ask(), tooLate])
  } catch (error) {
    log.error({ err: error, ...about }, 'a processor gave no answer; the payment stays as it is until it does')
    return unknown
  } finally {
    answered.abort('answered') // without a reason an error would be made each time, with its stack
  }
}
