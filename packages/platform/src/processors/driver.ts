import type { DisputeEvidence, Payment } from '@tillwright/contract'
import type { Clock, FaultOf } from '../runtime/index.ts'
import type { AttemptFacts, Authorisation, AuthorisationOutcome } from './authorisation.ts'

/**
 * Money of an authorisation that was left for later. Of a processor without `severalCaptures` there is one, which is
 * final.
 */
export interface Capture {
  /** The idempotency key towards the processor. */
  id: string
  /** The authorisation's. */
  reference: string
  /** In the currency's minor unit; all captures together are at most what was authorized. */
  amount: number
  /** The authorisation's. */
  currency: string
  /** Whether this is the last capture, which releases the rest. */
  isFinal: boolean
}

/** Money on its way back to the buyer. There may be several, together at most what was captured. */
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

/** A capture, a refund or a void. A void has no amount: it releases everything. */
export type PostAuthorization =
  | ({ kind: 'capture' } & Capture)
  | ({ kind: 'refund' } & Refund)
  | ({ kind: 'void'; amount: 0; currency: '' } & Void)

/**
 * The outcome of a capture, refund or void. `reference` is the processor's id of it.
 *
 * `pending`: accepted; the outcome comes as an event (`ProcessorReport`), or as the answer to a repetition under the
 * same id where the processor supports it.
 *
 * A refusal has changed nothing:
 *
 * - `amount_too_large`: more than is authorized, or than is captured and not refunded yet.
 * - `wrong_state`: captured or voided already, or not captured yet.
 * - `unknown_reference`: the processor has no such authorisation.
 * - `unsupported_amount`: not an amount that the processor can represent in this currency.
 * - `unavailable`: the processor could not take the request; it can be repeated.
 * - `reversed`: it was done, or accepted, and has come to nothing since. This alone undoes what was reported as done.
 */
export type PostAuthorizationOutcome =
  | { outcome: 'succeeded'; reference: string }
  | { outcome: 'pending'; reference: string }
  | { outcome: 'refused'; reason: PostAuthorizationRefusal }
  | Unavailable

/** Why a capture, refund or void was refused, where it is for a reason in it. */
export type PostAuthorizationRefusal =
  | 'amount_too_large'
  | 'wrong_state'
  | 'unknown_reference'
  | 'unsupported_amount'
  | 'reversed'

/** A refusal for a reason of the processor's own. `said` has the status and codes of its answer, for the log. */
interface Unavailable {
  outcome: 'refused'
  reason: 'unavailable'
  said: string
}

/** A capture, refund or void that has changed nothing. */
export function refused(reason: PostAuthorizationRefusal): PostAuthorizationOutcome {
  return { outcome: 'refused', reason }
}

/** A capture, refund or void that has changed nothing, for a reason that is not in it. */
export function unavailable(said: string): Unavailable {
  return { outcome: 'refused', reason: 'unavailable', said }
}

/** The identity of an authorisation whose outcome is looked up. */
export interface Query extends AttemptFacts {
  /** The processor's id of it from a `redirect` or `pending` outcome; `null` if it has none. */
  reference: string | null
  /**
   * The query parameters with which the buyer returned; `null` if they did not. Sent by a browser, so they count only
   * once the processor has confirmed them.
   */
  returned: Readonly<Record<string, string>> | null
  /** Whether its payment has ended without it: what a buyer has approved since then is not taken any more. */
  hasEnded: boolean
}

/**
 * The outcome of an authorisation that was looked up.
 *
 * - `not_found` is final: the driver makes sure that the request is refused if it still arrives, and takes no money.
 * - `not_known_yet`: the processor does not know either; it is asked again. Not allowed once the time of a `redirect`
 *   or `pending` outcome is over: by then the driver has to decide what the silence means, mostly `declined` with the
 *   code `expired`.
 */
export type QueryOutcome = AuthorisationOutcome | { outcome: 'not_found' } | { outcome: 'not_known_yet' }

/** A dispute's evidence on its way to the bank. */
export interface Evidence {
  /** The idempotency key towards the processor. */
  id: string
  /** The processor's id of the dispute. */
  reference: string
  evidence: DisputeEvidence
}

