import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { challengeResponse, sentCard } from './card-tokens.ts'

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
