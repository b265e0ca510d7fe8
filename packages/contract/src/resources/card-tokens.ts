import { z } from 'zod'
import { timestamp } from '../text.ts'
import { cardFunding, cardSummary } from './payment-instruments.ts'

/** The body of `POST /api/vault/v1/tokens`: the card as a compact JWE (RFC 7516), ECDH-ES with A256GCM on P-256. */
export const newCardToken = z.object({ jwe: z.string().min(1).max(8_192) })

/** A single-use token for the shop's server, good for 15 minutes, and what may be shown of the card. */
export const cardToken = z
  .object({ serviceToken: z.string(), card: cardSummary.extend({ funding: cardFunding }), expiresAt: timestamp })
  .meta({ id: 'CardToken' })
export type CardToken = z.infer<typeof cardToken>
