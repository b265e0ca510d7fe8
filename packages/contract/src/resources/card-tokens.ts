import { z } from 'zod'
import { idOf } from '../ids.ts'
import { CHALLENGE_RESPONSE_MAX_CHARS } from '../limits.ts'
import { timestamp } from '../text.ts'
import { cardFunding, cardSummary } from './payment-instruments.ts'

/** What the buyer's browser got for solving a challenge. Its form is the verifier's business. */
const challengeResponse = z
  .string()
  .min(1)
  .max(CHALLENGE_RESPONSE_MAX_CHARS)
  .optional()
  .meta({
    description: 'After `challenge_required`: what the challenge gave the buyer’s browser, good once.',
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

/** What may be shown of a card that a form has sent. */
const sentCard = cardSummary
  .extend({ funding: cardFunding.meta({ description: 'How the card draws on money.' }) })
  .meta({ description: 'What may be shown of the card.' })

/** A single-use token for the shop's server, good for 15 minutes, and what may be shown of the card. */
export const cardToken = z
  .object({
    serviceToken: z.string().meta({
      description: 'Stands for the card once, for 15 minutes: pass it on unchanged.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoiY2FyZCIsInByb3ZpZGVyIjoidGlsbHdyaWdodCJ9'],
    }),
    card: sentCard,
    expiresAt: timestamp.meta({ description: 'Until when the token is good.' }),
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
      description: 'The security code and the instrument it belongs to, as a compact JWE like that of a card.',
      examples: ['eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..kV2mJ1YbQxw7Zt0c.Y29kZQ.c2hvdw'],
    }),
  challengeResponse,
})

/** A single-use token for the next payment with a saved card, good for 15 minutes. */
export const securityCodeToken = z
  .object({
    securityCodeToken: z.string().meta({
      description: 'Stands for the security code once, for 15 minutes: pass it on unchanged with the payment.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9'],
    }),
    paymentInstrumentId: idOf('paymentInstrument', 'The one instrument that the token goes with.'),
    card: sentCard,
    expiresAt: timestamp.meta({ description: 'Until when the token is good.' }),
  })
  .meta({ id: 'SecurityCodeToken', description: 'A single-use token for a payment with a saved card.' })
export type SecurityCodeToken = z.infer<typeof securityCodeToken>
