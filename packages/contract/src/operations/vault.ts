import type { Operation } from '../operation.ts'
import { cardToken, newCardToken, newSecurityCode, securityCodeToken } from '../resources/card-tokens.ts'
import {
  appleSession,
  newAppleSession,
  newWalletToken,
  pageWallets,
  walletQuery,
  walletToken,
} from '../resources/wallets.ts'

/** For the card frame, and for wallets in a shop's page, on the vault's origin. */
export const vault = {
  createToken: {
    method: 'POST',
    path: '/api/vault/v1/tokens',
    audience: 'frame',
    summary: 'Tokenize a card',
    description:
      'Called by the card frame, never by a shop. Exchanges an encrypted card for a single-use service token. This is the only operation that takes a card number, and only an encrypted one. ' +
      'The card must be encrypted in a form that was loaded with the same publishable key. ' +
      'An IP address may send 20 cards a minute in bursts of 30, and a loaded form ten an hour. A number with a wrong check digit or of an unknown network counts as three, and so does a card that is declined within the hour in a way typical of card testing. ' +
      'If the operator has set up a challenge, it is required from a form’s sixth card and an address’s sixteenth; a solved challenge is valid for 15 minutes.',
    body: newCardToken,
    status: 201,
    response: cardToken,
    errors: [
      'token_invalid',
      'token_expired',
      'token_used',
      'parameter_invalid',
      'expired_card',
      'challenge_required',
      'upstream_failed',
    ],
  },
  createSecurityCode: {
    method: 'POST',
    path: '/api/vault/v1/security-codes',
    audience: 'frame',
    summary: 'Tokenize a security code',
    description:
      'Called by the card frame, never by a shop. Exchanges the encrypted security code of a saved card for a single-use token, to be sent as `securityCodeToken` with the next payment of the instrument. ' +
      'The code is kept in memory only, for at most 15 minutes. A code counts towards the same limits as a card.',
    body: newSecurityCode,
    status: 201,
    response: securityCodeToken,
    errors: [
      'token_invalid',
      'token_expired',
      'token_used',
      'parameter_invalid',
      'expired_card',
      'resource_missing',
      'challenge_required',
      'upstream_failed',
    ],
  },
  readWallets: {
    method: 'GET',
    path: '/api/vault/v1/wallets',
    audience: 'frame',
    summary: 'Read the wallets for a page',
    description:
      'Called by `checkout.wallets()` in a page of the key. Says which wallets the account takes, and starts the session that the page’s next requests name.',
    query: walletQuery,
    status: 200,
    response: pageWallets,
    errors: ['token_invalid'],
  },
  createAppleSession: {
    method: 'POST',
    path: '/api/vault/v1/apple-pay-sessions',
    audience: 'frame',
    summary: 'Validate the merchant at Apple',
    description:
      'Called by `checkout.wallets()` while the sheet of Apple Pay opens. The platform asks Apple with the account’s merchant identity certificate, at an address of Apple’s documented hosts alone.',
    body: newAppleSession,
    status: 200,
    response: appleSession,
    errors: ['token_invalid', 'parameter_invalid', 'state_conflict', 'upstream_failed'],
  },
  createWalletToken: {
    method: 'POST',
    path: '/api/vault/v1/wallet-tokens',
    audience: 'frame',
    summary: 'Tokenize a card out of a wallet',
    description:
      'Called by `checkout.wallets()` when the buyer has approved a payment. Verifies and decrypts the wallet’s token and exchanges it for a single-use service token. The wallet’s cryptogram is kept in memory only, for at most 15 minutes, and sent with one payment. A wallet’s token is accepted once.',
    body: newWalletToken,
    status: 201,
    response: walletToken,
    errors: ['token_invalid', 'token_expired', 'token_used', 'expired_card', 'state_conflict', 'upstream_failed'],
  },
} as const satisfies Record<string, Operation>
