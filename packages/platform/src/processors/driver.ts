import type { DeclineCode, Payment } from '@tillwright/contract'
import type { Clock, FaultOf } from '../runtime/index.ts'

/** A card as a processor receives it. It exists in memory for the length of one call. */
export interface PresentedCard {
  number: string
  expMonth: number
  expYear: number
  /** Absent when the card is used again later: a CVC is never stored. */
  cvc: string | null
}

/** The proof that the cardholder was authenticated elsewhere, in the words of EMV 3-D Secure. */
export interface AuthenticationValue {
  /** Two digits, such as `05`. */
  eci: string
  /** Base64 of 20 bytes: CAVV, AAV or AEVV. */
  authenticationValue: string
  dsTransactionId: string
  /** Such as `2.2.0`. */
  version: string
}

/**
 * Identifies one attempt to charge a card, without the card. Built from the recorded attempt alone, so that it is
 * identical each time the processor is queried.
 */
export interface AttemptFacts {
  /** The idempotency key towards the processor: a repeated id is never a second charge. */
  attemptId: string
  /** When the attempt was put on record, in Unix milliseconds: processors forget keys after a time. */
  startedAtMs: number
  /** In the currency's minor unit. With 0 the issuer is asked whether the card is good, and nothing is taken. */
  amount: number
  currency: string
  /** `now` takes the money with the authorisation, `later` leaves that to `capture`. */
  capture: 'now' | 'later'
  /** The text on the buyer's statement after the merchant's own name, or `null`. */
  descriptor: string | null
}

/**
 * Why a card that is on file is charged, so that its issuer can tell a charge that was agreed to. Source: Visa and
 * Mastercard, Stored Credential Transaction framework.
 */
export interface StoredCredential {
  /** `first`: the buyer is there and agrees to later charges. `later`: a charge that was agreed to. */
  use: 'first' | 'later'
  /** `cardholder`: the buyer pays again. The others are the merchant's to ask for while no buyer is there. */
  reason: 'cardholder' | 'recurring' | 'installment' | 'unscheduled'
  /** The network's id of the payment with which the buyer agreed; `null` where it is not known, and for that payment. */
  networkTransactionId: string | null
}

/** An attempt to charge a card. */
export interface Authorisation extends AttemptFacts {
  card: PresentedCard
  /** The network that was chosen for the card, as the vault names it; `null` leaves it to the processor. */
  network: string | null
  /** `merchant` when the buyer is absent, such as for a renewal: no one can be asked to authenticate. */
  initiatedBy: 'buyer' | 'merchant'
  /** `null` for a single payment with a card that nothing was agreed for. */
  storedCredential: StoredCredential | null
  threeds: AuthenticationValue | null
}

/** An answer that says no. */
interface Declined {
  outcome: 'declined'
  declineCode: DeclineCode
  /** `soft`: may succeed at another processor or later. `hard`: will never be approved, and retrying is penalised. */
  kind: 'soft' | 'hard'
  /** The network's advice code as the processor passes it on, such as Mastercard's `03`. */
  advice: string | null
  /** The processor's id for the attempt; `null` where it keeps no record of failed ones. */
  reference: string | null
}

/** A processor's name for a card that it keeps, and whether it can charge the card again by it. */
export interface CardToken {
  token: string
  status: 'active' | 'used'
}

/**
 * The outcome of an authorisation. `cardToken` is absent where the processor keeps no card, `networkTransactionId`, the
 * network's id of it, where the processor tells none. `reference` is the processor's, for captures, refunds and voids.
 *
 * - `authorized`: the money is set aside, `succeeded`: it is taken.
 * - `threeds_required`: nothing is taken; the same card may pass here with a 3-D Secure proof, or with no other one
 *   where it was sent with a proof.
 * - `refused_before_acceptance`: the attempt never began, for a technical reason; it is safe to try elsewhere.
 */
export type AuthorisationOutcome =
  | { outcome: 'authorized' | 'succeeded'; reference: string; cardToken?: CardToken; networkTransactionId?: string }
  | Declined
  | { outcome: 'threeds_required'; reference: string | null }
  | { outcome: 'refused_before_acceptance'; reason: string }

