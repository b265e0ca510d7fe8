import type { DropReason, PaymentAttempt, PaymentFlow, ProcessorConfig, Stickiness } from '@tillwright/contract'
import { pickByWeight } from '../runtime/index.ts'

/** The currencies and networks of a processor; `null` for all. */
export interface Takes {
  /** Upper-case ISO 4217 codes. */
  currencies: readonly string[] | null
  /** Card networks as the vault names them. */
  brands: readonly string[] | null
  /** Whether this platform has no driver for it. */
  isStopped?: boolean
}

/** The inputs to the choice of a processor. */
export interface Picking {
  flow: Pick<PaymentFlow, 'strategy' | 'pickProcessorStrategy' | 'processorConfigs' | 'fallbackProcessorConfigs'>
  /** The account's processors that are not archived, by id. */
  processors: ReadonlyMap<string, Takes>
  currency: string
  brand: string
  /** Those that this payment has tried. */
  tried: ReadonlySet<string>
  /** Those that have failed several times in a row and are left alone for now. */
  failing: ReadonlySet<string>
  /** The processor of the customer's last success; `none` without one, `off` where the flow is not sticky. */
  lastSuccess: { processorId: string } | 'none' | 'off'
  /** A number in [0, 1). */
  draw: number
}

/** The choice of a processor, with all that led to it. `processorId` is `null` when none is eligible. */
export type ProcessorChoice = PaymentAttempt['decision'] & { processorId: string | null }

/**
 * Picks the processor of an attempt. A customer stays with the processor of the last success, where the flow says so;
 * else it is drawn by weight over the eligible ones (all zero counts as equal), or simply the first where the flow's
 * strategy is `ordered`. A flow of the strategy `cascade` turns to its fallback processors when no other is eligible.
 */
export function pickProcessor(picking: Picking): ProcessorChoice {
  const { flow, draw } = picking
  const pools = {
    primary: sift(flow.processorConfigs, picking),
    fallback: sift(flow.strategy === 'cascade' ? flow.fallbackProcessorConfigs : [], picking),
  }
  const dropped = [...pools.primary.dropped, ...pools.fallback.dropped]
  const first = pools.primary.eligible.length > 0 || pools.fallback.eligible.length === 0 ? 'primary' : 'fallback'
  const sticky = stickTo([...pools.primary.eligible, ...pools.fallback.eligible], picking)
  const pool = sticky.config !== null && pools.fallback.eligible.includes(sticky.config) ? 'fallback' : first
  const { eligible } = pools[pool]
  const drawn = flow.pickProcessorStrategy === 'ordered' ? eligible[0] : pickByWeight(eligible, draw)
  const processorId = (sticky.config ?? drawn)?.processorId ?? null
  const candidates = eligible.map((config) => ({ processorId: config.processorId, weight: config.weight }))
  return { processorId, pool, candidates, dropped, sticky: sticky.outcome, draw }
}

interface Sifted {
  eligible: ProcessorConfig[]
  dropped: { processorId: string; reason: DropReason }[]
}

function sift(configs: readonly ProcessorConfig[], picking: Picking): Sifted {
  const sifted: Sifted = { eligible: [], dropped: [] }
  for (const config of configs) {
    const reason = ineligibilityOf(config, picking)
    if (reason === null) sifted.eligible.push(config)
    else sifted.dropped.push({ processorId: config.processorId, reason })
  }
  return sifted
}

function ineligibilityOf({ processorId, disabled }: ProcessorConfig, picking: Picking): DropReason | null {
  const { processors, tried, failing, currency, brand } = picking
  if (disabled) return 'disabled'
  const takes = processors.get(processorId)
  if (takes === undefined) return 'archived'
  if (takes.isStopped === true) return 'driver_unavailable'
  if (tried.has(processorId)) return 'already_tried'
  if (takes.currencies?.includes(currency) === false) return 'currency_unsupported'
  if (takes.brands?.includes(brand) === false) return 'brand_unsupported'
  return failing.has(processorId) ? 'circuit_open' : null
}

function stickTo(
  eligible: readonly ProcessorConfig[],
  { lastSuccess }: Pick<Picking, 'lastSuccess'>,
): { outcome: Stickiness; config: ProcessorConfig | null } {
  if (typeof lastSuccess === 'string') return { outcome: lastSuccess, config: null }
  const config = eligible.find(({ processorId }) => processorId === lastSuccess.processorId)
  if (config === undefined) return { outcome: 'not_eligible', config: null }
  return config.nonStickable ? { outcome: 'non_stickable', config: null } : { outcome: 'kept', config }
}
