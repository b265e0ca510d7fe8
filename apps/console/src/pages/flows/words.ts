import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead } from '../../api/query.ts'
import type { Described } from '../../forms/save.tsx'
import { locale } from '../../language/language.ts'
import { count, percent } from '../../language/values.ts'
import { text as objects } from '../../objects/text.ts'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

/** A payment flow as the API answers it. */
export type FlowDetails = ResponseOf<Contract['paymentFlows']['get']>
export type FlowProcessor = FlowDetails['processorConfigs'][number]
export type ExemptionPolicy = NonNullable<FlowDetails['exemptionPolicy']>
export type FlowLimits = NonNullable<FlowDetails['abuseDetectionConfig']>

/** A processor as a flow needs it. */
export interface NamedProcessor {
  id: string
  name: string
  stopped: string | null
}

/** The account's processors; none where the member may not read them. */
export function useProcessors(): readonly NamedProcessor[] {
  const read = useRead('processors.list', useMay()('processors.list') ? { limit: 100 } : null)
  return read.data?.data ?? []
}

/** Name of a processor; its id if it is unknown. */
export function processorName(processors: readonly NamedProcessor[], processorId: string): string {
  return processors.find(({ id }) => id === processorId)?.name ?? processorId
}

/**
 * The part of the payments that each processor of a list is chosen for while all of them fit. Weights that are all zero
 * count as equal.
 */
export function sharesOf(configs: readonly FlowProcessor[]): readonly number[] {
  const weights = configs.map(({ weight, disabled }) => (disabled ? 0 : weight))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const enabled = configs.filter(({ disabled }) => !disabled).length
  return configs.map(({ disabled }, at) => (disabled ? 0 : sum === 0 ? 1 / enabled : (weights[at] ?? 0) / sum))
}

/** A processor's share of payments or its rank in the list, as text. */
export function partOf(configs: readonly FlowProcessor[], at: number, pick: FlowDetails['pickProcessorStrategy']) {
  if (configs[at]?.disabled !== false) return text('off')
  if (pick === 'weighted') return percent(sharesOf(configs)[at] ?? 0)
  return count(configs.slice(0, at + 1).filter(({ disabled }) => !disabled).length)
}

/** Fallback after a processor has failed. */
export type Further = 'none' | 'ineligible' | 'retry'

export function furtherOf({ strategy, fallbackMode }: Pick<FlowDetails, 'strategy' | 'fallbackMode'>): Further {
  if (strategy === 'simple') return 'none'
  return fallbackMode ? 'retry' : 'ineligible'
}

/** A time that a limit is counted over. */
function seconds(length: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(length)
}

/** The limits of a flow in a line. */
export function limitsOf(limits: FlowLimits | null): string {
  if (limits === null || !limits.enabled) return text('limits.none')
  const { maxAttemptsPerIp: ip, maxAttemptsPerCard: card, windowSeconds } = limits
  return text('limits.sum', { ip, card, window: seconds(windowSeconds) })
}

/** A flow in words, to compare two versions of it. */
export function describeFlow(flow: FlowDetails, processors: readonly NamedProcessor[]): Described {
  const pick = flow.pickProcessorStrategy
  const list = (title: string, configs: readonly FlowProcessor[]) =>
    configs.map(({ processorId }, at) => {
      const part = partOf(configs, at, pick)
      const isShare = pick === 'weighted' && configs[at]?.disabled === false
      const words = isShare ? text('share', { share: part }) : part
      return [`${title}: ${processorName(processors, processorId)}`, words] as const
    })
  const further = furtherOf(flow)
  return [
    [text('name'), flow.name],
    [text('pick'), text(`pick.${pick}`)],
    ...list(text('first'), flow.processorConfigs),
    [text('further'), text(`further.${further}`)],
    ...(further === 'retry' ? [[text('retries'), count(flow.maxFallbackRetries)] as const] : []),
    ...(further === 'none' ? [] : list(text('fallback'), flow.fallbackProcessorConfigs)),
    [text('threeds'), text(flow.threeDsEnabled ? 'threedsOn' : 'threedsOff')],
    [text('sticky'), shared(`filter.${flow.stickyProcessorEnabled}`)],
    ...describeExemptions(flow.exemptionPolicy),
    ...describeLimits(flow.abuseDetectionConfig),
  ]
}

/** The numbers among the limits. */
export const limitFields = [
  'windowSeconds',
  'maxAttemptsPerIp',
  'maxAttemptsPerCard',
  'maxDistinctCardsPerCustomer',
  'blockSeconds',
] as const

function describeLimits(limits: FlowLimits | null): Described {
  if (limits === null || !limits.enabled) return [[text('limits'), text('limits.none')]]
  return [
    ...limitFields.map((field) => [text(field), count(limits[field])] as const),
    [text('action'), text(`action.${limits.action}`)],
  ]
}

/** The exemptions in their order: the first that applies is asked for. */
function describeExemptions(policy: FlowDetails['exemptionPolicy']): Described {
  if (policy === null) return [[text('exemptions'), text('exemptions.none')]]
  const names = policy.exemptions.map((each) => objects(`exemption.${each}`))
  return [
    [text('exemptions'), names.join(', ')],
    [text('requestIn'), text(`requestIn.${policy.requestIn}`)],
  ]
}
