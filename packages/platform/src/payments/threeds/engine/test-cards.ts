import type { TransStatus } from '@tillwright/contract'

/** What the built-in engine answers to a card. */
export interface Scenario {
  transStatus: TransStatus
  /** Source: EMV 3DS 2.2.0, transStatusReason. */
  transStatusReason?: string
}

const attempted: Scenario = { transStatus: 'A' }
const failed: Scenario = { transStatus: 'N', transStatusReason: '01' } // card authentication failed
const unavailable: Scenario = { transStatus: 'U', transStatusReason: '22' } // technical fault at the issuer
const rejected: Scenario = { transStatus: 'R', transStatusReason: '11' } // suspected fraud
const challenged: Scenario = { transStatus: 'C' }

/**
 * What each test card does, by its last four digits; any other card is authenticated without a challenge. They are the
 * ends of the 3-D Secure 2.2 test cards that Cybersource publishes: Visa 4000 0000 0000 ...., Mastercard
 * 5200 0000 0000 ...., American Express 3400 000000 0...., Discover 6011 0000 0000 .... The informational one,
 * 4000 0000 0000 2800, is ours.
 */
const scenarios: Readonly<Record<string, Scenario>> = {
  '2719': attempted, // Visa
  '2482': attempted, // Mastercard
  '2872': attempted, // American Express
  '2646': attempted, // Discover
  '2925': failed, // Visa
  '2276': failed, // Mastercard
  '2096': failed, // American Express
  '2364': failed, // Discover
  '2313': unavailable, // Visa
  '2268': unavailable, // Mastercard
  '2922': unavailable, // American Express
  '2612': unavailable, // Discover
  '2537': rejected, // Visa
  '2185': rejected, // Mastercard
  '2062': rejected, // American Express
  '2711': rejected, // Discover
  '2503': challenged, // Visa
  '2151': challenged, // Mastercard
  '2534': challenged, // American Express
  '2265': challenged, // Discover
  '2800': { transStatus: 'I' },
}

/** @param last4 The last four digits of the card number. */
export function scenarioOf(last4: string): Scenario {
  return scenarios[last4] ?? { transStatus: 'Y' }
}
