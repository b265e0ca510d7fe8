import { z } from 'zod'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { address, customerData } from './customers.ts'
import { previewOptions } from './funnel-sessions.ts'
import { funnelStep } from './funnels.ts'
import { orderPromotions } from './order-promotions.ts'
import { order, orderBuyer, orderLine, orderStatus } from './orders.ts'
import { cardSummary, instrumentFromToken } from './payment-instruments.ts'
import { newPayment } from './new-payment.ts'
import { payment } from './payments.ts'
import { newPaymentMethod } from './payment-methods.ts'
import { promotionCode } from './promotions.ts'
import { broughtAlong } from './session-hand-over.ts'
import { sessionShipping } from './shipping-options.ts'

const stepUrl = z
  .string()
  .nullable()
  .meta({
    description: 'The address of the step: on the plugin’s domain, otherwise on its host; null if no plugin serves it.',
    examples: ['https://shop.example.com/checkout'],
  })

const stepInOrder = funnelStep
  .pick({ id: true, type: true, name: true, path: true })
  .extend({ url: stepUrl })
  .meta({ id: 'SessionStep' })

/** A payment as its buyer's page sees it. */
export const sessionPayment = payment
  .pick({
    id: true,
    orderId: true,
    paymentInstrumentId: true,
    paymentMethod: true,
    status: true,
    requireAction: true,
    nextAction: true,
    expiresAt: true,
    amount: true,
    currency: true,
    declineCode: true,
  })
  .meta({ id: 'SessionPayment', description: 'A payment as its buyer’s page sees it.' })
export type SessionPayment = z.infer<typeof sessionPayment>

/** The session's order while it is being built, paid, or after it was bought. */
export const sessionOrder = z
  .object({
    id: idOf('order', 'The order; null until the buyer starts to pay.').nullable(),
    status: z.enum(['open', ...orderStatus.options]).meta({
      description:
        '`open` orders can be changed, `pending` orders are being paid; the others are the statuses of an order.',
      examples: ['open'],
    }),
    currency: z
      .string()
      .meta({ description: 'The currency of all amounts of the order, as an ISO 4217 code.', examples: ['USD'] }),
    amount: amount.meta({ description: 'The total of the order, in minor units of `currency`.' }),
    subtotal: order.shape.subtotal,
    discountAmount: order.shape.discountAmount,
    shippingAmount: order.shape.shippingAmount,
    shippingDiscount: order.shape.shippingDiscount,
    taxAmount: order.shape.taxAmount,
    shipping: sessionShipping.nullable().meta({
      description: 'The order’s shipping; null if nothing has to be shipped.',
    }),
    lines: z.array(orderLine).meta({ description: 'The lines of the order; empty until something is chosen.' }),
    promotionCodes: z
      .array(z.string())
      .meta({ description: 'The codes that the buyer has entered.', examples: [['SUMMER10']] }),
    promotions: orderPromotions.meta({
      description: 'The promotions that discount the order, and the buyer’s codes that do not apply and why.',
      examples: [{ applied: [], leftOut: [] }],
    }),
    problem: z
      .string()
      .nullable()
      .meta({
        description:
          'Why an open order cannot be paid as it is, such as a product that was withdrawn: the rest is priced; otherwise null.',
        examples: [null],
      }),
  })
  .meta({ id: 'SessionOrder', description: 'The order of a buyer’s session, open or placed.' })
export type SessionOrder = z.infer<typeof sessionOrder>