/** The money of an authorisation that was left for later. What is not taken is given back: there is one capture. */
export interface Capture {
  /** The idempotency key towards the processor. */
  id: string
  /** The authorisation's. */
  reference: string
  /** In the currency's minor unit, at most what was authorized. */
  amount: number
  /** The authorisation's. */
  currency: string
}

/** Money on its way back to the cardholder. There may be several, together at most what was captured. */
export interface Refund {
  /** The idempotency key towards the processor. */
  id: string
  /** The authorisation's. */
  reference: string
  /** In the currency's minor unit. */
  amount: number
  /** The authorisation's. */
  currency: string
}

/** The end of an authorisation that was not captured. */
export interface Void {
  /** The idempotency key towards the processor. */
  id: string
  /** The authorisation's. */
  reference: string
}

/**
 * The outcome of a capture, refund or void. `reference` is the processor's id of it. A refusal has changed nothing:
 *
 * - `amount_too_large`: more than is authorized, or than is captured and not refunded yet.
 * - `wrong_state`: captured or voided already, or not captured yet.
 * - `unknown_reference`: the processor has no such authorisation.
 * - `unsupported_amount`: not an amount that the processor can represent in this currency.
 * - `unavailable`: the processor could not take the request; it can be repeated.
 */
export type PostAuthorizationOutcome =
  | { outcome: 'succeeded'; reference: string }
  | { outcome: 'refused'; reason: PostAuthorizationRefusal }

/** Why a capture, refund or void was refused. */
export type PostAuthorizationRefusal =
  | 'amount_too_large'
  | 'wrong_state'
  | 'unknown_reference'
  | 'unsupported_amount'
  | 'unavailable'

/**
 * Somebody who can charge cards. All drivers run one suite, `driver.conformance.ts`.
 *
 * A rejected promise, or one that takes too long, means that the outcome is unknown. After an authorisation only `query`
 * may be asked then; captures, refunds and voids are repeated under their id.
 */
export interface Driver {
  authorise(authorisation: Authorisation): Promise<AuthorisationOutcome>
  capture(capture: Capture): Promise<PostAuthorizationOutcome>
  refund(refund: Refund): Promise<PostAuthorizationOutcome>
  void(voiding: Void): Promise<PostAuthorizationOutcome>
  /**
   * Looks up the outcome of an authorisation. `not_found` is final: should a request under this id still arrive, it is
   * refused and takes no money.
   */
  query(facts: AttemptFacts): Promise<AuthorisationOutcome | { outcome: 'not_found' }>
}

/** A processor to be spoken to. It is an account's own, so its account is asked for with it. */
export interface SpokenTo {
  id: string
  accountId: string
  /** Whether it is for a preview: a simulator then takes the processor's place, whatever it is. */
  isPreview: boolean
}

/** Charges cards through one kind of processor. */
export type DriverOf = (processor: SpokenTo) => Promise<Driver>

/**
 * Why an issuer or a processor says no, in the field's own words, and whether the same card may be tried elsewhere.
 *
 * `hard` are the answers that Visa's excessive reattempts rule counts as "issuer will never approve" (its category 1:
 * lost, stolen, picked up, closed, no such number, revoked), what is marked as fraud, and those that the same data will
 * always get (its category 3: expiry, security code). The rest is `soft`.
 */
export const declineKinds = {
  generic_decline: 'soft',
  do_not_honor: 'soft',
  insufficient_funds: 'soft',
  try_again_later: 'soft',
  processing_error: 'soft',
  authentication_required: 'soft',
  card_velocity_exceeded: 'soft',
  card_not_supported: 'soft',
  currency_not_supported: 'soft',
  expired_card: 'hard',
  incorrect_cvc: 'hard',
  invalid_number: 'hard',
  lost_card: 'hard',
  stolen_card: 'hard',
  pickup_card: 'hard',
  closed_account: 'hard',
  fraudulent: 'hard',
  authorization_revoked: 'hard',
  transaction_not_allowed: 'hard',
  do_not_try_again: 'hard',
  /** Deleted from the vault: no processor is asked. */
  card_deleted: 'hard',
} as const satisfies Record<DeclineCode, Declined['kind']>

