import type { Scenario } from './scenario.ts'

/** What a plugin without `scenarios.json` is seen in. */
export const defaultScenarios: readonly Scenario[] = [
  { name: 'Card is charged', card: 'success' },
  { name: 'Card is declined', card: 'declined' },
  { name: 'Insufficient funds', card: 'insufficient_funds' },
  { name: 'Bank asks for a code', card: 'threeds', threeds: 'challenge' },
  { name: 'German, in euros', card: 'success', currency: 'EUR', locale: 'de-DE', country: 'DE' },
  { name: 'Phone', card: 'success', viewport: 'phone' },
  { name: 'Empty order', lines: [] },
]
