import type { CreatedCustomer, NewPayment, NewPaymentMethod, OrderLine } from '@tillwright/contract'
import { customerFor, findInstrument, payerOf, type PayingInstrument } from '../../customers/index.ts'
import type { MethodName, OtherMethod } from '../../processors/index.ts'
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
  { storeId, method }: { storeId: string; method: MethodName },
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

/** What is sent to a processor. The mandate is named after nothing that is secret. */
export function otherMethod(asked: NewPaymentMethod, { nowMs, newId }: RequestContext): OtherMethod {
  switch (asked.type) {
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

/** @throws {ApiError} `parameter_invalid`: nobody can be charged again later without a card. */
export function requireOnce(lines: readonly OrderLine[]): void {
  if (lines.every(({ recurring }) => recurring === null)) return
  const message =
    'paymentMethod: a recurring price is paid with a card, which can be charged again; send a paymentInstrumentId.'
  throw new ApiError('parameter_invalid', message, { param: 'paymentMethod' })
}
