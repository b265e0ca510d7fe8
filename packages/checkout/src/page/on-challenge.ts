import type { CheckoutError } from './checkout-error.ts'

/**
 * Shows the challenge of the verifier that the operator has chosen, such as Turnstile.
 *
 * @param refusal What `tokenize()` is rejected with unless the challenge is solved: `challenge_required`.
 * @returns What the verifier gave the page for the solved challenge: it is sent along in one more try. `undefined` when the
 *   challenge was not solved.
 */
export type OnChallenge = (refusal: CheckoutError) => Promise<string | undefined>
