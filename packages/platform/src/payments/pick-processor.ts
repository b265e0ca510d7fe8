import type { PaymentFlow, ProcessorConfig } from '@tillwright/contract'

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
  const processorId =
    flow.pickProcessorStrategy === 'ordered' ? (candidates[0]?.processorId ?? null) : byWeight(eligible, draw)
  return { processorId, candidates, dropped, draw }
}

function byWeight(configs: readonly ProcessorConfig[], draw: number): string | null {
  const total = configs.reduce((sum, { weight }) => sum + weight, 0)
  const weightOf = (config: ProcessorConfig) => (total === 0 ? 1 : config.weight)
  let remaining = draw * (total === 0 ? configs.length : total)
  let picked: string | null = null
  for (const config of configs) {
    if (weightOf(config) === 0) continue
    picked = config.processorId // the last one stands where rounding leaves a remainder
    remaining -= weightOf(config)
    if (remaining < 0) break
  }
  return picked
}
