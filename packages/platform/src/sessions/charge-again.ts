import { hash } from 'node:crypto'
import type { FunnelStep, SessionPay } from '@tillwright/contract'
import type { OrderPrice } from '../orders/index.ts'
import type { PreparedPayment } from '../payments/index.ts'
import type { RequestContext } from '../request-context.ts'
import { addressBlock, ApiError } from '../runtime/index.ts'
import { type BuyersSession, type GivenCard, orderStanding, paidSteps } from './buyers-session.ts'

/** Why a card that was used before is not charged by a click alone. */
type Doubt = 'unproven' | 'outside_offer' | 'buyer_changed' | 'device_changed'

/** The evidence that the payer holds a card. */
export interface Proof {
  /** The check that must be passed first; `null` for a card that was just typed, and where a click will do. */
  doubt: Doubt | null
  /** Whether a security code comes with the request. */
  hasCode: boolean
  /** The circumstances to store with the card once it is paid. */
  given: GivenCard
  /** A click without an offer: the amount that the buyer agreed to before, in minor units, and the circumstances of now. */
  click: { agreed: number; now: GivenCard } | null
}

/** A card that is to be charged, for what its buyer has agreed to. */
type Charge = Pick<GivenCard, 'paymentInstrumentId' | 'amount' | 'currency'>

/** The cards of a session, with the circumstances in which each was given. The last payment counts once it is paid. */
export function givenCards({ state, payment }: Pick<BuyersSession, 'state' | 'payment'>): readonly GivenCard[] {
  const card = orderStanding({ payment }) === 'placed' ? state.paying?.card : undefined
  if (card === undefined) return state.cards
  return [...state.cards.filter(({ paymentInstrumentId }) => paymentInstrumentId !== card.paymentInstrumentId), card]
}

/** The evidence that the payer holds the card a page wants to charge. */
export function proofOf(
  { body, ...charge }: Charge & { body: SessionPay },
  buyers: BuyersSession,
  context: Caller,
): Proof {
  const hasCode = body.securityCodeToken !== undefined
  const now = { ...charge, buyer: buyerOf(buyers), device: deviceOf(context), handOvers: buyers.state.handOvers }
  if (body.serviceToken !== undefined) return { doubt: null, hasCode, given: now, click: null }
  const before = givenCards(buyers).find((card) => card.paymentInstrumentId === charge.paymentInstrumentId)
  if (before === undefined) return { doubt: 'unproven', hasCode, given: now, click: null }
  const doubt = doubtOf({ before, now }, buyers)
  const isClick = doubt === null && !hasCode
  const click = isClick && offerOf(buyers) === null ? { agreed: before.amount, now } : null
  return { doubt, hasCode, given: isClick ? before : now, click }
}

/**
 * The evidence, now that the order is priced: without an offer, a click begins no trial and no period that ends with a
 * charge beyond what the buyer agreed to, no later period that costs more, and nothing that is billed by usage.
 */
export function withLater(
  proof: Proof,
  { deferredAmount, lines }: Pick<OrderPrice, 'deferredAmount' | 'lines'>,
): Proof {
  if (proof.click === null) return proof
  const { agreed, now } = proof.click
  const recurring = lines.filter((line) => line.recurring !== null)
  const period = recurring.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)
  const isMetered = recurring.some((line) => line.recurring?.billingTiming === 'usage' && line.unitAmount > 0)
  const isAgreed = now.amount + deferredAmount <= agreed && period <= agreed && !isMetered
  return isAgreed ? proof : { ...proof, doubt: 'outside_offer', given: now }
}

/**
 * A click is enough for the offer of a step behind the one at which the card was given, to the same addresses, and from
 * the same device.
 */
function doubtOf({ before, now }: { before: GivenCard; now: GivenCard }, buyers: BuyersSession): Doubt | null {
  if (before.buyer !== now.buyer) return 'buyer_changed'
  // The token stays in its tab: only one that was handed over can be on another device.
  if (before.handOvers !== now.handOvers && before.device !== now.device) return 'device_changed'
  return isOffered(now, before, buyers) ? null : 'outside_offer'
}

/** @throws {ApiError} `authentication_required` where there is doubt, and neither a code nor a bank that would clear it up. */
export function requireProof(
  { doubt, hasCode }: Proof,
  { next, authenticator }: Pick<PreparedPayment, 'next' | 'authenticator'>,
): void {
  if (doubt === null || (next !== null && (hasCode || authenticator !== null))) return
  const [fix, param] =
    next === null
      ? ['The order costs nothing, so that no bank can tell: pay it with { "type": "none" }', 'paymentMethod']
      : ['Send the securityCodeToken of the card', 'securityCodeToken']
  throw new ApiError('authentication_required', `${reasons[doubt]} ${fix}, or ask for another card.`, { param })
}

const reasons: Readonly<Record<Doubt, string>> = {
  unproven: 'Nothing was paid with this card in the session yet.',
  outside_offer: 'The order is not the offer of this step.',
  buyer_changed: 'The contact or an address has changed since the card was given.',
  device_changed: 'The session was handed over to another device since the card was given.',
}

/** @throws {ApiError} `state_conflict` for a buyer who was shown another currency. */
export function requireCurrency({ expectedCurrency = '' }: SessionPay, currency: string): void {
  if (expectedCurrency === '' || expectedCurrency === currency) return
  const message = `The order is in ${currency}, not in ${expectedCurrency}; show the buyer what it costs now.`
  throw new ApiError('state_conflict', message, { param: 'expectedCurrency' })
}

function isOffered(charge: Charge, given: GivenCard, buyers: BuyersSession): boolean {
  const { state } = buyers
  const step = stepOf(buyers)
  if (step === undefined || step.type === 'checkout' || paidSteps(buyers).has(step.id)) return false
  const offer = offerOf(buyers)
  if (offer === null) return charge.currency === given.currency && charge.amount <= given.amount
  return state.lines.every((line) => isWithin(line, offer, state.lines))
}

function stepOf({ session, funnel }: BuyersSession): FunnelStep | undefined {
  return funnel?.steps.find(({ id }) => id === session.currentStepId)
}

/** What the merchant has said that a click may buy at the session's step, or `null`. */
function offerOf(buyers: BuyersSession): NonNullable<FunnelStep['offer']> | null {
  return stepOf(buyers)?.offer ?? null
}

type Line = BuyersSession['state']['lines'][number]

/** Whether all lines of a variant together are no more than what is offered of it. */
function isWithin({ variantId }: Line, offer: NonNullable<FunnelStep['offer']>, lines: readonly Line[]): boolean {
  const wanted = lines.filter((line) => line.variantId === variantId).reduce((sum, line) => sum + line.quantity, 0)
  return offer.some((each) => each.variantId === variantId && wanted <= each.quantity)
}

type Caller = Pick<RequestContext, 'address' | 'browserHeaders'>

function buyerOf({ state: { buyer } }: BuyersSession): string {
  const { email, billingAddress, shippingAddress } = buyer
  return digest([email.toLowerCase(), billingAddress, shippingAddress])
}

/** A buyer who goes to another page of the store stays in their browser and, for a few minutes, in their network. */
function deviceOf({ address, browserHeaders }: Caller): string {
  return digest([addressBlock(address), browserHeaders?.userAgent ?? ''])
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url')
}
