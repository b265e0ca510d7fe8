import type { TestCardPreset } from '@tillwright/contract'

/** The cards of the platform's simulator that a scenario may call by a name. */
export const scenarioCards = {
  success: '4242424242424242',
  success_mastercard: '5555555555554444',
  success_amex: '378282246310005',
  declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  lost_card: '4000000000009987',
  stolen_card: '4000000000009979',
  expired_card: '4000000000000069',
  incorrect_cvc: '4000000000000127',
  processing_error: '4000000000000119',
  threeds: '4000002760003184',
} as const
export type ScenarioCard = keyof typeof scenarioCards

/** The presets of a preview session that stand for a card: with one the payment ends so whatever card is typed. */
const presets: Readonly<Record<string, TestCardPreset>> = {
  '4242424242424242': 'network1_success',
  '5555555555554444': 'network2_success',
  '378282246310005': 'network3_success',
  '4000000000000002': 'network1_declined',
  '4000000000009995': 'network1_insufficient',
  '4000002500003155': 'network1_3ds',
  '4000002760003184': 'network1_3ds',
}

/** The number of a scenario's card, which may be named. */
export function cardNumber(card: string): string {
  return Object.hasOwn(scenarioCards, card) ? scenarioCards[card as ScenarioCard] : card
}

/** The preset that makes a preview's payment end as with this card; `undefined` for a card that has to be typed. */
export function presetOfCard(card: string): TestCardPreset | undefined {
  return presets[cardNumber(card)]
}