type EvidenceField = keyof DisputeEvidence

/**
 * `too_late`: the deadline is over. `unsupported`: the processor takes no evidence for this dispute. `too_long`:
 * `fields` together may have `atMost` characters.
 */
export type EvidenceOutcome =
  | { outcome: 'submitted' }
  | { outcome: 'refused'; reason: 'too_late' | 'unsupported' | 'unknown_reference' | 'unavailable' }
  | { outcome: 'refused'; reason: 'too_long'; fields: readonly [EvidenceField, ...EvidenceField[]]; atMost: number }

/**
 * The code that talks to one kind of processor. Every driver runs the suite `driver.conformance.ts`, which tests
 * whatever its `Capabilities` claim.
 *
 * A rejected promise, or one that takes too long, means that the outcome is unknown. An authorisation may then only be
 * looked up with `query`; captures, refunds and voids are repeated under the same id.
 */
export interface Driver {
  authorise(authorisation: Authorisation): Promise<AuthorisationOutcome>
  capture(capture: Capture): Promise<PostAuthorizationOutcome>
  refund(refund: Refund): Promise<PostAuthorizationOutcome>
  void(voiding: Void): Promise<PostAuthorizationOutcome>
  /** Looks up the outcome of an authorisation. */
  query(query: Query): Promise<QueryOutcome>
  /** Answers a dispute; absent without the capability `evidence`. A repetition under the id changes nothing. */
  submitEvidence?(evidence: Evidence): Promise<EvidenceOutcome>
}

/** Implements capture, refund and void for a processor that has one kind of request for all three. */
export function postAuthorizations(
  send: (wanted: PostAuthorization) => Promise<PostAuthorizationOutcome>,
): Pick<Driver, 'capture' | 'refund' | 'void'> {
  return {
    capture: (capture) => send({ kind: 'capture', ...capture }),
    refund: (refund) => send({ kind: 'refund', ...refund }),
    void: (voiding) => send({ kind: 'void', amount: 0, currency: '', ...voiding }),
  }
}

/** A processor to open, with the account that owns it. */
export interface SpokenTo {
  id: string
  accountId: string
  /** Whether it is for a preview: then a simulator is opened in its place. */
  isPreview: boolean
}

/** Opens the driver of a processor. */
export type DriverOf = (processor: SpokenTo) => Promise<Driver>

/** A payment, as far as it decides on the driver: previews are charged by a simulator. */
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
 * A driver with a disturbed connection. The processor itself is unaffected, and `query` tells what it did.
 *
 * - `outage`: no request arrives, and the caller knows that.
 * - `timeout_before`: no request arrives, and there is no answer. `timeout_after`: it arrives, and the answer is lost.
 * - `slow`: each answer takes 2 s. `late`: 31 s.
 * - `duplicate`: each request arrives twice, at the same time.
 */
export function withFault(driver: Driver, fault: FaultOf<'processor'> | null, clock: Clock): Driver {
  if (fault === null) return driver
  const pass = disturbance(fault, clock)
  const reason = 'The processor cannot be reached, as the request wanted it.'
  const unreachable = { outcome: 'refused_before_acceptance', reason } as const
  return {
    authorise: (authorisation) => pass(() => driver.authorise(authorisation), unreachable),
    capture: (capture) => pass(() => driver.capture(capture), unavailable(reason)),
    refund: (refund) => pass(() => driver.refund(refund), unavailable(reason)),
    void: (voiding) => pass(() => driver.void(voiding), unavailable(reason)),
    query: (query) => driver.query(query),
    ...(driver.submitEvidence && { submitEvidence: driver.submitEvidence.bind(driver) }),
  }
}

/** Sends a request, or does not, and does with its answer what the fault says. */
type Pass = <Outcome>(send: () => Promise<Outcome>, unreached: Outcome) => Promise<Outcome>

function disturbance(fault: FaultOf<'processor'>, clock: Clock): Pass {
  const lost = () => new Error('The processor gave no answer, as the request wanted it.')
  const wait = (ms: number) => clock.until(clock.now() + ms, new AbortController().signal)
  switch (fault) {
    case 'processor=outage':
      return async (_send, unreached) => unreached
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