/** A buyer's session as the buyer's own page sees it. */
export const buyerSession = z
  .object({
    sessionId: idOf('funnelSession', 'The session.'),
    storeId: idOf('store', 'The store that sells.'),
    isPreview: z
      .boolean()
      .meta({ description: 'Whether the session is a preview, which sells nothing.', examples: [false] }),
    expiresAt: timestamp.meta({ description: 'When the token expires. Each use extends it, up to one day.' }),
    customer: orderBuyer
      .extend({ id: idOf('customer', 'The customer that the session started with.') })
      .meta({ id: 'SessionCustomer', description: 'The buyer, as entered in this session.' }),
    funnel: z
      .object({
        id: idOf('funnel', 'The funnel.'),
        name: z.string().meta({ description: 'The funnel’s name.', examples: ['Summer sale'] }),
        variantId: idOf('funnelVariant', 'The variant to show; null if the funnel has none.').nullable(),
      })
      .nullable()
      .meta({ description: 'The buyer’s funnel, or null.' }),
    step: funnelStep
      .omit({ previewOnly: true })
      .extend({ url: stepUrl })
      .nullable()
      .meta({ description: 'The buyer’s current step; null without a funnel.' }),
    nextStep: stepInOrder.nullable().meta({ description: 'The step that `next` leads to; null at the end.' }),
    furthestStepId: idOf('funnelStep', 'How far the buyer has progressed; null without a funnel.').nullable(),
    isCompleted: z.boolean().meta({ description: 'Whether the buyer has completed the funnel.', examples: [false] }),
    thankYouUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'The merchant’s own page for buyers who have paid: the store’s `customThankYouUrl` with the session’s paid orders as `orderId`. Send the buyer there instead of to a thank-you step. Null before anything is paid, without such a page, and in previews of `staging`.',
        examples: ['https://shop.example/thanks?orderId=order_3q8Zb1kV0pR7sT2uW9xYaB'],
      }),
    order: sessionOrder,
    payment: sessionPayment
      .nullable()
      .meta({ description: 'The payment of the order, or the last failed one; null before the first payment.' }),
    broughtAlong: broughtAlong.nullable().meta({
      description:
        'Lines that an earlier page added to the order before handing the session over. Nothing can be paid until the buyer confirms them; null if there is nothing to confirm.',
    }),
    paymentInstruments: z
      .array(
        z.object({
          id: idOf('paymentInstrument', 'The payment instrument.'),
          card: cardSummary.meta({ description: 'The card’s display details.' }),
        }),
      )
      .meta({ description: 'The cards used in this session, which can be charged again in it.' }),
    preview: previewOptions.nullable().meta({ description: 'The options of a preview; null for a buyer’s session.' }),
  })
  .meta({ id: 'BuyerSession', description: 'A buyer’s session as the buyer’s own page sees it.' })
export type BuyerSession = z.infer<typeof buyerSession>

