import { type BuyerSession, type Contract, PROMOTION_CODES_MAX } from '@tillwright/contract'
import { findStore, requirePresented } from '../catalog/index.ts'
import { findOrder } from '../orders/index.ts'
import { codeKey, findCandidates } from '../promotions/index.ts'
import type { RequestContext, Handlers, Reply } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { stillBrought } from './brought-along.ts'
import {
  type BuyersSession,
  orderStanding,
  paidSteps,
  readSession,
  replaceSession,
  type SessionState,
} from './buyers-session.ts'
import { givenCards } from './charge-again.ts'
import { changedOrder, currencyOf, destinationOf, openOrder, orderOf } from './open-order.ts'
import type { ViewSession } from './view.ts'

type Changes = 'setLines' | 'chooseShipping' | 'addPromotionCode' | 'removePromotionCode'

/** Handlers by which a page changes its session's order. Every answer is priced anew. */
export function changeOrder(view: ViewSession): Pick<Handlers<Contract['session']>, Changes> {
  return {
    async setLines({ body: { currency, lines } }, context) {
      const buyers = await nextOrder(await readSession(context), context)
      if (currency !== undefined) await requireShown(currency, buyers, context)
      const { broughtAlong } = stillBrought(buyers.state, lines)
      return changed(buyers, { lines, currency: currency ?? buyers.state.currency, broughtAlong }, context)
    },

    async chooseShipping({ body: { shippingOptionId } }, context) {
      const buyers = requireOpen(await readSession(context))
      const { shipping } = await openOrder(buyers, context)
      const isThere = shipping?.options.some(({ id }) => id === shippingOptionId) === true
      if (!isThere)
        throw missing('shipping option', shippingOptionId, { param: 'shippingOptionId', place: 'that fits this order' })
      return changed(buyers, { shippingOptionId }, context)
    },

    async addPromotionCode({ body: { code } }, context) {
      const buyers = requireOpen(await readSession(context))
      const { promotionCodes } = buyers.state
      if (promotionCodes.some((known) => codeKey(known) === codeKey(code))) return changed(buyers, {}, context)
      if (promotionCodes.length === PROMOTION_CODES_MAX) {
        const message = `The order has ${PROMOTION_CODES_MAX} codes, the maximum; remove one first.`
        throw new ApiError('state_conflict', message, { param: 'code' })
      }
      await requireCode(code, buyers, context)
      return changed(buyers, { promotionCodes: [...promotionCodes, code] }, context)
    },

    async removePromotionCode({ query: { code } }, context) {
      const buyers = requireOpen(await readSession(context))
      const { promotionCodes } = buyers.state
      const left = promotionCodes.filter((known) => codeKey(known) !== codeKey(code))
      if (left.length === promotionCodes.length)
        throw missing('promotion code', code, { param: 'code', place: 'in this order' })
      const after = { ...buyers, state: { ...buyers.state, promotionCodes: left } }
      // Goes even if there is another fault, such as a code that was withdrawn too: else neither could be mended.
      const order = await orderOf(after, context)
      return { body: await view(after, order, context), writes: replaceSession(after, context.nowMs) }
    },
  }

  async function changed(
    buyers: BuyersSession,
    change: Partial<SessionState>,
    context: RequestContext,
  ): Promise<Reply<BuyerSession>> {
    const after = { ...buyers, state: { ...buyers.state, ...change } }
    const order = await changedOrder(after, context)
    return { body: await view(after, order, context), writes: replaceSession(after, context.nowMs) }
  }
}

/** @throws {ApiError} `state_conflict` for an order that is being paid, or is paid. */
export function requireOpen(buyers: BuyersSession): BuyersSession {
  switch (orderStanding(buyers)) {
    case 'open':
      return buyers
    case 'paying':
      throw conflict('The order is being paid; wait for the end of its payment, or continue it.')
    case 'placed':
      throw conflict('The order is paid; set lines to begin the next one.')
  }
}

/** The same session with an order that can be changed: behind one that is paid the next one begins. */
async function nextOrder(buyers: BuyersSession, { caller, services }: RequestContext): Promise<BuyersSession> {
  const { state, payment } = buyers
  if (orderStanding(buyers) !== 'placed' || payment === null) return requireOpen(buyers)
  const placed = await findOrder(payment.orderId, caller.accountId, services.db)
  const optionId = placed?.shippingOption?.id
  const to = destinationOf(placed?.buyer ?? state.buyer)
  const next: SessionState = {
    ...state,
    promotionCodes: [],
    shippedWith: optionId === undefined ? state.shippedWith : { optionId, to },
    paying: null,
    paidOrderIds: [...state.paidOrderIds, payment.orderId],
    paidAtStepIds: [...paidSteps(buyers)],
    paidWithIds: [
      ...new Set([
        ...state.paidWithIds,
        ...(payment.paymentInstrumentId === null ? [] : [payment.paymentInstrumentId]),
      ]),
    ],
    cards: givenCards(buyers),
  }
  return { ...buyers, state: next, payment: null }
}

/** @throws {ApiError} `parameter_invalid` for a code that no promotion of the store has. */
async function requireCode(code: string, buyers: BuyersSession, context: RequestContext): Promise<void> {
  const { storeId, metadata } = buyers.session
  const place = { accountId: metadata.accountId, storeId, currency: await currencyOf(buyers, context) }
  try {
    await findCandidates({ ...place, promotionCodes: [code], nowMs: context.nowMs }, context.services.db)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, error.message, { param: 'code' })
  }
}

function conflict(message: string): ApiError {
  return new ApiError('state_conflict', message)
}

/** @throws {ApiError} `currency_unsupported` for a currency that the store's pages may not show. */
async function requireShown(
  currency: string,
  { session: { storeId, metadata } }: BuyersSession,
  { services }: RequestContext,
): Promise<void> {
  const store = await findStore(storeId, metadata.accountId, services.db)
  if (store !== null) requirePresented(store, currency)
}
