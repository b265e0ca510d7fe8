import { reasons, type Scenario } from './scenario.ts'

const attempted: Scenario = { transStatus: 'A' }
const failed = refusal('N')
const unavailable = refusal('U')
const rejected = refusal('R')
const byCode: Scenario = { transStatus: 'C', challenge: 'otp' }
const inApp: Scenario = { transStatus: 'C', challenge: 'oob' }

/** Scenarios of the test cards, by last four digits. Any other card is authenticated without a challenge. */
const byLast4: Readonly<Record<string, Scenario>> = {
  // The 3-D Secure 2.2 cards of Cybersource: Visa 4000 0000 0000 ...., Mastercard 5200 0000 0000 ....,
  // American Express 3400 000000 0...., Discover 6011 0000 0000 ....
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
  '2503': byCode, // Visa
  '2151': byCode, // Mastercard
  '2534': byCode, // American Express
  '2265': byCode, // Discover
  // The 3-D Secure cards of Stripe that always ask: 4000 0000 0000 3220, 4000 0027 6000 3184, 4000 0082 6000 3178,
  // 4000 0084 0000 1629 (the payment is declined afterwards); 4000 0084 0000 1280 cannot be looked up.
  '3220': byCode,
  '3184': byCode,
  '3178': byCode,
  '1629': byCode,
  '1280': unavailable,
  // Our own, all Visa 4000 0000 0000 ....: informational, in the bank's app with success and without, decoupled.
  '2800': { transStatus: 'I' },
  '2818': inApp,
  '2826': { ...inApp, result: 'N' },
  '2834': { transStatus: 'C', challenge: 'decoupled' },
}

/** Scenarios of previews, by `threeds` or preset. They apply to every card; other presets do not affect authentication. */
const byPreset = new Map<string, Scenario>([
  ['frictionless', { transStatus: 'Y' }],
  ['challenge', byCode],
  ['fail', failed],
  ['network1_3ds', byCode],
  ['network1_success', { transStatus: 'Y' }],
  ['network2_success', { transStatus: 'Y' }],
  ['network3_success', { transStatus: 'Y' }],
  ['network1_declined', { transStatus: 'Y' }], // it is the processor that declines
  ['network1_insufficient', { transStatus: 'Y' }],
])

/**
 * @param last4 The last four digits of the card number.
 * @param preset What a preview wants, which goes before the card.
 */
export function scenarioOf(last4: string, preset?: string): Scenario {
  return (preset === undefined ? undefined : byPreset.get(preset)) ?? byLast4[last4] ?? { transStatus: 'Y' }
}

function refusal(transStatus: 'N' | 'U' | 'R'): Scenario {
  return { transStatus, transStatusReason: reasons[transStatus] ?? '01' }
}