/** A new session. `token` is returned only here. */
export const begunSession = z
  .object({
    token: z.string().meta({
      description:
        'Gives the page access to the session. Expires an hour after its last use, and after a day at the latest.',
      examples: ['fstok_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    session: buyerSession,
  })
  .meta({ id: 'BegunSession' })

/** The body of `POST /api/session/v1/session/promotion-codes`. */
export const sessionCode = z.object({
  code: promotionCode.meta({ description: 'The promotion’s code as typed by the buyer.', examples: ['SUMMER10'] }),
})

/** The body of `PUT /api/session/v1/session/contact`. */
export const sessionContact = z.object({
  email: z
    .email()
    .max(254)
    .meta({
      description: 'The buyer’s e-mail address as typed.',
      examples: ['ada@example.com'],
    }),
  firstName: customerData.shape.firstName,
  lastName: customerData.shape.lastName,
  phone: customerData.shape.phone,
})

/** The body of `PUT /api/session/v1/session/address`. */
export const sessionAddress = z.object({
  billingAddress: address
    .nullable()
    .optional()
    .meta({ description: 'The billing address; unchanged if left out, removed if null.' }),
  shippingAddress: address
    .nullable()
    .optional()
    .meta({ description: 'The shipping address; unchanged if left out, removed if null.' }),
})

/** The body of `POST /api/session/v1/session/pay`. */
export const sessionPay = z
  .object({
    serviceToken: instrumentFromToken.shape.serviceToken.optional().meta({
      description:
        'The token from `card.tokenize()` for a newly entered card: this, `paymentInstrumentId` or `paymentMethod`. In `local` and `development`, test tokens such as `tok_visa` are accepted, too.',
      examples: ['tok_visa'],
    }),
    paymentInstrumentId: referenceTo(
      'paymentInstrument',
      'A card already used in this session: this, `serviceToken` or `paymentMethod`.',
    ).optional(),
    paymentMethod: newPaymentMethod.optional().meta({
      description:
        'A method that is no card: this, `serviceToken` or `paymentInstrumentId`. The buyer comes back to the page of the session’s current step.',
      examples: [{ type: 'ideal' }],
    }),
    securityCodeToken: newPayment.shape.securityCodeToken,
    expectedAmount: amount.meta({
      description:
        'The total the buyer saw, in minor units. If the order costs something else by now, nothing is charged.',
      examples: [4_098],
    }),
    expectedDeferredAmount: amount.optional().meta({
      description:
        'The sum of the lines’ `deferredAmount` that the buyer saw, which is charged after a free trial or a period. If it is something else by now, nothing is charged.',
      examples: [1_500],
    }),
    expectedCurrency: currency.optional().meta({
      description:
        'The currency the buyer saw. Required unless a `serviceToken` is sent, because nothing but a newly entered card is charged other than for the exact amount its buyer agreed to.',
      examples: ['USD'],
    }),
  })
  .refine(({ expectedCurrency, serviceToken }) => expectedCurrency !== undefined || serviceToken !== undefined, {
    path: ['expectedCurrency'],
    error: 'is required without a `serviceToken`: send the currency that the buyer saw',
  })
  .refine(paysInOneWay, {
    path: ['serviceToken'],
    error: 'is required unless `paymentInstrumentId` or `paymentMethod` is given: send one of the three',
  })
  .refine((body) => body.securityCodeToken === undefined || body.paymentInstrumentId !== undefined, {
    path: ['securityCodeToken'],
    error: 'belongs to a `paymentInstrumentId`; a `serviceToken` already includes the security code: leave it out',
  })
  .meta({
    examples: [
      { serviceToken: 'tok_visa', expectedAmount: 4_098 },
      {
        paymentInstrumentId: exampleId('paymentInstrument'),
        securityCodeToken: 'eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9',
        expectedAmount: 4_098,
        expectedCurrency: 'USD',
      },
      { paymentMethod: { type: 'ideal' }, expectedAmount: 4_098, expectedCurrency: 'EUR' },
    ],
  })
export type SessionPay = z.output<typeof sessionPay>

interface Ways {
  serviceToken?: unknown
  paymentInstrumentId?: unknown
  paymentMethod?: unknown
}

function paysInOneWay({ serviceToken, paymentInstrumentId, paymentMethod }: Ways): boolean {
  return [serviceToken, paymentInstrumentId, paymentMethod].filter((way) => way !== undefined).length === 1
}

/** The body of `POST /api/session/v1/session/next`. */
export const sessionNext = z.object({
  stepId: referenceTo(
    'funnelStep',
    'The step the page shows. A step that the buyer has already left is not left again.',
  ),
})

/** The body of `POST /api/session/v1/session/go-to`. */
export const sessionStep = z.object({
  stepId: referenceTo('funnelStep', 'The step to go to; going to the current step changes nothing.'),
})

/** The body of `POST /api/session/v1/sessions`. */
export const newBuyerSession = z
  .object({
    funnelId: referenceTo('funnel', 'The funnel to enter, at its first step: this or `storeId`.').optional(),
    stepId: referenceTo(
      'funnelStep',
      'The step whose page the buyer opened. The session starts there if no checkout comes before it.',
    ).optional(),
    storeId: referenceTo('store', 'The store, for a session without a funnel: this or `funnelId`.').optional(),
  })
  .refine(({ funnelId, storeId }) => (funnelId === undefined) !== (storeId === undefined), {
    path: ['funnelId'],
    error: 'is required unless `storeId` is given: send one of the two',
  })
  .refine(({ funnelId, stepId }) => stepId === undefined || funnelId !== undefined, {
    path: ['stepId'],
    error: 'is a step of a funnel: send `funnelId` with it',
  })
  .meta({ examples: [{ funnelId: exampleId('funnel') }, { storeId: exampleId('store') }] })
export type NewBuyerSession = z.output<typeof newBuyerSession>
