import type { Payment, TestCardPreset } from '@tillwright/contract'
import { declined, type Driver, type PresentedCard } from './driver.ts'

/**
 * Answers for the payments of previews where no simulator is, which is in production: a preview never reaches a real
 * processor. It keeps no ledger, because no money moves: a preset decides, and any other card is charged.
 */
export const previewDriver: Driver = {
  async authorise({ attemptId, card, capture, threeds }) {
    const reference = referenceOf(attemptId)
    switch (card.number) {
      case presetCards.network1_declined:
        return declined('generic_decline', { reference })
      case presetCards.network1_insufficient:
        return declined('insufficient_funds', { reference })
      case presetCards.network1_3ds:
        if (threeds === null) return { outcome: 'threeds_required', reference }
    }
    return capture === 'now' ? { outcome: 'succeeded', reference } : { outcome: 'authorized', reference }
  },
  capture: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  refund: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  void: async ({ id }) => ({ outcome: 'succeeded', reference: referenceOf(id) }),
  query: async () => ({ outcome: 'not_found' }),
}

function referenceOf(id: string): string {
  return `preview_${id}`
}

/** The test card that stands for each preset. */
const presetCards = {
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
