import type { ListedProcessor } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'

/** The options of `processors add` that describe the acquirer. */
export interface AcquirerOptions {
  acquirerCountry?: string
  fraudRate?: string
}

/**
 * The acquirer described by options, or `null` without any.
 *
 * @throws {CommandFailed} For a fraud rate without a country, or one that is no number.
 */
export function acquirerOf({ acquirerCountry: country, fraudRate }: AcquirerOptions): ListedProcessor['acquirer'] {
  if (country === undefined && fraudRate === undefined) return null
  if (country === undefined)
    throw new CommandFailed("--acquirer-country: is missing; a fraud rate needs the acquirer's country.")
  if (fraudRate === undefined) return { country, fraudRatePercent: null }
  const fraudRatePercent = Number(fraudRate)
  if (fraudRate.trim() !== '' && Number.isFinite(fraudRatePercent)) return { country, fraudRatePercent }
  throw new CommandFailed('--fraud-rate: must be a number of percent, such as 0.06.')
}

type Merchant = NonNullable<ListedProcessor['merchant']>

/** The options of `processors add` that describe the merchant. */
export interface MerchantOptions {
  merchantId?: string
  mcc?: string
  merchantName?: string
  merchantCountry?: string
  merchantUrl?: string
  acquirerBin?: readonly string[]
}

/** Networks that can have their own acquirer, in the API's numbering. Source: decisions, "Cards". */
const fields = {
  visa: 'acquirerBinNetwork1',
  mastercard: 'acquirerBinNetwork2',
  amex: 'acquirerBinNetwork3',
  discover: 'acquirerBinNetwork4',
} as const

/**
 * The merchant described by options, or `null` without any. An acquirer's BIN applies to all networks, or to the one
 * before it: `445566`, `visa=445566`.
 *
 * @throws {CommandFailed} If an option is missing.
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
    `${option}: is missing; a merchant needs an id, an mcc, a name, a country and an acquirer's BIN.`,
  )
}

function binOf(typed: string): Partial<Merchant> {
  const [bin = '', network] = typed.split('=').toReversed()
  if (network === undefined) return { acquirerBin: bin }
  const field = Object.hasOwn(fields, network) ? fields[network as keyof typeof fields] : undefined
  if (field !== undefined) return { [field]: bin }
  throw new CommandFailed(`--acquirer-bin: '${network}' must be one of: ${Object.keys(fields).join(', ')}.`)
}
