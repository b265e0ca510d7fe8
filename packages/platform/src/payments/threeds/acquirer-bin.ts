import type { NewThreedsAuthentication } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'

type ProcessorConfig = NewThreedsAuthentication['processorConfig']

/** The field of each network that has one of its own. Source: decisions, "Cards". */
const fields = new Map<string, Extract<keyof ProcessorConfig, `acquirerBinNetwork${number}`>>([
  ['visa', 'acquirerBinNetwork1'],
  ['mastercard', 'acquirerBinNetwork2'],
  ['amex', 'acquirerBinNetwork3'],
  ['discover', 'acquirerBinNetwork4'],
])

/**
 * The acquirer's BIN for a card: its network's own, else the general one.
 *
 * @param brand The card's, as the vault names it.
 * @throws {ApiError} `parameter_missing` when neither is given; it names the field that would do for this card.
 */
export function acquirerBin(config: ProcessorConfig, brand: string): string {
  const bin = findAcquirerBin(config, brand)
  if (bin !== null) return bin
  const field = fieldOf(brand)
  const param = `processorConfig.${field}`
  const others = field === 'acquirerBin' ? '' : ' unless processorConfig.acquirerBin is given'
  throw new ApiError('parameter_missing', `${param} is required for a card of the brand ${brand}${others}.`, { param })
}

/** The same, or `null` when neither is given. */
export function findAcquirerBin(config: ProcessorConfig, brand: string): string | null {
  return config[fieldOf(brand)] ?? config.acquirerBin ?? null
}

function fieldOf(brand: string) {
  return fields.get(brand) ?? 'acquirerBin'
}
