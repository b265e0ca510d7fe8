import { z } from 'zod'
import { scaExemption } from './payment-methods.ts'

const requestIn = z.enum(['authentication', 'authorization'])

const policyFields = {
  exemptions: z
    .array(scaExemption)
    .min(1)
    .max(scaExemption.options.length)
    .refine((all) => new Set(all).size === all.length, { error: 'must name each exemption once' })
    .meta({
      description:
        'The exemptions to ask for: the first that applies to a payment is. `low_value`: article 16. `low_risk`: article 18, by the fraud rate in the processor’s settings. `recurring`: article 14. `trusted`: article 13. `secure_corporate`: article 17.',
      examples: [['trusted', 'low_value', 'low_risk']],
    }),
  requestIn: requestIn.meta({
    description:
      'Where to ask. `authentication`: the issuer is asked with 3-D Secure not to challenge. `authorization`: the card is charged without 3-D Secure, and the buyer authenticates if the issuer wants that.',
    examples: ['authorization'],
  }),
}

/** The exemptions that a flow's payments ask for. */
export const exemptionPolicy = z
  .object(policyFields)
  .meta({ id: 'ExemptionPolicy', description: 'The exemptions from strong customer authentication to ask for.' })
export type ExemptionPolicy = z.infer<typeof exemptionPolicy>

/** Why an exemption applies to a payment, or does not. */
const exemptionReason = z.enum([
  'applies',
  'processor_cannot',
  'currency_without_limit',
  'amount_too_high',
  'five_in_a_row',
  'sum_too_high',
  'fraud_rate_unknown',
  'fraud_rate_too_high',
  'no_earlier_payment',
  'other_amount',
  'not_trusted',
  'not_commercial',
])
export type ExemptionReason = z.infer<typeof exemptionReason>

/** Why no exemption is considered at all. */
const exemptionScope = z.enum([
  'in_scope',
  'merchant_initiated',
  'nothing_to_pay',
  'acquirer_unknown',
  'acquirer_elsewhere',
  'authentication_wanted',
  'agreement_begins',
  'without_authentication',
])

/** How the exemptions of a payment's flow were decided on. */
export const scaDecision = z
  .object({
    scope: exemptionScope.meta({
      description:
        'Whether exemptions were considered, or why not. `merchant_initiated`: the buyer is absent, and the regulation asks for nobody. `acquirer_unknown`: the processor’s settings do not say where its acquirer is. `acquirer_elsewhere`: it is neither in the European Economic Area nor in the United Kingdom. `authentication_wanted`: the merchant, the abuse detection or the circumstances want the buyer. `agreement_begins`: the buyer agrees to later charges, for which article 14 wants them authenticated. `without_authentication`: the flow asks in the authentication, and authenticates nobody.',
      examples: ['in_scope'],
    }),
    asked: scaExemption
      .nullable()
      .meta({ description: 'The exemption that is asked for, or null.', examples: ['low_value'] }),
    requestedIn: requestIn
      .nullable()
      .meta({ description: 'Where it is asked for; null where none is.', examples: ['authorization'] }),
    result: z
      .enum(['honoured', 'refused', 'unknown'])
      .nullable()
      .meta({
        description:
          'Result in the authentication, or `refused` where the issuer wanted the buyer all the same; null before. The processor’s own result is in the attempt’s `exemption`.',
        examples: [null],
      }),
    considered: z
      .array(
        z.object({
          exemption: scaExemption.meta({ description: 'The exemption.', examples: ['low_value'] }),
          article: z.int().meta({
            description:
              'Its article in Delegated Regulation (EU) 2018/389; the same in the rules of the United Kingdom.',
            examples: [16],
          }),
          reason: exemptionReason.meta({
            description:
              'Why it applies or does not. `five_in_a_row`, `sum_too_high`: the card has had as many exempted payments, or as much of them, since its buyer was last authenticated.',
            examples: ['applies'],
          }),
        }),
      )
      .meta({ description: 'The exemptions of the flow’s policy in its order, each with why it applies or does not.' }),
  })
  .meta({ id: 'ScaDecision', description: 'How the exemptions of a payment’s flow were decided on.' })
export type ScaDecision = z.infer<typeof scaDecision>
