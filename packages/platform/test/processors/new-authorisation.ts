import { nextSeed } from '../../../../.ci/test-seed.ts'
import type { AttemptFacts, Authorisation } from '../../src/processors/driver.ts'
import { newId, seededRandomness } from '../../src/runtime/randomness.ts'

const NOW_MS = Date.UTC(2030, 0, 1)

/** A test card's number, and what else differs from 19.99 USD that are taken at once. */
export type AuthorisationChange = Partial<Authorisation> & { number?: string }

/** A try to charge a card, under an id that no other has. */
export function newAuthorisation({ number = '4242424242424242', ...change }: AuthorisationChange = {}): Authorisation {
  return {
    attemptId: newId('att', NOW_MS, seededRandomness(nextSeed())),
    startedAtMs: NOW_MS,
    amount: 1_999,
    currency: 'USD',
    capture: 'now',
    descriptor: null,
    card: { number, expMonth: 12, expYear: 2040, cvc: '123' },
    network: null,
    initiatedBy: 'buyer',
    storedCredential: null,
    threeds: null,
    ...change,
  }
}

/** What is asked for when an answer is missing. */
export function factsOf({
  card: _,
  network: __,
  threeds: ___,
  initiatedBy: ____,
  storedCredential: _____,
  ...facts
}: Authorisation): AttemptFacts {
  return facts
}

/** The id of a capture, refund or void that no other has. */
export function newPostAuthorizationId(): string {
  return newId('req', NOW_MS, seededRandomness(nextSeed()))
}
