import type { ListedProcessor } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'

type Merchant = NonNullable<ListedProcessor['merchant']>

/** The options of `processors add` that name the merchant. */
export interface MerchantOptions {
  merchantId?: string
  mcc?: string
  merchantName?: string
  merchantCountry?: string
  merchantUrl?: string
  acquirerBin?: readonly string[]
}

/** The networks that may have an acquirer of their own, in the API's numbering. Source: decisions, "Cards". */
const fields = {
  visa: 'acquirerBinNetwork1',
  mastercard: 'acquirerBinNetwork2',
  amex: 'acquirerBinNetwork3',
  discover: 'acquirerBinNetwork4',
} as const

/**
 * The merchant that options name, or `null` where none does. An acquirer's BIN is for all networks, or for the one before
 * it: `445566`, `visa=445566`.
 *
 * @throws {CommandFailed} When a part is missing.
 */
export function merchantOf(options: MerchantOptions): Merchant | null {
  const { merchantId, mcc, merchantName, merchantCountry, merchantUrl, acquirerBin } = options
  if ([merchantId, mcc, merchantName, merchantCountry, merchantUrl, acquirerBin].every((each) => each === undefined)) {
    return null
  }
  return {
    merchantId: required('--merchant-id', merchantId),
    mcc: required('--mcc', mcc),
    merchantName: required('--merchant-name', merchantName),
    merchantCountryCode: required('--merchant-country', merchantCountry),
    ...(merchantUrl !== undefined && { merchantUrl }),
    ...Object.assign({}, ...(acquirerBin ?? []).map(binOf)),
  }
}

function required(option: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new CommandFailed(
    `${option}: is missing; a merchant has an id, an mcc, a name, a country and an acquirer's BIN.`,
  )
}

function binOf(text: string): Partial<Merchant> {
  const [bin = '', network] = text.split('=').toReversed()
  if (network === undefined) return { acquirerBin: bin }
  const field = Object.hasOwn(fields, network) ? fields[network as keyof typeof fields] : undefined
  if (field !== undefined) return { [field]: bin }
  throw new CommandFailed(`--acquirer-bin: '${network}' must be one of: ${Object.keys(fields).join(', ')}.`)
}
