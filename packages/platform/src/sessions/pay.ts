import { type Contract, newPayment, type SessionPay } from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { findInstrument, instrumentFromToken, type PayingInstrument, toPaying } from '../customers/index.ts'
import { readPayment } from '../ledger/index.ts'
import { continuePayment, type FromPage, type Paying, preparePayment, takePayment } from '../payments/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import type { CardTries } from '../vault/index.ts'
import { requireConfirmed } from './brought-along.ts'
import { type BuyersSession, readSession, replaceSession } from './buyers-session.ts'
import { type Proof, proofOf, requireCurrency, requireProof } from './charge-again.ts'
import { currencyOf, termsOf } from './open-order.ts'
import { requireOpen } from './order.ts'
import { replyForPage } from './view.ts'

/** Payments that a buyer's page asks for: as those of a server, but of the session's order and with the session's cards. */
export function payOrder(
  paying: Paying,
  cardTries: CardTries,
): Pick<Handlers<Contract['session']>, 'pay' | 'continuePayment'> {
  return {
    async pay({ body }, context) {
      const buyers = requireOpen(await readSession(context))
      await requirePayable(buyers, context)
      requireConfirmed(buyers, body.serviceToken !== undefined)
      const currency = await currencyOf(buyers, context)
      requireCurrency(body, currency)
      const card = await cardFor(body, buyers, context)
      const charge = { paymentInstrumentId: card.id, amount: body.expectedAmount, currency }
      const proof = proofOf({ ...charge, body }, buyers, context)
      const page = fromPage(buyers, { card, proof }, context)
      const request = requestOf(buyers, { body, card, currency }, context)
      const prepared = await preparePayment(request, context, { ...paying, page })
      requireProof(proof, prepared)
      return replyForPage(await takePayment(prepared, context, { ...paying, cardTries }))
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
  const store = await findStore(session.storeId, caller.accountId, services.db)
  if (store?.selectedPaymentFlowId == null) {
    throw new ApiError(
      'state_conflict',
      'The store has no payment flow, so that nothing can be paid; choose one for it.',
    )
  }
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
  card: ChargedCard
  currency: string
}

function requestOf(buyers: BuyersSession, { body, card, currency }: Requested, context: RequestContext) {
  return newPayment.parse({
    storeId: buyers.session.storeId,
    paymentInstrumentId: card.id,
    securityCodeToken: body.securityCodeToken,
    currency,
    lines: buyers.state.lines,
    promotionCodes: buyers.state.promotionCodes,
    expectedAmount: body.expectedAmount,
    // A proxy may write down what is no address.
    buyerIp: newPayment.shape.buyerIp.safeParse(context.address).data,
  })
}

function fromPage(
  buyers: BuyersSession,
  { card, proof }: { card: ChargedCard; proof: Proof },
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
    instrument: card.instrument,
    mustAuthenticate: proof.doubt !== null && !proof.hasCode,
    alongside: ({ id: paymentId, orderId }) => {
      const after = { ...state, paying: { paymentId, orderId, stepId, card: proof.given }, isPresetSpent: true }
      const spent = { ...session, preview: preview && { ...preview, threeds: null } }
      return [...card.writes, ...replaceSession({ ...buyers, session: spent, state: after }, context.nowMs)]
    },
  }
}
