import type { PaymentLedger } from '@tillwright/platform'

/** A payment to test output with. */
export function somePayment(change: Partial<PaymentLedger['payment']> = {}): PaymentLedger['payment'] {
  const at = '2030-01-01T00:00:00.000Z'
  return {
    id: 'pay_1',
    accountId: 'acc_1',
    storeId: 'store_1',
    orderId: 'order_1',
    customerId: 'cus_1',
    paymentInstrumentId: 'pi_1',
    paymentFlowId: 'flow_1',
    status: 'succeeded',
    requireAction: 'none',
    nextAction: null,
    threedsSessionId: null,
    amount: 500,
    currency: 'USD',
    captureMethod: 'automatic',
    statementDescriptor: null,
    authenticationType: 'payment-transaction',
    recurringInfo: null,
    challengePreference: 'no-preference',
    initiatedBy: 'buyer',
    setupFutureUsage: null,
    capturedAmount: 0,
    refundedAmount: 0,
    declineCode: null,
    attempts: [],
    captures: [],
    refunds: [],
    disputes: [],
    funnelSessionId: null,
    preview: null,
    routing: { overLimits: [], challengeMandated: false, abuseAction: 'none', stopped: null },
    subscriptions: [],
    createdAt: at,
    updatedAt: at,
    ...change,
  }
}