/**
 * Merchant advice codes that forbid another try whatever the reason says. Source: Mastercard, Transaction Processing
 * Excellence: 03 do not try again, 21 the recurring payment was cancelled.
 */
const FORBIDDING_ADVICE: ReadonlySet<string> = new Set(['03', '21'])

/** A decline for a reason, with the network's advice where there is one. */
export function declined(
  declineCode: DeclineCode,
  { reference, advice = null }: { reference: string | null; advice?: string | null },
): Declined {
  const isFinal = advice !== null && FORBIDDING_ADVICE.has(advice)
  return { outcome: 'declined', declineCode, kind: isFinal ? 'hard' : declineKinds[declineCode], advice, reference }
}

/** A payment, as far as it decides who charges for its processor: a preview's is a simulator. */
type Charged = Pick<Payment, 'accountId' | 'preview'>

/** The driver of one of a payment's processors. */
export function driverFor({ accountId, preview }: Charged, id: string, driverOf: DriverOf): Promise<Driver> {
  return driverOf({ id, accountId, isPreview: preview !== null })
}

/** A slow response, in milliseconds: long enough to notice, well within any caller's timeout. */
export const SLOW_MS = 2_000
/** A late response, in milliseconds: just past the caller's timeout of 30 s. Longer would only delay shutdown. */
export const LATE_MS = 31_000

/**
 * A driver whose way to the processor is disturbed. What the processor did meanwhile is not: `query` tells it.
 *
 * - `outage`: no request gets through, and it is known that none did.
 * - `timeout_before`: no request gets through, and there is no answer. `timeout_after`: it does, and there is none.
 * - `slow`: each answer takes 2 s. `late`: 31 s.
 * - `duplicate`: each request arrives twice, at the same time.
 */
export function withFault(driver: Driver, fault: FaultOf<'processor'> | null, clock: Clock): Driver {
  if (fault === null) return driver
  const pass = disturbance(fault, clock)
  const unavailable = { outcome: 'refused', reason: 'unavailable' } as const
  const unreachable = {
    outcome: 'refused_before_acceptance',
    reason: 'The processor cannot be reached, as the request wanted it.',
  } as const
  return {
    authorise: (authorisation) => pass(() => driver.authorise(authorisation), unreachable),
    capture: (capture) => pass(() => driver.capture(capture), unavailable),
    refund: (refund) => pass(() => driver.refund(refund), unavailable),
    void: (voiding) => pass(() => driver.void(voiding), unavailable),
    query: (facts) => driver.query(facts),
  }
}

/** Sends a request, or does not, and does with its answer what the fault says. */
type Pass = <Outcome>(send: () => Promise<Outcome>, refused: Outcome) => Promise<Outcome>

function disturbance(fault: FaultOf<'processor'>, clock: Clock): Pass {
  const lost = () => new Error('The processor gave no answer, as the request wanted it.')
  const wait = (ms: number) => clock.until(clock.now() + ms, new AbortController().signal)
  switch (fault) {
    case 'processor=outage':
      return async (_send, refused) => refused
    case 'processor=timeout_before':
      return () => Promise.reject(lost())
    case 'processor=timeout_after':
      return async (send) => (await send(), Promise.reject(lost()))
    case 'processor=slow':
      return async (send) => answerAfter(send, () => wait(SLOW_MS))
    case 'processor=late':
      return async (send) => answerAfter(send, () => wait(LATE_MS))
    case 'processor=duplicate':
      return async (send) => (await Promise.all([send(), send()]))[0]
  }
}

async function answerAfter<Outcome>(send: () => Promise<Outcome>, wait: () => Promise<void>): Promise<Outcome> {
  const outcome = await send()
  await wait()
  return outcome
}
