import type { Operation } from '../operation.ts'
import { cardToken, newCardToken, newSecurityCode, securityCodeToken } from '../resources/card-tokens.ts'

/** For the card frame alone, on the vault's origin. */
export const vault = {
  createToken: {
    method: 'POST',
    path: '/api/vault/v1/tokens',
    audience: 'frame',
    summary: 'Turn an encrypted card into a single-use service token',
    description:
      'The card frame calls this; a shop never does. It is the only operation that takes a card number, and only encrypted. ' +
      'The card must have been encrypted in a form that was loaded with the same publishable key. ' +
      'An address may send 20 cards a minute, 30 at once, and a loaded form ten an hour; a number with a wrong digit or of no known network counts as three, and so does a card that is declined within the hour as only tested cards are. ' +
      'Where the operator has set up a challenge, a form is asked for it from its sixth card on, and an address from its sixteenth; one that is solved is good for 15 minutes.',
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
    summary: 'Turn the encrypted security code of a saved card into a single-use token',
    description:
      'The card frame calls this; a shop never does. The token goes with the next payment of the instrument as `securityCodeToken`. ' +
      'The code itself is kept in memory alone, for 15 minutes at most. A code counts as a card that is sent, and the same limits apply.',
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
