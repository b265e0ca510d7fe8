import type { Operation } from '../operation.ts'
import { cardToken, newCardToken } from '../resources/card-tokens.ts'

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
      'An address may send 20 cards a minute, 30 at once, and a loaded form ten an hour; a number with a wrong digit or of no known network counts as three.',
    body: newCardToken,
    status: 201,
    response: cardToken,
    errors: ['token_invalid', 'token_expired', 'token_used', 'parameter_invalid', 'expired_card'],
  },
} as const satisfies Record<string, Operation>
