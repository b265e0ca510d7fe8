import {
  type Contract,
  leadsAway,
  type NewPayment,
  newPayment,
  type NewPaymentMethod,
  type SessionPay,
} from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { findInstrument, instrumentFromToken, type PayingInstrument, toPaying } from '../customers/index.ts'
import { readPayment } from '../ledger/index.ts'
import { continuePayment, type FromPage, type Paying, preparePayment, takePayment } from '../payments/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import type { CardTries } from '../vault/index.ts'
import { requireConfirmed } from './brought-along.ts'
import { type BuyersSession, readSession, replaceSession } from './buyers-session.ts'
import { type Proof, proofOf, requireCurrency, requireProof, withLater } from './charge-again.ts'
import { currencyOf, termsOf } from './open-order.ts'
import { requirePaid, returnUrlOf } from './methods.ts'
import { requireOpen } from './order.ts'
import { replyForPage } from './view.ts'

/**
 * Payments that a buyer's page asks for: as those of a server, but of the session's order, with the session's cards or a
 * method of its buyer's.
 *
 * @param urlsOf Where the steps of funnels are served, to which buyers come back from a method's page.
 */
export function payOrder(
  { cardTries, ...paying }: Paying & { cardTries: CardTries },
  urlsOf: PageUrls,
): Pick<Handlers<Contract['session']>, 'pay' | 'continuePayment'> {
  return {
    async pay({ body }, context) {
      const buyers = requireOpen(await readSession(context))
      await requirePayable(buyers, context)
      requireConfirmed(buyers, body.paymentInstrumentId === undefined)
      const currency = await currencyOf(buyers, context)
      requireCurrency(body, currency)
      const chosen =
        body.paymentMethod === undefined
          ? await payingCard({ body, currency }, buyers, context)
          : { card: null, proof: null, sent: await sentMethod(body.paymentMethod, { buyers, urlsOf }, context) }
      const request = requestOf(buyers, { body, sent: chosen.sent, currency }, context)
      const page = fromPage(buyers, chosen, context)
      const prepared = await preparePayment(request, context, { ...paying, page })
      const proof = chosen.proof && withLater(chosen.proof, prepared.price)
      if (proof !== null) requireProof(proof, prepared)
      const proven = { ...prepared, page: fromPage(buyers, { card: chosen.card, proof }, context) }
      return replyForPage(await takePayment(proven, context, { ...paying, cardTries }))
    },

    async continuePayment({ params: { paymentId } }, context) {
      const { accountId, sessionId } = context.caller
      const payment = await readPayment(paymentId, accountId, context.services.db)
      if (payment === null || payment.funnelSessionId !== sessionId)
        throw missing('payment', paymentId, { param: 'paymentId', place: 'in this session' })
      return replyForPage(await continuePayment(paymentId, context, { ...paying, cardTries, fault: context.fault }))
    },
  }
}

async function requirePayable({ session, state }: BuyersSession, { caller, services }: RequestContext): Promise<void> {
  if (state.lines.length === 0)
    throw new ApiError('state_conflict', 'The order is empty; set its lines before it is paid.')
  requirePaid(await findStore(session.storeId, caller.accountId, services.db))
}

/** The chosen card or other method, and the fields of the payment that name it. */
type Chosen =
  | { card: ChargedCard; proof: Proof; sent: Pick<NewPayment, 'paymentInstrumentId' | 'securityCodeToken'> }
  | { card: null; proof: null; sent: Pick<NewPayment, 'paymentMethod' | 'customerId' | 'returnUrl'> }

async function payingCard(
  { body, currency }: { body: SessionPay; currency: string },
  buyers: BuyersSession,
  context: RequestContext,
): Promise<Chosen> {
  const card = await cardFor(body, buyers, context)
  const charge = { paymentInstrumentId: card.id, amount: body.expectedAmount, currency }
  const proof = proofOf({ ...charge, body }, buyers, context)
  return { card, proof, sent: { paymentInstrumentId: card.id, securityCodeToken: body.securityCodeToken } }
}

