/** The test number whose check digit is wrong. Source of all of them: Stripe, "Testing". */
export const WRONG_NUMBER = '4242424242424241'

/** The decline of a test card, or `null`. */
export function cardDecline(number: string): { code: string; decline_code: string } | null {
  const [code, decline] = declines[number] ?? []
  return code === undefined || decline === undefined ? null : { code, decline_code: decline }
}

/** Whether a test card requires 3-D Secure. */
export function wantsThreeds(number: string): boolean {
  return threeds.has(number)
}

/** The error's code and its decline code. */
const declines: Readonly<Record<string, readonly [string, string]>> = {
  '4000000000000002': ['card_declined', 'generic_decline'],
  '4000000000009995': ['card_declined', 'insufficient_funds'],
  '4000000000009987': ['card_declined', 'lost_card'],
  '4000000000009979': ['card_declined', 'stolen_card'],
  '4000000000006975': ['card_declined', 'card_velocity_exceeded'],
  '4100000000000019': ['card_declined', 'fraudulent'],
  '4000000000000069': ['expired_card', 'expired_card'],
  '4000000000000127': ['incorrect_cvc', 'incorrect_cvc'],
  '4000000000000119': ['processing_error', 'processing_error'],
  '4000008260003178': ['card_declined', 'insufficient_funds'],
  '4000008400001629': ['card_declined', 'generic_decline'],
}

const threeds: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])
