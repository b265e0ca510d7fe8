import { z } from 'zod'
import { idOf } from '../ids.ts'
import { CHALLENGE_RESPONSE_MAX_CHARS } from '../limits.ts'
import { timestamp } from '../text.ts'
import { cardFunding, cardSummary } from './payment-instruments.ts'

/** The response that the buyer's browser got for solving a challenge. Its format depends on the verifier. */
const challengeResponse = z
  .string()
  .min(1)
  .max(CHALLENGE_RESPONSE_MAX_CHARS)
  .optional()
  .meta({
    description: 'After `challenge_required`: the single-use response to the challenge.',
    examples: ['0.u3wHxqkV7cQh1'],
  })

/** The body of `POST /api/vault/v1/tokens`: the card as a compact JWE (RFC 7516), ECDH-ES with A256GCM on P-256. */
export const newCardToken = z.object({
  jwe: z
    .string()
    .min(1)
    .max(8_192)
    .meta({
      description: 'The card as a compact JWE: ECDH-ES with A256GCM on P-256, under the key of the vault.',
      examples: ['eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..kV2mJ1YbQxw7Zt0c.Zm9y.c2hvdw'],
    }),
  challengeResponse,
})

/** Display details of a newly sent card. */
const sentCard = cardSummary
  .extend({ funding: cardFunding.meta({ description: 'The card’s funding type.' }) })
  .meta({ description: 'The card’s display details.' })

/** A single-use token for the shop's server, valid for 15 minutes, with the card's display details. */
export const cardToken = z
  .object({
    serviceToken: z.string().meta({
      description: 'Represents the card once, for 15 minutes: pass it on unchanged.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoiY2FyZCIsInByb3ZpZGVyIjoidGlsbHdyaWdodCJ9'],
    }),
    card: sentCard,
    expiresAt: timestamp.meta({ description: 'When the token expires.' }),
  })
  .meta({ id: 'CardToken', description: 'A single-use token for the shop’s server.' })
export type CardToken = z.infer<typeof cardToken>

/** The body of `POST /api/vault/v1/security-codes`: the security code of a saved card as a compact JWE (RFC 7516). */
export const newSecurityCode = z.object({
  jwe: z
    .string()
    .min(1)
    .max(8_192)
    .meta({
      description: 'The security code and its instrument, as a compact JWE like that of a card.',
      examples: ['eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..kV2mJ1YbQxw7Zt0c.Y29kZQ.c2hvdw'],
    }),
  challengeResponse,
})

/** A single-use token for the next payment with a saved card, valid for 15 minutes. */
export const securityCodeToken = z
  .object({
    securityCodeToken: z.string().meta({
      description: 'Represents the security code once, for 15 minutes: pass it on unchanged with the payment.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9'],
    }),
    paymentInstrumentId: idOf('paymentInstrument', 'The only instrument that the token can be used with.'),
    card: sentCard,
    expiresAt: timestamp.meta({ description: 'When the token expires.' }),
  })
  .meta({ id: 'SecurityCodeToken', description: 'A single-use token for a payment with a saved card.' })
export type SecurityCodeToken = z.infer<typeof securityCodeToken>