/** @throws {ApiError} `state_conflict` for a method that leads away from a page that has no way back. */
async function sentMethod(
  paymentMethod: NewPaymentMethod,
  { buyers, urlsOf }: { buyers: BuyersSession; urlsOf: PageUrls },
  context: RequestContext,
): Promise<Extract<Chosen, { card: null }>['sent']> {
  const sent = { paymentMethod, customerId: buyers.session.originalCustomerId }
  if (!leadsAway(paymentMethod.type)) return sent
  const returnUrl = await returnUrlOf(buyers, urlsOf, context)
  if (returnUrl !== null) return { ...sent, returnUrl }
  const message =
    'The buyer would be led to another page and could not come back: the session is a preview, or its step has no url. Offer another method.'
  throw new ApiError('state_conflict', message, { param: 'paymentMethod' })
}

/** The card to charge, and the statements that record it if it is new. */
interface ChargedCard {
  id: string
  instrument: PayingInstrument
  writes: readonly Write[]
}

async function cardFor(
  { serviceToken, paymentInstrumentId = '' }: SessionPay,
  buyers: BuyersSession,
  context: RequestContext,
): Promise<ChargedCard> {
  const { storeId, originalCustomerId: customerId } = buyers.session
  if (serviceToken === undefined) return usedCard(paymentInstrumentId, buyers, context)
  const made = await instrumentFromToken({ serviceToken, storeId, customerId }, context)
  return { id: made.paymentInstrument.id, instrument: toPaying(made, storeId), writes: made.writes }
}

/**
 * A card that this very session has paid with, or tried to: the page has not proven to be the customer, who may have
 * others.
 */
async function usedCard(
  id: string,
  { state, payment }: BuyersSession,
  { caller, services }: RequestContext,
): Promise<ChargedCard> {
  const isOwn = state.paidWithIds.includes(id) || payment?.paymentInstrumentId === id
  const instrument = isOwn ? await findInstrument(id, caller.accountId, services.db) : null
  if (instrument === null) throw missing('payment instrument', id, ofSession)
  if (instrument.isActive) return { id, instrument, writes: [] }
  throw new ApiError('state_conflict', 'The card is no longer active; ask the buyer for another one.', {
    param: 'paymentInstrumentId',
  })
}

const ofSession = { param: 'paymentInstrumentId', place: 'that this session has paid with' }

interface Requested {
  body: SessionPay
  sent: Chosen['sent']
  currency: string
}

function requestOf(buyers: BuyersSession, { body, sent, currency }: Requested, context: RequestContext) {
  return newPayment.parse({
    storeId: buyers.session.storeId,
    ...sent,
    currency,
    lines: buyers.state.lines,
    promotionCodes: buyers.state.promotionCodes,
    expectedAmount: body.expectedAmount,
    expectedDeferredAmount: body.expectedDeferredAmount,
    // A proxy may write down what is no address.
    buyerIp: newPayment.shape.buyerIp.safeParse(context.address).data,
  })
}

function fromPage(
  buyers: BuyersSession,
  { card, proof }: Pick<Chosen, 'card' | 'proof'>,
  context: RequestContext,
): FromPage {
  const { session, state } = buyers
  const { preview, sessionId: funnelSessionId, currentStepId: stepId } = session
  const testCardPreset = state.isPresetSpent ? null : (preview?.testCardPreset ?? null)
  const threeds = preview?.threeds ?? null
  return {
    funnelSessionId,
    preview: session.metadata.isPreview ? { testCardPreset, threeds } : null,
    buyer: state.buyer,
    terms: termsOf(buyers),
    instrument: card?.instrument ?? null,
    mustAuthenticate: proof !== null && proof.doubt !== null && !proof.hasCode,
    alongside: ({ id: paymentId, orderId }) => {
      const given = proof === null ? {} : { card: proof.given }
      const after = { ...state, paying: { paymentId, orderId, stepId, ...given }, isPresetSpent: true }
      const spent = { ...session, preview: preview && { ...preview, threeds: null } }
      return [...(card?.writes ?? []), ...replaceSession({ ...buyers, session: spent, state: after }, context.nowMs)]
    },
  }
}
