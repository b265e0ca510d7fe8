import { presetCards } from '../routing/preset-card.ts'
import { declined } from './declined.ts'
import type { Driver } from './driver.ts'

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
