import { authorise, newDispute, newInstrument, newRefund, pay } from './pay-with-card.ts'
import type { HappyRequests } from './subscription-requests.ts'
import { newAuthenticatedPayment } from './threeds-payment.ts'

/** Requests about payments, their refunds and their disputes that succeed. */
export const paymentRequests: HappyRequests = {
  'payments.create': async (platform) => ({
    body: {
      storeId: platform.local.storeId,
      paymentInstrumentId: (await newInstrument(platform)).id,
      currency: 'USD',
      amount: 100,
    },
  }),
  'payments.verify': async (platform) => ({
    params: { paymentInstrumentId: (await newInstrument(platform)).id },
    body: { storeId: platform.local.storeId, currency: 'USD' },
  }),
  'payments.continue': async (platform) => ({
    params: { paymentId: (await newAuthenticatedPayment(platform)).payment.id },
  }),
  'payments.get': async (platform) => ({
    params: { paymentId: (await pay(platform, (await newInstrument(platform)).id)).id },
  }),
  'payments.getLedger': async (platform) => ({
    params: { paymentId: (await pay(platform, (await newInstrument(platform)).id)).id },
  }),
  'payments.list': async (platform) => ({
    query: { orderId: (await pay(platform, (await newInstrument(platform)).id)).orderId },
  }),
  'payments.capture': async (platform) => ({
    params: { paymentId: (await authorise(platform)).id },
    body: { amount: 1_500 },
  }),
  'payments.refund': async (platform) => ({
    params: { paymentId: (await pay(platform, (await newInstrument(platform)).id)).id },
    body: { amount: 500, reason: 'Came back unopened' },
  }),
  'payments.void': async (platform) => ({ params: { paymentId: (await authorise(platform)).id } }),
  'refunds.get': async (platform) => ({ params: { refundId: (await newRefund(platform)).id } }),
  'refunds.list': async (platform) => ({ query: { paymentId: (await newRefund(platform)).paymentId } }),
  'disputes.get': async (platform) => ({ params: { disputeId: (await newDispute(platform)).id } }),
  'disputes.list': async (platform) => ({ query: { paymentId: (await newDispute(platform)).paymentId } }),
  'disputes.submitEvidence': async (platform) => ({
    params: { disputeId: (await newDispute(platform)).id },
    body: { productDescription: 'A pair of wool socks', shippingTrackingNumber: 'JJD000390007' },
  }),
  'disputes.simulate': async (platform) => ({
    params: { paymentId: (await pay(platform, (await newInstrument(platform)).id)).id },
    body: { kind: 'inquiry', amount: 500, reason: 'product_not_received' },
  }),
  'disputes.simulateOutcome': async (platform) => ({
    params: { disputeId: (await newDispute(platform)).id },
    body: { outcome: 'won' },
  }),
}
