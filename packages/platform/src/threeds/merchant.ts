import type { Environment, NewThreedsAuthentication, PaymentFlow } from '@tillwright/contract'
import { type RawProcessorSettings, readProcessorSettings } from '../processors/index.ts'
import { ApiError } from '../runtime/index.ts'

/** The merchant as the acquirer knows it. */
export type Merchant = NewThreedsAuthentication['processorConfig']

/** The facts that determine the merchant for which a cardholder is authenticated. */
export interface MerchantSubject {
  /** `null` when it was archived. */
  flow: Pick<PaymentFlow, 'processorConfigs' | 'fallbackProcessorConfigs'> | null
  /** The operator's settings for each live processor, by id. */
  configs: ReadonlyMap<string, RawProcessorSettings | null>
  storeName: string
  /** The card's, as the vault names it. */
  brand: string
}

const NAME_MAX_CHARS = 40

/**
 * The merchant of the first processor of a flow that says which one it is, and whose acquirer takes the card's network.
 * Where processors are simulated, a made-up one will do.
 *
 * @throws {ApiError} `unavailable` in production, when no processor says.
 */
export function merchantOf({ flow, configs, storeName, brand }: MerchantSubject, environment: Environment): Merchant {
  const asked = [...(flow?.processorConfigs ?? []), ...(flow?.fallbackProcessorConfigs ?? [])]
  for (const { processorId, disabled } of asked) {
    const { merchant } = readProcessorSettings(configs.get(processorId))
    if (!disabled && merchant !== null && findAcquirerBin(merchant, brand) !== null) return merchant
  }
  return madeUp(storeName, environment)
}

/** 5399 is general merchandise (ISO 18245), 840 the United States. */
function madeUp(storeName: string, environment: Environment): Merchant {
  if (environment === 'production') {
    throw new ApiError(
      'unavailable',
      'No processor of the payment flow has a merchant for 3-D Secure; ask the operator.',
    )
  }
  return {
    merchantId: 'SIMULATED',
    mcc: '5399',
    merchantName: storeName.slice(0, NAME_MAX_CHARS),
    merchantCountryCode: '840',
    acquirerBin: '400000',
  }
}

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
function findAcquirerBin(config: ProcessorConfig, brand: string): string | null {
  return config[fieldOf(brand)] ?? config.acquirerBin ?? null
}

function fieldOf(brand: string) {
  return fields.get(brand) ?? 'acquirerBin'
}
