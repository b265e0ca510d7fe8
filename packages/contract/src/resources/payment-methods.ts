import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { ibanFault, plainIban } from '../iban.ts'
import { amount, currency, positiveAmount } from '../money.ts'
import { country, label, timestamp } from '../text.ts'

/**
 * How a payment is made. `ideal` and `paypal` redirect the buyer to another page and back, `sepa_debit` debits a bank
 * account, `voucher` is a code to pay with elsewhere. `none` is for an order that costs nothing.
 */
export const paymentMethodType = z.enum(['card', 'ideal', 'paypal', 'sepa_debit', 'voucher', 'none'])
export type PaymentMethodType = z.infer<typeof paymentMethodType>

/** Whether the buyer pays on another page, and has to come back from there. */
export function leadsAway(method: PaymentMethodType): boolean {
  return method === 'ideal' || method === 'paypal'
}

/**
 * An exemption from strong customer authentication. Source: Delegated Regulation (EU) 2018/389, articles 13 to 18. A
 * payment that the merchant asks for is out of its scope and needs none.
 */
export const scaExemption = z.enum(['low_value', 'low_risk', 'recurring', 'trusted', 'secure_corporate'])
export type ScaExemption = z.infer<typeof scaExemption>

const exemptionResult = z.enum(['honoured', 'refused', 'unknown'])
export type ExemptionResult = z.infer<typeof exemptionResult>

/** The exemption that an attempt asked for. */
export const attemptExemption = z.object({
  asked: scaExemption.meta({
    description: 'The exemption from strong customer authentication that was asked for.',
    examples: ['low_risk'],
  }),
  result: exemptionResult.nullable().meta({
    description:
      'Result; null before the processor has answered. `unknown`: the payment went through, and the processor does not tell.',
    examples: ['honoured'],
  }),
})
export type AttemptExemption = z.infer<typeof attemptExemption>

/** The issuer's verdict on a detail that the buyer has typed. */
export const checkResult = z.enum(['pass', 'fail', 'unavailable', 'unchecked'])
export type CheckResult = z.infer<typeof checkResult>

const check = (what: string) =>
  checkResult.meta({
    description: `Whether ${what} is right, as the issuer says. \`unavailable\`: it could not tell. \`unchecked\`: it was not asked, or does not tell.`,
    examples: ['pass'],
  })

/** The issuer's checks of what a buyer has typed. */
export const attemptChecks = z.object({
  cvc: check('the security code'),
  postalCode: check('the postal code of the billing address'),
  addressLine: check('the street of the billing address'),
})
export type AttemptChecks = z.infer<typeof attemptChecks>

/** A processor's fee for a payment. */
export const attemptFee = z.object({
  amount: amount.meta({ description: 'The fee, in minor units of its currency.', examples: [89] }),
  currency: currency.meta({ description: 'The currency of the fee: upper-case ISO 4217 code.', examples: ['USD'] }),
})
export type AttemptFee = z.infer<typeof attemptFee>

/** How a voucher is paid. */
export const voucherInstructions = z.object({
  code: z.string().meta({ description: 'Text that the buyer shows or types to pay.', examples: ['4711 0815 42'] }),
  url: z
    .url()
    .nullable()
    .meta({
      description: 'A page with the voucher to print or to show; null where there is none.',
      examples: ['https://voucher.example/4711081542'],
    }),
  expiresAt: timestamp.meta({ description: 'Until when it can be paid.', examples: ['2026-12-04T09:30:00.000Z'] }),
})
export type VoucherInstructions = z.infer<typeof voucherInstructions>

/** An account of a buyer's, checked as ISO 13616 says. Blanks are left out and letters made capitals. */
const iban = z
  .string()
  .max(42)
  .overwrite(plainIban)
  // No pattern of the schema, which what is typed need not have.
  .refine((plain) => ibanFault(plain) !== 'form', {
    error: 'must be an IBAN, such as DE89 3704 0044 0532 0130 00',
    abort: true,
  })
  .refine(
    (plain) => ibanFault(plain) === null,
    'must be an IBAN whose check digits are right: ask the buyer to look at it again',
  )

/** A method other than a card, as a payment is asked for with it. */
export const newPaymentMethod = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ideal').meta({ description: 'iDEAL: the buyer pays at their bank.' }) }),
    z.strictObject({ type: z.literal('paypal').meta({ description: 'PayPal: the buyer pays there.' }) }),
    z.strictObject({
      type: z.literal('sepa_debit').meta({ description: 'SEPA debit: the money is fetched from an account.' }),
      iban: iban.meta({
        description: 'The account. It is sent on and not kept.',
        examples: ['AT61 1904 3002 3457 3201'],
      }),
      holderName: label.min(1).meta({ description: 'Who holds the account.', examples: ['Ada Byrne'] }),
      mandateAccepted: z.literal(true).meta({
        description: 'That the buyer has agreed to the mandate that you have shown them.',
        examples: [true],
      }),
    }),
    z.strictObject({
      type: z.literal('voucher').meta({ description: 'A voucher: the buyer pays elsewhere, with a code.' }),
    }),
    z.strictObject({
      type: z.literal('none').meta({
        description:
          'Nothing: for an order that costs nothing and has no price that recurs. Of all others it is refused.',
      }),
    }),
  ])
  .meta({ description: 'The method, where it is no card.', examples: [{ type: 'ideal' }] })
export type NewPaymentMethod = z.output<typeof newPaymentMethod>

/** Method of a payment, with the details that may be displayed. */
export const paymentMethod = z.object({
  type: paymentMethodType.meta({
    description: 'The method; `none` where there was nothing to pay and nobody was asked, whatever was sent.',
    examples: ['card'],
  }),
  sepaDebit: z
    .object({
      ibanLast4: z.string().meta({ description: 'The end of the account’s IBAN.', examples: ['3201'] }),
      mandateReference: z
        .string()
        .meta({ description: 'The reference of the mandate.', examples: ['0VbVJlLcDk2m8QpXw4Zr7T'] }),
    })
    .nullable()
    .meta({ description: 'The account that is debited; null for other methods.', examples: [null] }),
  voucher: voucherInstructions.nullable().meta({
    description: 'How the voucher is paid; null for other methods, and before the processor has issued it.',
    examples: [null],
  }),
})
export type ShownPaymentMethod = z.infer<typeof paymentMethod>

/** The body of `POST /api/session/v1/payment-methods`: a payment that a page is about to offer. */
export const offeredPayment = z.object({
  storeId: referenceTo('store', 'The store that is to be paid, which has a payment flow.'),
  currency: currency.meta({ description: 'The currency of the payment, as an upper-case ISO 4217 code.' }),
  amount: positiveAmount.meta({ description: 'The amount to pay, in minor units of `currency`, more than 0.' }),
  country: country.optional().meta({
    description:
      'The country of the buyer’s billing address, as an upper-case ISO 3166-1 alpha-2 code. If left out, no method is left out for its country.',
    examples: ['NL'],
  }),
})

/** The methods with which a payment can be made. */
export const methodOffer = z
  .object({
    data: z
      .array(z.object({ type: paymentMethodType.meta({ description: 'The method.', examples: ['ideal'] }) }))
      .meta({
        description:
          'In the order in which to show them, the card first; empty if nothing can take the payment. `none` alone for an order that costs nothing: it needs no payment.',
        examples: [[{ type: 'card' }, { type: 'ideal' }]],
      }),
  })
  .meta({ id: 'MethodOffer', description: 'The methods with which a buyer can pay.' })
export type MethodOffer = z.infer<typeof methodOffer>
