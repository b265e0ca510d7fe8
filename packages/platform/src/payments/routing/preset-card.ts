import type { Payment, TestCardPreset } from '@tillwright/contract'
import type { PresentedCard } from '../processors/driver.ts'

/** The test card that stands for each preset. */
export const presetCards = {
  network1_success: '4242424242424242',
  network2_success: '5555555555554444',
  network3_success: '378282246310005',
  network1_declined: '4000000000000002',
  network1_insufficient: '4000000000009995',
  network1_3ds: '4000002500003155',
} as const satisfies Record<TestCardPreset, string>

/** The card that a simulated processor is shown: that of the preview's preset, whatever card was typed. */
export function presetCard<Card extends Pick<PresentedCard, 'number'>>(preview: Payment['preview'], card: Card): Card {
  const preset = preview?.testCardPreset ?? null
  return preset === null ? card : { ...card, number: presetCards[preset] }
}
