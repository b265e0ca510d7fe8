import { z } from 'zod'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { address, customerData } from './customers.ts'
import { previewOptions } from './funnel-sessions.ts'
import { funnelStep } from './funnels.ts'
import { order, orderBuyer, orderLine, orderPromotions, orderStatus } from './orders.ts'
import { cardSummary, instrumentFromToken } from './payment-instruments.ts'
import { newPayment, payment } from './payments.ts'
import { promotionCode } from './promotions.ts'
import { broughtAlong } from './session-hand-over.ts'
import { sessionShipping } from './shipping-options.ts'

const stepUrl = z
  .string()
  .nullable()
  .meta({
    description:
      'Where the step is served: on a domain of the plugin’s, else on its host; null where no plugin serves it.',
    examples: ['https://shop.example.com/checkout'],
  })

const stepInOrder = funnelStep
  .pick({ id: true, type: true, name: true, path: true })
  .extend({ url: stepUrl })
  .meta({ id: 'SessionStep' })

/** A payment as its buyer's page may see it. */
export const sessionPayment = payment
  .pick({
    id: true,
    orderId: true,
    paymentInstrumentId: true,
    status: true,
    requireAction: true,
    nextAction: true,
    amount: true,
    currency: true,
    declineCode: true,
  })
  .meta({ id: 'SessionPayment', description: 'A payment as its buyer’s page may see it.' })
export type SessionPayment = z.infer<typeof sessionPayment>

/** What the buyer is about to buy, or has bought at last. */
export const sessionOrder = z
  .object({
    id: idOf('order', 'The order; null until it is being paid.').nullable(),
    status: z.enum(['open', ...orderStatus.options]).meta({
      description: '`open` can be changed, `pending` is being paid; the others are those of an order.',
      examples: ['open'],
    }),
    currency: z.string().meta({ description: 'The ISO 4217 code of all amounts of the order.', examples: ['USD'] }),
    amount: amount.meta({ description: 'What the order costs, in minor units of `currency`.' }),
    subtotal: order.shape.subtotal,
    discountAmount: order.shape.discountAmount,
    shippingAmount: order.shape.shippingAmount,
    shippingDiscount: order.shape.shippingDiscount,
    shipping: sessionShipping.nullable().meta({
      description: 'How the goods get to the buyer; null where nothing has to be shipped.',
    }),
    lines: z.array(orderLine).meta({ description: 'What is bought; empty as long as nothing was chosen.' }),
    promotionCodes: z
      .array(z.string())
      .meta({ description: 'The codes that the buyer has entered.', examples: [['SUMMER10']] }),
    promotions: orderPromotions.meta({
      description: 'Which promotions reduce the order, and which of the buyer’s codes were left out and why.',
      examples: [{ applied: [], leftOut: [] }],
    }),
    problem: z
      .string()
      .nullable()
      .meta({
        description: 'Why an open order cannot be priced any more, such as a product that was withdrawn; or null.',
        examples: [null],
      }),
  })
  .meta({ id: 'SessionOrder', description: 'What the buyer is about to buy, or has bought at last.' })
export type SessionOrder = z.infer<typeof sessionOrder>

/** A buyer's session as the buyer's own page sees it. */
export const buyerSession = z
  .object({
    sessionId: idOf('funnelSession', 'The session.'),
    storeId: idOf('store', 'The store that sells.'),
    isPreview: z.boolean().meta({ description: 'Whether it is a preview, which sells nothing.', examples: [false] }),
    expiresAt: timestamp.meta({ description: 'Until when the token is good; using it puts that off, up to a day.' }),
    customer: orderBuyer
      .extend({ id: idOf('customer', 'The customer that the session began with.') })
      .meta({ id: 'SessionCustomer', description: 'The buyer, by what was said in this session.' }),
    funnel: z
      .object({
        id: idOf('funnel', 'The funnel.'),
        name: z.string().meta({ description: 'What the funnel is called.', examples: ['Summer sale'] }),
        variantId: idOf('funnelVariant', 'The variant to show; null for a funnel without.').nullable(),
      })
      .nullable()
      .meta({ description: 'The funnel that the buyer goes through, or null.' }),
    step: funnelStep
      .omit({ previewOnly: true })
      .extend({ url: stepUrl })
      .nullable()
      .meta({ description: 'Where the buyer is; null without a funnel.' }),
    nextStep: stepInOrder.nullable().meta({ description: 'Where `next` leads to; null at the end.' }),
    furthestStepId: idOf('funnelStep', 'How far the buyer has come; null without a funnel.').nullable(),
    isCompleted: z
      .boolean()
      .meta({ description: 'Whether the buyer has come to the end of the funnel.', examples: [false] }),
    order: sessionOrder,
    payment: sessionPayment
      .nullable()
      .meta({ description: 'The payment of the order, or the last one that failed; null before the first.' }),
    broughtAlong: broughtAlong.nullable().meta({
      description:
        'What an earlier page put into the order before it handed the session over. Nothing can be paid until the buyer has confirmed it; null when there is nothing to confirm.',
    }),
    paymentInstruments: z
      .array(
        z.object({
          id: idOf('paymentInstrument', 'The payment instrument.'),
          card: cardSummary.meta({ description: 'What may be shown of the card.' }),
        }),
      )
      .meta({ description: 'The cards that were used in this session, and can be charged again in it.' }),
    preview: previewOptions.nullable().meta({ description: 'What the preview asked for; null for a buyer’s session.' }),
  })
  .meta({ id: 'BuyerSession', description: 'A buyer’s session as the buyer’s own page sees it.' })
