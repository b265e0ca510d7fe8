import { type FlowDetails, type FlowLimits, type FlowProcessor, limitFields } from './words.ts'

/** A processor of a flow as it is typed. */
export type TypedProcessor = Omit<FlowProcessor, 'weight'> & { weight: string }

type LimitField = (typeof limitFields)[number]

/** Limits as they are typed. */
export type TypedLimits = Pick<FlowLimits, 'enabled' | 'action'> & Record<LimitField, string>

/** A flow as it is typed: its numbers are texts. */
export interface TypedFlow extends Pick<
  FlowDetails,
  | 'name'
  | 'strategy'
  | 'fallbackMode'
  | 'threeDsEnabled'
  | 'stickyProcessorEnabled'
  | 'pickProcessorStrategy'
  | 'exemptionPolicy'
> {
  maxFallbackRetries: string
  processorConfigs: readonly TypedProcessor[]
  fallbackProcessorConfigs: readonly TypedProcessor[]
  limits: TypedLimits
}

/** The limits that a flow without any begins with. */
const usualLimits: FlowLimits = {
  enabled: false,
  windowSeconds: 600,
  maxAttemptsPerIp: 10,
  maxAttemptsPerCard: 5,
  maxDistinctCardsPerCustomer: 3,
  action: 'block',
  blockSeconds: 3_600,
}

/** A flow as a form has it. */
export function typedFlow(flow: FlowDetails): TypedFlow {
  const limits = flow.abuseDetectionConfig ?? usualLimits
  const numbers = limitFields.map((field) => [field, String(limits[field])] as const)
  return {
    name: flow.name,
    strategy: flow.strategy,
    fallbackMode: flow.fallbackMode,
    threeDsEnabled: flow.threeDsEnabled,
    stickyProcessorEnabled: flow.stickyProcessorEnabled,
    pickProcessorStrategy: flow.pickProcessorStrategy,
    exemptionPolicy: flow.exemptionPolicy,
    maxFallbackRetries: String(flow.maxFallbackRetries),
    processorConfigs: flow.processorConfigs.map(typedProcessor),
    fallbackProcessorConfigs: flow.fallbackProcessorConfigs.map(typedProcessor),
    // All fields are among the numbers.
    limits: { enabled: limits.enabled, action: limits.action, ...Object.fromEntries(numbers) } as TypedLimits,
  }
}

function typedProcessor(config: FlowProcessor): TypedProcessor {
  return { ...config, weight: String(config.weight) }
}

/** The least and the most of each number of a flow. Source: the contract's payment flow. */
export const bounds: Readonly<Record<LimitField | 'maxFallbackRetries', readonly [least: number, most: number]>> = {
  maxFallbackRetries: [0, 10],
  windowSeconds: [1, 86_400],
  maxAttemptsPerIp: [1, 1_000_000],
  maxAttemptsPerCard: [1, 1_000_000],
  maxDistinctCardsPerCustomer: [1, 1_000_000],
  blockSeconds: [1, 2_592_000],
}

/** A whole number within its bounds; `null` for anything else. */
export function readNumber(typed: string, field: keyof typeof bounds): number | null {
  const [least, most] = bounds[field]
  const value = /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : -1
  return value >= least && value <= most ? value : null
}

/** Parses a weight; `null` if the input is none. */
export function readWeight(typed: string): number | null {
  const value = /^\s*\d{1,7}(?:[.,]\d{1,6})?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : -1
  return value >= 0 && value <= 1e6 ? value : null
}

/** The fields of a flow that a form changes. */
type FlowFields = Omit<FlowDetails, 'id' | 'createdAt' | 'updatedAt' | 'archived' | 'revision'>

/** A typed flow as the contract takes it; `null` while something in it is wrong. */
export function readFlow(typed: TypedFlow, base: FlowDetails): FlowFields | null {
  const retries = readNumber(typed.maxFallbackRetries, 'maxFallbackRetries')
  const primaries = readProcessors(typed.processorConfigs)
  const fallbacks = readProcessors(typed.fallbackProcessorConfigs)
  const limits = readLimits(typed.limits, base)
  if (retries === null || primaries === null || fallbacks === null || limits === 'wrong') return null
  if (primaries.length === 0 || typed.name.trim() === '') return null
  const { limits: _, ...same } = typed
  return {
    ...same,
    maxFallbackRetries: retries,
    processorConfigs: primaries,
    fallbackProcessorConfigs: fallbacks,
    abuseDetectionConfig: limits,
  }
}

function readProcessors(typed: readonly TypedProcessor[]): FlowProcessor[] | null {
  const read = typed.map((each) => ({ ...each, weight: readWeight(each.weight) }))
  if (read.some(({ weight }) => weight === null)) return null
  return read.map((each) => ({ ...each, weight: each.weight ?? 0 }))
}

/** Limits that are off and were never there stay `null`. */
function readLimits(typed: TypedLimits, base: FlowDetails): FlowLimits | null | 'wrong' {
  const { enabled, action } = typed
  if (!enabled && base.abuseDetectionConfig === null) return null
  const numbers = limitFields.map((field) => [field, readNumber(typed[field], field)] as const)
  if (numbers.some(([, value]) => value === null)) return 'wrong'
  return { enabled, action, ...Object.fromEntries(numbers) } as FlowLimits // All fields are among the numbers.
}
