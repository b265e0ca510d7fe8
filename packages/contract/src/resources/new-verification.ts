import { z } from 'zod'
import { exampleId } from '../ids.ts'
import { currency } from '../money.ts'
import { newPayment } from './new-payment.ts'
import { futureUsage } from './payment-instruments.ts'
import { challengePreference } from './threeds-series.ts'

const { storeId, securityCodeToken, paymentFlowId, buyerIp, metadata } = newPayment.shape

/** The body of `POST /api/payments/v1/payment-instruments/{paymentInstrumentId}/verify`. */
export const newVerification = z
  .strictObject({
    storeId,
    securityCodeToken,
    paymentFlowId,
    currency: currency.meta({
      description: 'A currency that the store charges in, as an upper-case ISO 4217 code: the amount is 0 of it.',
    }),
    usage: futureUsage.default('off_session').meta({
      description:
        'Agreement of the buyer, who is there: `on_session` to pay with the card again, `off_session` to be charged in their absence as well.',
      examples: ['off_session'],
    }),
    challengePreference: challengePreference.default('no-preference').meta({
      description:
        'The challenge preference for 3-D Secure, by name or by code (threeDSRequestorChallengeInd). `challenge-mandated` has the buyer authenticated even if the payment flow does not. For `off_session`, `no-preference` becomes `challenge-mandated` where the flow has buyers authenticated.',
    }),
    buyerIp,
    metadata,
  })
  .meta({ examples: [{ storeId: exampleId('store'), currency: 'USD', usage: 'off_session' }] })
