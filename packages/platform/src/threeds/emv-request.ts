import {
  type AuthenticationType,
  type BrowserData,
  countryNumber,
  currencyExponent,
  currencyNumber,
  currencyOfNumber,
  type NewThreedsAuthentication,
  type RecurringInfo,
} from '@tillwright/contract'
import type { MessageVersion } from '@tillwright/emv-3ds'
import { z } from 'zod'
import { withoutAccents } from '../runtime/index.ts'
import type { CardRow } from '../vault/index.ts'
import type { EmvBrowser } from './browser-data.ts'
import { acquirerBin } from './merchant.ts'

/** The version of EMV 3DS that is spoken. */
export const MESSAGE_VERSION = '2.2.0'

/**
 * Our reference number for the built-in directory. EMVCo assigns one to each product it has approved; this product is
 * not approved, and the number says so.
 */
const SERVER_REF_NUMBER = 'TILLWRIGHT_UNAPPROVED_020200'

const REQUESTOR_NAME_MAX_CHARS = 40

/** Where on the vault's origin directory servers send the results of challenges. */
export const RESULTS_PATH = '/v1/threeds/results'

/** 01: a payment; 02: none, where a card is verified. Source: EMV 3DS 2.2.0, messageCategory. */
type MessageCategory = '01' | '02'

/** The category of an authentication for an amount. */
export function categoryOf(amount: number): MessageCategory {
  return amount === 0 ? '02' : '01'
}

/** An AReq, by the names and in the formats of EMV 3DS 2.2.0. It holds a card number, so it is never logged or kept. */
export interface EmvRequest extends EmvBrowser {
  messageType: 'AReq'
  /** Written as 2.2.0; the sender lowers it for an issuer that supports only 2.1.0. */
  messageVersion: MessageVersion
  /** 02: a browser. */
  deviceChannel: '02'
  messageCategory: MessageCategory
  threeDSServerTransID: string
  threeDSServerRefNumber: string
  /** Identifies the 3DS server's operator to a directory. */
  threeDSServerOperatorID?: string
  /** Where the result of a challenge is sent to. */
  threeDSServerURL: string
  /** Where the issuer sends the browser when a challenge has ended. */
  notificationURL: string
  /** Whether the issuer's method page has run. */
  threeDSCompInd: 'Y' | 'N' | 'U'
  threeDSRequestorID: string
  threeDSRequestorName: string
  acctNumber: string
  acquirerBIN: string
  acquirerMerchantID: string
  mcc: string
  merchantName: string
  /** ISO 3166-1 numeric. */
  merchantCountryCode: string
  threeDSRequestorURL: string
  threeDSRequestorChallengeInd: string
  threeDSRequestorAuthenticationInd: string
  /** Whether the bank may ask the buyer elsewhere, and how many minutes it then has, in five digits. */
  threeDSRequestorDecReqInd?: 'Y'
  threeDSRequestorDecMaxTime?: string
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
  /** The number of installments, for those alone. */
  purchaseInstalData?: string
  cardholderName?: string
  email?: string
  /** YYMM. */
  cardExpiryDate: string
}

/** The payment being authenticated, the merchant, and the known details of the cardholder. */
export type AuthenticationFacts = Omit<NewThreedsAuthentication, 'sessionId' | 'cardholderInfo'> & {
  cardholderInfo: Partial<NewThreedsAuthentication['cardholderInfo']>
}

/** Context of a request that is not part of the facts. */
export interface EmvContext {
  transactionId: string
  card: Pick<CardRow, 'brand' | 'expMonth' | 'expYear'> & { number: string }
  /** The shop that asks. `url` is its address unless the facts name one. */
  requestor: { id: string; name: string; url: string }
  /** The vault's origin, where the browser comes back to. */
  vaultUrl: string
  browser: EmvBrowser
  methodCompletion: EmvRequest['threeDSCompInd']
  /** Minutes a bank has for decoupled authentication; 0 when it is not offered. */
  decoupledMinutes: number
  nowMs: number
}

/**
 * Writes a request to authenticate in the formats of EMV 3DS.
 *
 * @throws {ApiError} `parameter_missing` without an acquirer BIN for the card.
 */
export function emvRequest(facts: AuthenticationFacts, context: EmvContext): EmvRequest {
  const { processorConfig, cardholderInfo, challengePreference } = facts
  const { card, requestor, nowMs } = context
  return {
    messageType: 'AReq',
    messageVersion: MESSAGE_VERSION,
    deviceChannel: '02',
    messageCategory: categoryOf(Number(facts.purchaseInfo.amount)),
    ...server(context),
    ...context.browser,
    threeDSCompInd: context.methodCompletion,
    threeDSRequestorID: requestor.id,
    threeDSRequestorName: requestor.name.slice(0, REQUESTOR_NAME_MAX_CHARS),
    threeDSRequestorURL: processorConfig.merchantUrl ?? requestor.url,
    acctNumber: card.number,
    acquirerBIN: acquirerBin(processorConfig, card.brand),
    acquirerMerchantID: processorConfig.merchantId,
    mcc: processorConfig.mcc,
    merchantName: processorConfig.merchantName,
    merchantCountryCode: known(countryNumber(processorConfig.merchantCountryCode)),
    threeDSRequestorChallengeInd: challengeIndicators.get(challengePreference) ?? challengePreference,
    threeDSRequestorAuthenticationInd: authenticationIndicator(facts),
    ...decoupling(context),
    ...purchase(facts.purchaseInfo, nowMs),
    ...series(facts),
    ...cardholderName(cardholderInfo),
    ...(cardholderInfo.email !== undefined && { email: cardholderInfo.email }),
    cardExpiryDate: `${twoDigits(card.expYear % 100)}${twoDigits(card.expMonth)}`,
  }
}