export type BuyerSession = z.infer<typeof buyerSession>

/** A session that was begun. `token` is shown this once. */
export const begunSession = z
  .object({
    token: z.string().meta({
      description: 'Opens the session to the page, for an hour after its last use and a day at most.',
      examples: ['fstok_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    session: buyerSession,
  })
  .meta({ id: 'BegunSession' })

/** The body of `POST /api/session/v1/session/promotion-codes`. */
export const sessionCode = z.object({
  code: promotionCode.meta({ description: 'A promotion’s code as the buyer has typed it.', examples: ['SUMMER10'] }),
})

/** The body of `PUT /api/session/v1/session/contact`. */
export const sessionContact = z.object({
  email: z
    .email()
    .max(254)
    .meta({
      description: 'The buyer’s e-mail address, as it was typed.',
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
    .meta({ description: 'Where the card’s statements go; as before if left out, none if null.' }),
  shippingAddress: address
    .nullable()
    .optional()
    .meta({ description: 'Where the goods go; as before if left out, none if null.' }),
})

/** The body of `POST /api/session/v1/session/pay`. */
export const sessionPay = z
  .object({
    serviceToken: instrumentFromToken.shape.serviceToken.optional().meta({
      description: 'What `card.tokenize()` returned for a card that was typed: this or `paymentInstrumentId`.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoiY2FyZCIsInByb3ZpZGVyIjoidGlsbHdyaWdodCJ9'],
    }),
    paymentInstrumentId: referenceTo(
      'paymentInstrument',
      'A card that was used in this session before: this or `serviceToken`.',
    ).optional(),
    securityCodeToken: newPayment.shape.securityCodeToken,
    expectedAmount: amount.meta({
      description:
        'What the buyer was shown, in minor units. If the order costs something else by now, nothing is charged.',
      examples: [4_820],
    }),
    expectedCurrency: currency.optional().meta({
      description:
        'The currency that the buyer was shown. Required with `paymentInstrumentId`: a card is charged again for the very sum that its buyer has agreed to.',
      examples: ['USD'],
    }),
  })
  .refine((body) => body.paymentInstrumentId === undefined || body.expectedCurrency !== undefined, {
    path: ['expectedCurrency'],
    error: 'is required with `paymentInstrumentId`: send the currency that the buyer was shown',
  })
  .refine((body) => (body.serviceToken === undefined) !== (body.paymentInstrumentId === undefined), {
    path: ['serviceToken'],
    error: 'must be given unless `paymentInstrumentId` is: send one of the two',
  })
  .refine((body) => body.securityCodeToken === undefined || body.serviceToken === undefined, {
    path: ['securityCodeToken'],
    error: 'must be left out with a `serviceToken`, which brings its security code along',
  })
  .meta({
    examples: [
      { serviceToken: 'eyJ2IjoxLCJ0eXBlIjoiY2FyZCIsInByb3ZpZGVyIjoidGlsbHdyaWdodCJ9', expectedAmount: 4_820 },
      {
        paymentInstrumentId: exampleId('paymentInstrument'),
        securityCodeToken: 'eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9',
        expectedAmount: 4_820,
        expectedCurrency: 'USD',
      },
    ],
  })
export type SessionPay = z.output<typeof sessionPay>

/** The body of `POST /api/session/v1/session/next`. */
export const sessionNext = z.object({
  stepId: referenceTo('funnelStep', 'The step that the page shows. One that was left already is not left twice.'),
})

/** The body of `POST /api/session/v1/session/go-to`. */
export const sessionStep = z.object({
  stepId: referenceTo('funnelStep', 'The step to go to; where the buyer is already, nothing happens.'),
})

/** The body of `POST /api/session/v1/sessions`: where the buyer enters. */
export const newBuyerSession = z
  .object({
    funnelId: referenceTo(
      'funnel',
      'The funnel that the buyer enters, at its first step: this or `storeId`.',
    ).optional(),
    stepId: referenceTo(
      'funnelStep',
      'The step of the funnel whose page the buyer opened: the session begins there if no checkout comes before it.',
    ).optional(),
    storeId: referenceTo(
      'store',
      'The store that the buyer meets outside of any funnel: this or `funnelId`.',
    ).optional(),
  })
  .refine(({ funnelId, storeId }) => (funnelId === undefined) !== (storeId === undefined), {
    path: ['funnelId'],
    error: 'must be given unless `storeId` is: send one of the two',
  })
  .refine(({ funnelId, stepId }) => stepId === undefined || funnelId !== undefined, {
    path: ['stepId'],
    error: 'is a step of a funnel; send `funnelId` with it',
  })
  .meta({ examples: [{ funnelId: exampleId('funnel') }, { storeId: exampleId('store') }] })
export type NewBuyerSession = z.output<typeof newBuyerSession>
