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
      'The card frame calls this; a shop never does. It is the only operation that takes a card number, and only encrypted.',
    body: newCardToken,
    status: 201,
    response: cardToken,
    errors: ['token_invalid', 'token_expired', 'token_used', 'parameter_invalid', 'expired_card'],
  },
} as const satisfies Record<string, Operation>
