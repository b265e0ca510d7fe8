import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import {
  METADATA_KEY_MAX_CHARS,
  METADATA_MAX_KEYS,
  LINE_QUANTITY_MAX,
  ORDER_LINES_MAX,
  PROMOTION_CODES_MAX,
  STATEMENT_DESCRIPTOR_MAX_CHARS,
  TRIAL_DAYS_MAX,
} from '../limits.ts'
import { amount, currency, positiveAmount } from '../money.ts'
import { ipAddress, label, webAddress } from '../text.ts'
import { captureMethod } from './captures-and-refunds.ts'
import { address } from './customers.ts'
import { futureUsage } from './payment-instruments.ts'
import { leadsAway, type NewPaymentMethod, newPaymentMethod } from './payment-methods.ts'
import { initiatedBy } from './payments.ts'
import { promotionCode } from './promotions.ts'
import {
  authenticationType,
  type ChallengePreference,
  challengePreference,
  recurringInfo,
  requireSeriesTerms,
} from './threeds-series.ts'

/**
 * Text that may be added to a statement. Source: Stripe, "Statement descriptors"; the networks' rules are as strict.
 */
const statementDescriptor = z
  .string()
  .max(STATEMENT_DESCRIPTOR_MAX_CHARS)
  .regex(
    /^(?=.*[A-Za-z])[ !#-&()+-;=?-[\]-~]+$/,
    'must be printable ASCII with at least one letter, without < > \\ * and quotes',
  )
  .meta({
    description:
      'Text on the buyer’s statement after the merchant’s name: up to 20 characters of ASCII with at ' +
      'least one letter, without `<`, `>`, `\\`, `*` and quotes. Ignored by processors that cannot add text to a statement.',
    examples: ['ORDER 1042'],
  })

const paid = {
  storeId: exampleId('store'),
  paymentInstrumentId: exampleId('paymentInstrument'),
  currency: 'USD',
  metadata: { campaign: 'spring' },
}

/**
 * The body of `POST /api/payments/v1/payments`. Send either `lines`, priced from the catalogue, or a plain `amount`.
 * The store's flow is used unless another is named.
 */
export const newPayment = z
  .strictObject({
    storeId: referenceTo('store', 'The store that receives the payment.'),
    paymentInstrumentId: referenceTo(
      'paymentInstrument',
      'The payment instrument to charge: an active one of the store. This or `paymentMethod`.',
    ).optional(),
    paymentMethod: newPaymentMethod.optional().meta({
      description: 'The method, where it is no card: this or `paymentInstrumentId`.',
      examples: [{ type: 'ideal' }],
    }),
    customerId: referenceTo(
      'customer',
      'Who pays, with `paymentMethod`; a payment instrument has its own customer.',
    ).optional(),
    returnUrl: webAddress.optional().meta({
      description:
        'Where the buyer comes back to from the method’s page, with the payment’s id added as `paymentId`. Required for `ideal` and `paypal`.',
      examples: ['https://shop.example/thanks'],
    }),
    securityCodeToken: z
      .string()
      .min(1)
      .max(8_192)
      .optional()
      .meta({
        description:
          'With a saved card: the token from `card.tokenize()` for its security code. Single-use, for this instrument only, valid ' +
          'for 15 minutes.',
        examples: ['eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9'],
      }),
    paymentFlowId: referenceTo(
      'paymentFlow',
      'The flow that picks the processor; the store’s default if left out.',
    ).optional(),
    currency: currency.meta({ description: 'The currency of the order, as an upper-case ISO 4217 code.' }),
    amount: positiveAmount
      .optional()
      .meta({ description: 'The amount to pay, in minor units of `currency`, more than 0: this or `lines`.' }),
    lines: z
      .array(
        z.strictObject({
          variantId: referenceTo('variant', 'A variant of the store that is on sale.'),
          priceId: referenceTo(
            'price',
            'A price of the variant; its default if left out. A recurring price starts a subscription.',
          ).optional(),
          quantity: z
            .int()
            .min(1)
            .max(LINE_QUANTITY_MAX)
            .default(1)
            .meta({ description: 'The quantity.', examples: [2] }),
          trialDays: z
            .int()
            .min(0)
            .max(TRIAL_DAYS_MAX)
            .optional()
            .meta({
              description:
                'The free trial of a recurring price in days, instead of the price’s own. If promotions add a trial, the longest one counts.',
              examples: [14],
            }),
        }),
      )
      .min(1)
      .max(ORDER_LINES_MAX)
      .optional()
      .meta({ description: 'The lines to buy, priced from the catalogue: this or `amount`.' }),
    captureMethod: captureMethod.default('automatic').meta({
      description:
        '`automatic` captures the payment with the authorization. `manual` only authorizes it: capture or void it later.',
      examples: ['manual'],
    }),
    statementDescriptor: statementDescriptor.optional(),
    authenticationType: authenticationType.default('payment-transaction').meta({
      description:
        'Agreement of the buyer that the issuer is told, if the payment is authenticated with 3-D Secure: one payment, or the first of a series.',
    }),
    recurringInfo: recurringInfo.optional(),
    initiatedBy: initiatedBy.default('buyer').meta({
      description:
        '`merchant` charges the card in the buyer’s absence, under what the buyer agreed to earlier (`consent` of the payment instrument): there is no 3-D Secure and no security code. `authenticationType` says of which kind the charge is; a `payment-transaction` is an unscheduled one.',
      examples: ['buyer'],
    }),
    setupFutureUsage: futureUsage.optional().meta({
      description:
        'Agreement of the buyer, who is there: `on_session` to pay with the card again, `off_session` to be charged in their absence as well. Recurring prices, recurring and installment transactions imply `off_session`.',
      examples: ['off_session'],
    }),
    challengePreference: challengePreference.default('no-preference').meta({
      description:
        'The challenge preference for 3-D Secure, by name or by code (threeDSRequestorChallengeInd). `challenge-mandated` has the buyer authenticated even if the payment flow does not. Where a payment that begins a series is authenticated, `no-preference` becomes `challenge-mandated`.',
    }),
    promotionCodes: z
      .array(promotionCode)
      .max(PROMOTION_CODES_MAX)
      .default([])
      .meta({
        description: 'The codes that the buyer has entered; automatic promotions need none. Only with `lines`.',
        examples: [['SUMMER10']],
      }),
    shippingAmount: amount.default(0).meta({
      description: 'The shipping price before discounts, in minor units of `currency`. Only with `lines`.',
      examples: [500],
    }),
    destination: address.optional().meta({
      description:
        'Where the order goes, for the store’s `tax` and `stock` hooks; without such hooks it has no effect. Renewals of a subscription are taxed by the customer’s own address instead. Only with `lines`.',
      examples: [{ country: 'IE', city: 'Dublin', postalCode: 'D08 X2Y4' }],
    }),
    expectedAmount: amount.optional().meta({
      description:
        'The total the buyer saw, in minor units of `currency`. If the order costs something else by now, ' +
        'nothing is charged and the response is a 409. Only with `lines`.',
      examples: [4_098],
    }),
    expectedDeferredAmount: amount.optional().meta({
      description:
        'The sum of the lines’ `deferredAmount` that the buyer saw, which is charged after a free trial or a period. If it is ' +
        'something else by now, nothing is charged and the response is a 409. Only with `lines`.',
      examples: [1_500],
    }),
    buyerIp: ipAddress.optional().meta({
      description:
        'The public IP address of the buyer’s browser, IPv4 or IPv6, for the limits of the flow’s abuse ' +
        'detection. Without it, attempts are not counted by address.',
      examples: ['203.0.113.7'],
    }),
    metadata: z
      .record(z.string().max(METADATA_KEY_MAX_CHARS), label)
      .refine(
        (entries) => Object.keys(entries).length <= METADATA_MAX_KEYS,
        `must have at most ${METADATA_MAX_KEYS} keys`,
      )
      .default({})
      .meta({
        maxProperties: METADATA_MAX_KEYS,
        description: `Your own metadata for the order: at most ${METADATA_MAX_KEYS} keys. Kept only: your systems recognize the order by it.`,
        examples: [{ cart: 'c-1024' }],
      }),
  })
  .refine((body) => (body.amount === undefined) !== (body.lines === undefined), {
    path: ['lines'],
    error: 'is required unless `amount` is given: send one of the two',
  })
  .superRefine(oneMethod)
  .superRefine(pricedFieldsNeedLines)
  .superRefine(absentBuyerDoesNothing)
  .superRefine(requireSeriesTerms)
  .meta({
    examples: [
      { ...paid, amount: 4_098 },
      { ...paid, lines: [{ variantId: exampleId('variant'), quantity: 2 }] },
      {
        storeId: exampleId('store'),
        paymentMethod: { type: 'ideal' },
        customerId: exampleId('customer'),
        returnUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        amount: 4_098,
      },
      {
        storeId: exampleId('store'),
        paymentMethod: {
          type: 'sepa_debit',
          iban: 'AT61 1904 3002 3457 3201',
          holderName: 'Ada Byrne',
          mandateAccepted: true,
        },
        customerId: exampleId('customer'),
        currency: 'EUR',
        amount: 4_098,
      },
    ],
  })
export type NewPayment = z.output<typeof newPayment>

interface PricedFields {
  lines?: unknown
  promotionCodes: readonly string[]
  shippingAmount: number
  expectedAmount?: number | undefined
  expectedDeferredAmount?: number | undefined
}

interface MethodFields {
  paymentInstrumentId?: string | undefined
  paymentMethod?: Pick<NewPaymentMethod, 'type'> | undefined
  customerId?: string | undefined
  returnUrl?: string | undefined
  securityCodeToken?: string | undefined
  captureMethod: string
  initiatedBy: string
  setupFutureUsage?: string | undefined
}

/** A payment is made with a card that is known, or with another method, which has fields of its own. */
function oneMethod(body: MethodFields, context: z.RefinementCtx) {
  const { paymentInstrumentId, paymentMethod } = body
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if ((paymentInstrumentId === undefined) === (paymentMethod === undefined)) {
    return refuse('paymentInstrumentId', 'is required unless `paymentMethod` is given: send one of the two')
  }
  if (paymentMethod === undefined) {
    if (body.customerId !== undefined) refuse('customerId', 'belongs to a paymentMethod: leave it out')
    if (body.returnUrl !== undefined) refuse('returnUrl', 'belongs to a paymentMethod that leads away: leave it out')
    return
  }
  const isLeft = leadsAway(paymentMethod.type)
  if (body.customerId === undefined) refuse('customerId', 'is required with a paymentMethod: send who pays')
  if (isLeft && body.returnUrl === undefined) refuse('returnUrl', 'is required: the buyer comes back from there')
  if (!isLeft && body.returnUrl !== undefined) refuse('returnUrl', 'is for methods that lead away: leave it out')
  if (body.captureMethod === 'manual') refuse('captureMethod', 'must be automatic: only cards are authorized first')
  if (body.initiatedBy === 'merchant') refuse('initiatedBy', 'must be buyer: only cards are charged in their absence')
  for (const field of ['securityCodeToken', 'setupFutureUsage'] as const) {
    if (body[field] !== undefined) refuse(field, 'belongs to a card: leave it out')
  }
}

interface InitiatedFields {
  initiatedBy: 'buyer' | 'merchant'
  securityCodeToken?: string | undefined
  setupFutureUsage?: string | undefined
  challengePreference: ChallengePreference
}

/** A buyer who is absent types nothing, agrees to nothing and cannot be challenged. */
function absentBuyerDoesNothing(body: InitiatedFields, context: z.RefinementCtx) {
  if (body.initiatedBy === 'buyer') return
  const isSent = {
    securityCodeToken: body.securityCodeToken !== undefined,
    setupFutureUsage: body.setupFutureUsage !== undefined,
    challengePreference: body.challengePreference !== 'no-preference',
  }
  for (const [field, given] of Object.entries(isSent)) {
    if (!given) continue
    const message = 'needs a buyer who is there: leave it out, or leave out initiatedBy'
    context.addIssue({ code: 'custom', path: [field], message })
  }
}

/** A plain amount is final: promotions, shipping and trials apply to lines only. */
function pricedFieldsNeedLines(body: PricedFields, context: z.RefinementCtx) {
  if (body.lines !== undefined) return
  const given = {
    promotionCodes: body.promotionCodes.length > 0,
    shippingAmount: body.shippingAmount > 0,
    expectedAmount: body.expectedAmount !== undefined,
    expectedDeferredAmount: body.expectedDeferredAmount !== undefined,
  }
  for (const [field, isGiven] of Object.entries(given)) {
    if (isGiven)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: 'can only be sent with lines: leave it out or send lines',
      })
  }
}
