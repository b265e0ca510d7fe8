import type { CreatedCustomer, NewPayment, NewPaymentMethod } from '@tillwright/contract'
import { customerFor, findInstrument, payerOf, type PayingInstrument } from '../../customers/index.ts'
import type { OrderPrice } from '../../orders/index.ts'
import type { OtherMethod } from '../../processors/index.ts'
import type { RequestContext } from '../../request-context.ts'
import { withoutCard } from '../../routing/index.ts'
import { ApiError } from '../../runtime/index.ts'

/** The card that is charged; for another method its customer, with what stands in the place of a card. */
export async function findPaying(body: NewPayment, context: RequestContext): Promise<PayingInstrument | null> {
  const { storeId, paymentMethod, customerId = '', paymentInstrumentId = '' } = body
  const { accountId } = context.caller
  if (paymentMethod === undefined) return findInstrument(paymentInstrumentId, accountId, context.services.db)
  const { customer } = await customerFor({ storeId, customerId }, context)
  return payingWithout(customer, { storeId, method: paymentMethod.type })
}

/** A customer who pays without a card. */
function payingWithout(
  customer: CreatedCustomer,
  { storeId, method }: { storeId: string; method: NewPaymentMethod['type'] },
): PayingInstrument {
  return {
    ...withoutCard(method),
    storeId,
    customerId: customer.id,
    isCustomerProven: true,
    isActive: true,
    isCustomerArchived: false,
    isTrusted: false,
    segment: 'unknown',
    kind: 'number',
    approval: null,
    payer: payerOf({ ...customer, billingAddress: null }),
  }
}

/** The method as it is sent to a processor; `null` for a card, or nothing. The mandate's name is derived from no secret. */
export function otherMethod(
  asked: NewPaymentMethod | undefined,
  { nowMs, newId }: Pick<RequestContext, 'nowMs' | 'newId'>,
): OtherMethod | null {
  switch (asked?.type) {
    case undefined:
    case 'none':
      return null
    case 'ideal':
    case 'paypal':
      return { type: 'redirect', method: asked.type }
    case 'voucher':
      return { type: 'voucher', method: 'voucher' }
    case 'sepa_debit': {
      const { iban, holderName } = asked
      const mandate = { reference: newId('req').replace('_', '-'), agreedMs: nowMs }
      return { type: 'debit', method: 'sepa_debit', account: { iban, holderName }, mandate }
    }
  }
}

/** The price of an order, as far as a method depends on it. */
interface Cost extends Pick<OrderPrice, 'lines' | 'amount'> {
  currency: string
  /** Whether a processor is to be asked. */
  isAsked: boolean
}

/**
 * Holds a method that is no card against what the order costs: it cannot be charged again later, and where there is nothing
 * to pay there is nothing to ask the buyer for.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
export function requireFitting({ type }: NewPaymentMethod, { lines, amount, currency, isAsked }: Cost): void {
  const refuse = (message: string) =>
    new ApiError('parameter_invalid', `paymentMethod: ${message}`, { param: 'paymentMethod' })
  if (lines.some(({ recurring }) => recurring !== null)) {
    throw refuse('a recurring price is paid with a card, which can be charged again; send a paymentInstrumentId.')
  }
  if (type !== 'none' && !isAsked) {
    throw refuse(`the order costs nothing, so that there is nothing to pay with '${type}'; send { "type": "none" }.`)
  }
  if (type === 'none' && isAsked) {
    throw refuse(
      `'none' is for an order that costs nothing, and this one costs ${amount} ${currency} (in minor units); send a method to pay it with.`,
    )
  }
}
