import type { PaymentFlow } from '@tillwright/contract'
import { pickByWeight } from '../ambient/pick-by-weight.ts'

/** The choice of a processor, with all that led to it. */
export interface ProcessorChoice {
  /** `null` when none is eligible. */
  processorId: string | null
  candidates: { processorId: string; weight: number }[]
  dropped: { processorId: string; reason: 'archived' | 'disabled' }[]
  /** The number in [0, 1) that decided. */
  draw: number
}

/**
 * Picks the processor of an attempt: by weight over the eligible ones (all zero counts as equal), or simply the first
 * where the flow's strategy is `ordered`.
 *
 * @param live The ids of the account's processors that are not archived.
 * @param draw A number in [0, 1).
 */
export function pickProcessor(
  flow: Pick<PaymentFlow, 'processorConfigs' | 'pickProcessorStrategy'>,
  live: ReadonlySet<string>,
  draw: number,
): ProcessorChoice {
  const dropped: ProcessorChoice['dropped'] = []
  const eligible = flow.processorConfigs.filter(({ processorId, disabled }) => {
    if (disabled) dropped.push({ processorId, reason: 'disabled' })
    else if (!live.has(processorId)) dropped.push({ processorId, reason: 'archived' })
    else return true
    return false
  })
  const candidates = eligible.map(({ processorId, weight }) => ({ processorId, weight }))
  const picked = flow.pickProcessorStrategy === 'ordered' ? candidates[0] : pickByWeight(eligible, draw)
  return { processorId: picked?.processorId ?? null, candidates, dropped, draw }
}
