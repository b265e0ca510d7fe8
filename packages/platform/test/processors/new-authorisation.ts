import { nextSeed } from '../../../../.ci/test-seed.ts'
import type { AuthenticationResult, Authorisation, PresentedCard } from '../../src/processors/authorisation.ts'
import type { Query } from '../../src/processors/driver.ts'
import { newId, seededRandomness } from '../../src/runtime/randomness.ts'

const NOW_MS = Date.UTC(2030, 0, 1)

/** A test card's number, its security code and chosen network, and what else differs from 19.99 USD that are taken at once. */
export type AuthorisationChange = Partial<Authorisation> & {
  number?: string
  cvc?: string | null
  network?: string | null
}

/** A try to charge a card, under an id that no other has. */
export function newAuthorisation({
  number = '4242424242424242',
  cvc = '123',
  network = null,
  ...change
}: AuthorisationChange = {}): Authorisation {
  return {
    attemptId: newId('att', NOW_MS, seededRandomness(nextSeed())),
    startedAtMs: NOW_MS,
    amount: 1_999,
    currency: 'USD',
    capture: 'now',
    descriptor: null,
    method: { type: 'card', card: numbered(number, cvc), network },
    initiatedBy: 'buyer',
    storedCredential: null,
    threeds: null,
    exemption: null,
    buyer: { name: null, email: null, billingAddress: null, ip: null },
    customerId: 'cus_0VbVJlLcDk2m8QpXw4Zr7T',
    orderId: 'order_0VbVJlLcDk2m8QpXw4Zr7T',
    returnUrl: null,
    ...change,
  }
}

/** A card by its own number. */
export function numbered(number: string, cvc: string | null): PresentedCard {
  return { kind: 'number', number, expMonth: 12, expYear: 2040, cvc, wallet: null }
}

/** The result of a challenge that the buyer has passed. */
export const proof: AuthenticationResult = {
  authenticationStatus: 'C',
  finalStatus: 'Y',
  eci: '05',
  authenticationValue: 'AJkBB4OBmVFmgYFYFIGZAAAAAAA=',
  dsTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  threedsServerTransactionId: '8f2b5c1e-0a51-4a86-9a55-3c2c6f7f5a10',
  acsTransactionId: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
  version: '2.2.0',
  score: null,
  cavvAlgorithm: null,
  challengePreference: '01',
}

/** The query for an authorisation whose answer is missing. */
export function factsOf({ attemptId, startedAtMs, amount, currency, capture, descriptor }: Authorisation): Query {
  return {
    attemptId,
    startedAtMs,
    amount,
    currency,
    capture,
    descriptor,
    reference: null,
    returned: null,
    hasEnded: false,
  }
}

/** A new id for a capture, refund or void. */
export function newPostAuthorizationId(): string {
  return newId('re', NOW_MS, seededRandomness(nextSeed()))
}
