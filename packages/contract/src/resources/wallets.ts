import { z } from 'zod'
import { timestamp } from '../text.ts'
import { cardToken } from './card-tokens.ts'
import { cardSummary, walletName } from './payment-instruments.ts'

/** The most that a wallet's token may have: one has about 4,000 characters. */
const WALLET_TOKEN_MAX_CHARS = 16_384

const pageOrigin = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'The origin of the page that shows the buttons.', examples: ['https://shop.example.com'] })

const walletSession = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description: 'The `session` of the wallets that were read for this page.',
    examples: ['4fZk1mQ8sT2vB7nXc0LdYa.Rk9wZ2h0c3Q0bHVzZXJ4eA'],
  })

/** The query of `GET /api/vault/v1/wallets`. */
export const walletQuery = z.object({ origin: pageOrigin })

/** Configuration with which a page shows the wallets of an account. */
export const pageWallets = z
  .object({
    session: z.string().meta({
      description: 'Proves that the page has read this, and goes with what it sends next.',
      examples: ['4fZk1mQ8sT2vB7nXc0LdYa.Rk9wZ2h0c3Q0bHVzZXJ4eA'],
    }),
    applePay: z
      .object({
        merchantName: z.string().meta({ description: 'The merchant as the sheet shows it.', examples: ['Fernhill'] }),
      })
      .nullable()
      .meta({ description: 'Null where the account has no Apple Pay.' }),
    googlePay: z
      .object({
        environment: z.enum(['TEST', 'PRODUCTION']).meta({ description: 'Google’s environment.', examples: ['TEST'] }),
        merchantId: z.string().meta({ description: 'The merchant’s id at Google.', examples: ['BCR2DN4T6Z3WLIJ5'] }),
        merchantName: z.string().meta({ description: 'The merchant as the sheet shows it.', examples: ['Fernhill'] }),
        publicKey: z.string().meta({
          description: 'The key that Google encrypts the card to: an uncompressed point of P-256, base64.',
          examples: ['BOdoXP+9Aq473SnGwg3JU1aiNpsd9vH2ognq4PtDtlLGa3Kj8TPf+jaQNPyDSkh3JUhiS0KyrrlWhAgNZKHYF2Y='],
        }),
      })
      .nullable()
      .meta({ description: 'Null where the account has no Google Pay.' }),
    simulator: z
      .string()
      .nullable()
      .meta({
        description: 'The script that simulates both wallets, outside production alone; null for the real ones.',
        examples: ['http://localhost:4400/acs/wallets.js'],
      }),
  })
  .meta({ id: 'PageWallets', description: 'Settings with which a page shows the wallets of an account.' })
export type PageWallets = z.output<typeof pageWallets>

/** The body of `POST /api/vault/v1/apple-pay-sessions`. */
export const newAppleSession = z.object({
  session: walletSession,
  origin: pageOrigin,
  validationUrl: z
    .string()
    .min(1)
    .max(500)
    .meta({
      description: 'The `validationURL` of `onvalidatemerchant`: an address at one of Apple’s documented hosts.',
      examples: ['https://apple-pay-gateway.apple.com/paymentservices/startSession'],
    }),
})

/** The answer to it. */
export const appleSession = z.object({
  merchantSession: z.string().meta({
    description: 'Apple’s answer as JSON text, opaque: for `completeMerchantValidation`.',
    examples: ['{"merchantSessionIdentifier":"SSH3B5"}'],
  }),
})

/** The body of `POST /api/vault/v1/wallet-tokens`. */
export const newWalletToken = z.object({
  session: walletSession,
  origin: pageOrigin,
  wallet: walletName.meta({ description: 'The wallet that made the token.', examples: ['apple_pay'] }),
  token: z
    .string()
    .min(1)
    .max(WALLET_TOKEN_MAX_CHARS)
    .meta({
      description:
        'Apple Pay: the JSON of `payment.token.paymentData`. Google Pay: `paymentMethodData.tokenizationData.token`.',
      examples: ['{"version":"EC_v1","data":"...","signature":"...","header":{}}'],
    }),
})

/** A single-use service token for a card out of a wallet. */
export const walletToken = z
  .object({
    serviceToken: cardToken.shape.serviceToken,
    wallet: walletName.meta({ description: 'The wallet that the card came from.', examples: ['apple_pay'] }),
    card: cardSummary.meta({ description: 'The card’s display details; the digits are those of the device’s number.' }),
    expiresAt: timestamp.meta({ description: 'When the token expires.' }),
  })
  .meta({ id: 'WalletToken', description: 'A single-use token for the shop’s server, for a card out of a wallet.' })
export type WalletToken = z.output<typeof walletToken>
