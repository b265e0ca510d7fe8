import {
  countryNumber,
  currencyExponent,
  currencyNumber,
  currencyOfNumber,
  type AuthenticationType,
  type NewThreedsAuthentication,
} from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { CardRow } from '../../vault/card-row.ts'
import { acquirerBin } from './acquirer-bin.ts'

/** The version of EMV 3DS that is spoken. */
export const MESSAGE_VERSION = '2.2.0'

/** What a request to authenticate gives to an AReq, by the names and in the formats of EMV 3DS 2.2.0. */
export interface EmvRequest {
  threeDSServerTransID: string
  messageVersion: typeof MESSAGE_VERSION
  /** 01: a payment. */
  messageCategory: '01'
  acquirerBIN: string
  acquirerMerchantID: string
  mcc: string
  merchantName: string
  /** ISO 3166-1 numeric. */
  merchantCountryCode: string
  threeDSRequestorURL?: string
  threeDSRequestorChallengeInd: string
  threeDSRequestorAuthenticationInd: string
  /** Minor units without leading zeros. */
  purchaseAmount: string
  /** ISO 4217 numeric. */
  purchaseCurrency: string
  purchaseExponent: string
  /** YYYYMMDDHHMMSS, UTC. */
  purchaseDate: string
  /** YYYYMMDD; with the frequency in days, for a series of payments alone. */
  recurringExpiry?: string
  recurringFrequency?: string
  cardholderName: string
  email: string
  /** YYMM. */
  cardExpiryDate: string
}

/** What a request to authenticate does not say itself. */
export interface EmvContext {
  transactionId: string
  card: Pick<CardRow, 'brand' | 'expMonth' | 'expYear'>
  nowMs: number
}

/**
 * Writes a request to authenticate in the formats of EMV 3DS.
 *
 * @throws {ApiError} `parameter_missing` without an acquirer BIN for the card, `parameter_invalid` for a series of
 *   payments that is over already.
 */
export function emvRequest(body: NewThreedsAuthentication, { transactionId, card, nowMs }: EmvContext): EmvRequest {
  const { processorConfig, cardholderInfo, challengePreference, authenticationType } = body
  const { merchantUrl } = processorConfig
  return {
    threeDSServerTransID: transactionId,
    messageVersion: MESSAGE_VERSION,
    messageCategory: '01',
    acquirerBIN: acquirerBin(processorConfig, card.brand),
    acquirerMerchantID: processorConfig.merchantId,
    mcc: processorConfig.mcc,
    merchantName: processorConfig.merchantName,
    merchantCountryCode: known(countryNumber(processorConfig.merchantCountryCode)),
    ...(merchantUrl !== undefined && { threeDSRequestorURL: merchantUrl }),
    threeDSRequestorChallengeInd: challengeIndicators.get(challengePreference) ?? challengePreference,
    threeDSRequestorAuthenticationInd: authenticationIndicators[authenticationType],
    ...purchase(body.purchaseInfo, nowMs),
    ...series(body, nowMs),
    cardholderName: cardholderInfo.name,
    email: cardholderInfo.email,
    cardExpiryDate: `${twoDigits(card.expYear % 100)}${twoDigits(card.expMonth)}`,
  }
}

/** The preferences that have a name; the others are codes already. Source: EMV 3DS 2.2.0; 90 is Cartes Bancaires' own. */
const challengeIndicators = new Map<string, string>([
  ['no-preference', '01'],
  ['no-challenge', '02'],
  ['challenge-requested', '03'],
  ['challenge-mandated', '04'],
  ['cartes-bancaires', '90'],
])

const authenticationIndicators: Record<AuthenticationType, string> = {
  'payment-transaction': '01',
  'recurring-transaction': '02',
  'installment-transaction': '03',
}

function purchase({ amount, currency }: NewThreedsAuthentication['purchaseInfo'], nowMs: number) {
  const code = currencyOfNumber(currency) ?? currency
  return {
    purchaseAmount: String(Number(amount)), // at most twelve digits, so the number is exact
    purchaseCurrency: known(currencyNumber(code)),
    purchaseExponent: String(known(currencyExponent(code))),
    purchaseDate: emvTime(nowMs),
  }
}

function series({ authenticationType, recurringInfo }: NewThreedsAuthentication, nowMs: number) {
  if (recurringInfo === undefined) return {}
  const recurringExpiry = recurringInfo.expiration.replaceAll('-', '')
  if (recurringExpiry < emvTime(nowMs).slice(0, 8)) {
    const param = 'recurringInfo.expiration'
    throw new ApiError('parameter_invalid', `${param} lies in the past; send today or a later day.`, { param })
  }
  if (authenticationType === 'payment-transaction') return {}
  return { recurringExpiry, recurringFrequency: recurringInfo.frequency }
}

/** YYYYMMDDHHMMSS in UTC. */
function emvTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The contract's schema lets nothing pass that these tables do not know. */
function known<Value>(value: Value | null): Value {
  if (value === null) throw new RangeError('The contract accepted a code that has no number.')
  return value
}
