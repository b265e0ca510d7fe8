import { currencyExponent, currencyNumber } from '@tillwright/contract'
import { z } from 'zod'
import { appleKeyHash, makeAppleToken } from './apple-token.ts'
import { type ApprovedPayment, walletTestCards } from './approved-payment.ts'
import { googleMerchantKey, googleRootKey, makeGoogleToken } from './google-token.ts'
import { sheetScript } from './sheet-script.ts'
import {
  APPLE_MERCHANT_IDENTIFIER,
  APPLE_MERCHANT_KEY,
  APPLE_ROOT,
  GOOGLE_MERCHANT_ID,
  GOOGLE_MERCHANT_KEY,
} from './test-keys.ts'

const merchantName = 'Test merchant'
const shown = { addedAt: '2020-01-01T00:00:00.000Z', expiresAt: null }

const appleMerchant = {
  settings: {
    wallet: 'apple_pay' as const,
    merchantIdentifier: APPLE_MERCHANT_IDENTIFIER,
    merchantName,
    domainAssociation: null,
    identityExpiresAt: '2096-01-01T00:00:00.000Z',
    keys: [{ id: appleKeyHash(), ...shown }],
  },
  secrets: { privateKeys: { [appleKeyHash()]: APPLE_MERCHANT_KEY }, identity: null },
}

const googleMerchant = {
  settings: {
    wallet: 'google_pay' as const,
    merchantId: GOOGLE_MERCHANT_ID,
    merchantName,
    keys: [{ id: googleMerchantKey(), ...shown }],
  },
  secrets: { privateKeys: { [googleMerchantKey()]: GOOGLE_MERCHANT_KEY }, identity: null },
}

/**
 * Simulated Apple Pay and Google Pay. Their tokens have the real formats and are encrypted and signed, by keys of their
 * own: the receiver verifies and decrypts one as a real one.
 */
export const simulatedWallets = {
  /** JavaScript for a page: what Apple's and Google's scripts offer, with simulated sheets. */
  script: sheetScript,
  appleRoot: APPLE_ROOT,
  googleRootKeys: [googleRootKey()],
  /** The merchant that tokens are made for, as a platform keeps one. */
  merchants: both(appleMerchant, googleMerchant),
  makeToken: makeWalletToken,
}

const approval = z.object({
  wallet: z.enum(['apple_pay', 'google_pay']),
  card: z.string(),
  decimal: z.string().regex(/^\d{1,12}(\.\d{1,4})?$/),
  currency: z.string(),
})

/** Two values as a pair, whose members keep their types. */
function both<First, Second>(first: First, second: Second): [First, Second] {
  return [first, second]
}

/**
 * Makes the token for what a sheet's buyer has approved.
 *
 * @param text The JSON that the payment sheet posts.
 * @returns `null` for anything else.
 */
async function makeWalletToken(text: string, nowMs: number): Promise<string | null> {
  const read = approval.safeParse(json(text))
  if (!read.success) return null
  const { wallet, card: id, decimal, currency } = read.data
  const card = walletTestCards.find((each) => each.id === id)
  const [currencyCode, exponent] = [currencyNumber(currency), currencyExponent(currency)]
  if (card === undefined || currencyCode === null || exponent === null) return null
  const payment: ApprovedPayment = {
    card,
    amount: Math.round(Number(decimal) * 10 ** exponent),
    currencyNumber: currencyCode,
    nowMs,
  }
  if (wallet === 'google_pay') return makeGoogleToken(payment)
  return card.kind === 'cryptogram' ? makeAppleToken(payment) : null
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
