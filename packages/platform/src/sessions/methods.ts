import { type Contract, leadsAway, type MethodOffer, type PaymentMethodType, type Store } from '@tillwright/contract'
import { requireCharged, requireOpenStore } from '../catalog/index.ts'
import { payerOf } from '../customers/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import { type Charging, requireFlowOf, takenMethods } from '../routing/index.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type BuyersSession, readSession } from './buyers-session.ts'
import { orderOf } from './open-order.ts'

/** The store, currency and country that methods are offered for. */
interface Asked {
  storeId: string
  currency: string
  country: string | null
}

/** Payment methods that buyers can use, as their payments would be routed. Of processors a page learns nothing. */
export function offerMethods(
  charging: Charging,
  urlsOf: PageUrls,
): Pick<Handlers<Contract['session']>, 'findMethods' | 'findOwnMethods'> {
  return {
    async findMethods({ body: { storeId, currency, country = null } }, context) {
      const { storeId: own } = context.caller
      if (own !== null && own !== storeId) throw missing('store', storeId, 'storeId')
      return { body: listed(await methodsOf({ storeId, currency, country }, context)) }
    },

    async findOwnMethods(_, context) {
      const buyers = await readSession(context)
      const { lines, currency, amount } = await orderOf(buyers, context)
      const { billingAddress } = payerOf(buyers.state.buyer)
      const country = billingAddress?.country ?? null
      const taken = await methodsOf({ storeId: buyers.session.storeId, currency, country }, context)
      const isOnce = lines.every(({ recurring }) => recurring === null)
      if (lines.length > 0 && amount === 0 && isOnce) return { body: listed(['none']) }
      const hasReturn = (await returnUrlOf(buyers, urlsOf, context)) !== null
      return {
        body: listed(taken.filter((type) => type === 'card' || (isOnce && (hasReturn || !leadsAway(type))))),
      }
    },
  }

  async function methodsOf({ storeId, currency, country }: Asked, context: RequestContext) {
    const { accountId } = context.caller
    const store = await requireOpenStore(storeId, context)
    requirePaid(store)
    requireCharged(store, currency)
    const { flow } = await requireFlowOf({ storeId }, accountId, context.services.db)
    return takenMethods({ accountId, flow, currency, country }, charging)
  }
}

function listed(types: readonly PaymentMethodType[]): MethodOffer {
  return { data: types.map((type) => ({ type })) }
}

/** @throws {ApiError} `state_conflict` for a store that no payment can be routed for. */
export function requirePaid(store: Pick<Store, 'selectedPaymentFlowId'> | null): void {
  if (store?.selectedPaymentFlowId != null) return
  throw new ApiError('state_conflict', 'The store has no payment flow, so that nothing can be paid; choose one for it.')
}

/**
 * Where a buyer comes back to from a method's page: the page of the current step, where a plugin serves it. Whatever a
 * page says of itself decides nothing. A preview need not be served where buyers are, so it leads away only from a step of
 * which the merchant's key has said where it is shown.
 */
export async function returnUrlOf(
  { session, funnel }: BuyersSession,
  urlsOf: PageUrls,
  { services }: Pick<RequestContext, 'services'>,
): Promise<string | null> {
  const step = funnel?.steps.find(({ id }) => id === session.currentStepId)
  if (step === undefined) return null
  if (session.metadata.isPreview) return session.preview?.stepUrls.find(({ stepId }) => stepId === step.id)?.url ?? null
  const store = { accountId: session.metadata.accountId, storeId: session.storeId }
  return (await urlsOf([step], store, services.db)).get(step.id) ?? null
}