const NAME_LENGTHS = { min: 2, max: 45 }

/**
 * The cardholder's name in printable ASCII; none where it has letters of another script, by which a directory would refuse
 * the whole message. Source: EMV 3DS 2.2.0, cardholderName; EMV Book 4, Appendix B.
 */
function cardholderName({ name = '' }: AuthenticationFacts['cardholderInfo']): Pick<EmvRequest, 'cardholderName'> {
  const plain = withoutAccents(name.replaceAll(/[‘’]/g, "'")).slice(0, NAME_LENGTHS.max)
  return /^[ -~]+$/.test(plain) && plain.length >= NAME_LENGTHS.min ? { cardholderName: plain } : {}
}

/** The address that the browser is sent to when a challenge, or the issuer's method page, has ended. */
export function notificationUrl(step: 'notify' | 'method', transactionId: string, vaultUrl: string): string {
  return `${vaultUrl}/v1/threeds/${step}/${transactionId}`
}

function server({ transactionId, vaultUrl }: EmvContext) {
  return {
    threeDSServerTransID: transactionId,
    threeDSServerRefNumber: SERVER_REF_NUMBER,
    threeDSServerURL: `${vaultUrl}${RESULTS_PATH}`,
    notificationURL: notificationUrl('notify', transactionId, vaultUrl),
  }
}

/** Source: EMV 3DS 2.2.0, threeDSRequestorDecMaxTime: 00001 to 10080. */
function decoupling({ decoupledMinutes }: EmvContext) {
  if (decoupledMinutes === 0) return {}
  return {
    threeDSRequestorDecReqInd: 'Y' as const,
    threeDSRequestorDecMaxTime: String(decoupledMinutes).padStart(5, '0'),
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

/** 04: a card is added, where nothing is paid. Source: EMV 3DS 2.2.0, threeDSRequestorAuthenticationInd. */
function authenticationIndicator({ authenticationType, purchaseInfo }: AuthenticationFacts): string {
  const isAdded = authenticationType === 'payment-transaction' && Number(purchaseInfo.amount) === 0
  return isAdded ? '04' : authenticationIndicators[authenticationType]
}

const authenticationIndicators: Record<AuthenticationType, string> = {
  'payment-transaction': '01',
  'recurring-transaction': '02',
  'installment-transaction': '03',
}

function purchase({ amount, currency }: AuthenticationFacts['purchaseInfo'], nowMs: number) {
  const code = currencyOfNumber(currency) ?? currency
  return {
    purchaseAmount: String(Number(amount)), // at most twelve digits, so the number is exact
    purchaseCurrency: known(currencyNumber(code)),
    purchaseExponent: String(known(currencyExponent(code))),
    purchaseDate: emvTime(nowMs),
  }
}

function expiryOf({ expiration }: RecurringInfo): string {
  return expiration.replaceAll('-', '')
}

function series({ authenticationType, recurringInfo }: AuthenticationFacts) {
  if (recurringInfo === undefined || authenticationType === 'payment-transaction') return {}
  const { frequency: recurringFrequency, installments } = recurringInfo
  return {
    recurringExpiry: expiryOf(recurringInfo),
    recurringFrequency,
    ...(authenticationType === 'installment-transaction' &&
      installments !== undefined && { purchaseInstalData: installments }),
  }
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

/** How large the window of a challenge is. Source: EMV 3DS 2.2.0, challengeWindowSize. */
export type WindowSize = BrowserData['challengeWindowSize']

/** The challenge window as large as the page. */
const FULL_SCREEN: WindowSize = '05'

/** The ids that tie a challenge to its authentication. */
export interface ChallengeIds extends Pick<EmvRequest, 'threeDSServerTransID' | 'messageVersion'> {
  acsTransID: string
}

/** A challenge request as the buyer's browser posts it: base64url of its JSON. Source: EMV 3DS 2.2.0, CReq. */
export function encodeCreq({ threeDSServerTransID, acsTransID, messageVersion }: ChallengeIds): string {
  const creq = {
    messageType: 'CReq',
    messageVersion,
    threeDSServerTransID,
    acsTransID,
    challengeWindowSize: FULL_SCREEN,
  }
  return encode(creq)
}

/** The same challenge request for a window of another size. */
export function inWindow(creq: string, challengeWindowSize: WindowSize): string {
  return encode({ ...decode(creq), challengeWindowSize })
}

/** The size of the window that a challenge request names; the whole page for one that names none. */
export function windowSizeOf(creq: string): WindowSize {
  return decode(creq).challengeWindowSize ?? FULL_SCREEN
}

function encode(creq: object): string {
  return Buffer.from(JSON.stringify(creq)).toString('base64url')
}

const challengeRequest = z.looseObject({ challengeWindowSize: z.enum(['01', '02', '03', '04', '05']).optional() })

function decode(creq: string) {
  return challengeRequest.parse(JSON.parse(Buffer.from(creq, 'base64url').toString()))
}
