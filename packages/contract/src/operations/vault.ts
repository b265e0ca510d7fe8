import type { Operation } from '../operation.ts'
import { cardToken, newCardToken, newSecurityCode, securityCodeToken } from '../resources/card-tokens.ts'

/** For the card frame only, on the vault's origin. */
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
} as const satisfies Record<string, Operation>
