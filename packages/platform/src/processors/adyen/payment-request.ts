import { AuthenticationData } from '@adyen/api-library/lib/src/typings/checkout/authenticationData.js'
import type { BillingAddress as AdyenAddress } from '@adyen/api-library/lib/src/typings/checkout/billingAddress.js'
import { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js'
import { IdealDetails } from '@adyen/api-library/lib/src/typings/checkout/idealDetails.js'
import { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import { SepaDirectDebitDetails } from '@adyen/api-library/lib/src/typings/checkout/sepaDirectDebitDetails.js'
import { ThreeDSecureData } from '@adyen/api-library/lib/src/typings/checkout/threeDSecureData.js'
import type { BillingAddress, ScaExemption } from '@tillwright/contract'
import type { Authorisation, AuthenticationResult, BuyerDetails, PresentedCard, WalletName } from '../authorisation.ts'
import { adyenAmount } from './amounts.ts'

/** A card of a kind that Adyen is sent. */
type SentCard = Exclude<PresentedCard, { kind: 'processor_token' }>

/** The request of an attempt, or why there is none: a text for the payment's trace. */
export type Composed = { request: PaymentRequest } | { refused: string }

/**
 * A placeholder for `returnUrl`, which Adyen requires even if no buyer is redirected. Source of the domain: RFC 2606.
 */
const NOWHERE = 'https://return.invalid/'

/** The `POST /payments` of an attempt. */
export function composePayment(authorisation: Authorisation, merchantAccount: string): Composed {
  const { attemptId, amount: minor, currency, descriptor, orderId, returnUrl, buyer } = authorisation
  const amount = adyenAmount(minor, currency)
  if (amount === null) return { refused: `Adyen cannot write ${minor} in ${currency}.` }
  if (authorisation.method.type !== 'card' && authorisation.capture === 'later') {
    return { refused: 'At Adyen this payment method takes the money at once.' }
  }
  const paid = paidWith(authorisation)
  if (paid === null) return { refused: 'Adyen is not sent this payment method here.' }
  return {
    request: {
      amount,
      merchantAccount,
      reference: attemptId,
      merchantOrderReference: orderId,
      returnUrl: returnUrl ?? NOWHERE,
      ...(descriptor !== null && { shopperStatement: statementOf(descriptor) }),
      ...buyerFields(buyer),
      ...(isTakenNow(authorisation) && { captureDelayHours: 0 }),
      ...paid,
      additionalData: additionalDataOf(authorisation),
    },
  }
}

/** The text without what Adyen does not allow in it: `ORDER #1042` becomes `ORDER 1042`. Source: Adyen, shopperStatement. */
function statementOf(descriptor: string): string {
  return descriptor
    .replaceAll(/[^\w .,'\-?+*/]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}

/** A card that is only checked is not captured, and other methods know no capture. */
function isTakenNow({ amount, capture, method }: Authorisation): boolean {
  return amount > 0 && capture === 'now' && method.type === 'card'
}

function additionalDataOf({ amount, capture, method, exemption }: Authorisation): Record<string, string> {
  if (method.type !== 'card') return {}
  const asked = exemption === null ? undefined : exemptions[exemption]
  return {
    ...(amount > 0 && capture === 'later' && { manualCapture: 'true' }),
    ...(asked !== undefined && { scaExemption: asked }),
  }
}

/**
 * The payment method, with the fields that it adds to the request; `null` for one that this driver does not support.
 */
function paidWith(
  authorisation: Authorisation,
): (Pick<PaymentRequest, 'paymentMethod'> & Partial<PaymentRequest>) | null {
  const { method, buyer } = authorisation
  switch (method.type) {
    case 'card':
      return method.card.kind === 'processor_token' ? null : cardFields(method.card, method.network, authorisation)
    case 'redirect':
      return method.method === 'ideal' ? { paymentMethod: { type: IdealDetails.TypeEnum.Ideal } } : null
    case 'debit': {
      const { iban, holderName: ownerName } = method.account
      const type = SepaDirectDebitDetails.TypeEnum.Sepadirectdebit
      const country = buyer.billingAddress?.country ?? iban.slice(0, 2)
      return { paymentMethod: { type, iban, ownerName }, countryCode: country }
    }
    case 'voucher':
      return null
  }
}

function cardFields(
  card: SentCard,
  network: string | null,
  { storedCredential, initiatedBy, threeds, buyer, customerId }: Authorisation,
): Pick<PaymentRequest, 'paymentMethod'> & Partial<PaymentRequest> {
  const agreed = storedCredential?.networkTransactionId ?? null
  const proof = mpiDataOf(card, threeds)
  return {
    paymentMethod: {
      ...numberFields(card, network),
      ...(buyer.name !== null && { holderName: buyer.name }),
      ...(storedCredential?.use === 'later' && agreed !== null && { networkPaymentReference: agreed }),
    },
    // 3-D Secure is the platform's own business: where the issuer wants it, Adyen declines and says so.
    authenticationData: { attemptAuthentication: AuthenticationData.AttemptAuthenticationEnum.Never },
    ...credentialFields({ storedCredential, initiatedBy, customerId }),
    ...(proof !== null && { mpiData: proof }),
  }
}

function numberFields(card: SentCard, network: string | null): CardDetails {
  const { number, expMonth, expYear, wallet } = card
  const brand = wallet === null ? network !== null && brands[network] : wallets[wallet]
  const isToken = card.kind === 'network_token' && wallet === null
  return {
    type: isToken ? CardDetails.TypeEnum.NetworkToken : CardDetails.TypeEnum.Scheme,
    number,
    expiryMonth: String(expMonth).padStart(2, '0'),
    expiryYear: String(expYear),
    ...(card.kind === 'number' && card.cvc !== null && { cvc: card.cvc }),
    ...(typeof brand === 'string' && { brand }),
  }
}

/** Adyen's names of the wallets whose tokens are decrypted by the merchant. Source: Adyen, "Apple Pay", "Google Pay". */
const wallets: Readonly<Record<WalletName, string>> = { apple_pay: 'applepay', google_pay: 'paywithgoogle' }

/** Adyen's names of networks by the vault's; the others it finds by itself. Source: Adyen, "PaymentMethodVariant". */
const brands: Readonly<Record<string, string>> = {
  amex: 'amex',
  bancontact: 'bcmc',
  cartes_bancaires: 'cartebancaire',
  dankort: 'dankort',
  diners: 'diners',
  discover: 'discover',
  jcb: 'jcb',
  maestro: 'maestro',
  mastercard: 'mc',
  unionpay: 'cup',
  visa: 'visa',
}

/** Adyen's names of exemptions; of a recurring payment it decides itself, from the processing model. */
export const exemptions: Readonly<Partial<Record<ScaExemption, string>>> = {
  low_value: 'lowValue',
  low_risk: 'transactionRiskAnalysis',
  trusted: 'trustedBeneficiary',
  secure_corporate: 'secureCorporate',
}

type Proof = Partial<ThreeDSecureData>

/** The proof of an authentication, and the cryptogram of a token, which a wallet has made one of. */
function mpiDataOf(card: SentCard, threeds: AuthenticationResult | null): Proof | null {
  const token = card.kind === 'network_token' ? tokenFields(card) : {}
  const proof = { ...token, ...(threeds !== null && threedsFields(threeds)) }
  return Object.keys(proof).length === 0 ? null : proof
}

function tokenFields({ cryptogram, eci, wallet }: Extract<SentCard, { kind: 'network_token' }>): Proof {
  if (cryptogram === null) return {}
  const strength = eci === null ? {} : { eci }
  if (wallet === null) return { tokenAuthenticationVerificationValue: cryptogram, ...strength }
  return { cavv: cryptogram, ...results('Y', 'Y'), ...strength }
}

function threedsFields(threeds: AuthenticationResult): Proof {
  const { authenticationStatus, finalStatus, authenticationValue, eci, dsTransactionId, version, score } = threeds
  const wasChallenged = authenticationStatus === 'C' || authenticationStatus === 'D'
  return {
    ...results(authenticationStatus, wasChallenged ? finalStatus : null),
    cavv: authenticationValue,
    eci,
    dsTransID: dsTransactionId,
    threeDSVersion: version,
    ...(score !== null && { riskScore: score }),
    ...(threeds.cavvAlgorithm !== null && { cavvAlgorithm: threeds.cavvAlgorithm }),
  }
}

/** `transStatus` of the ARes, and that of a challenge, in the enums of Adyen's library. */
function results(directory: string, challenge: string | null): Proof {
  const directoryResponse = directoryResponses[directory]
  const authenticationResponse = challenge === null ? undefined : challengeResponses[challenge]
  return {
    ...(directoryResponse !== undefined && { directoryResponse }),
    ...(authenticationResponse !== undefined && { authenticationResponse }),
  }
}

const { DirectoryResponseEnum: Directory, AuthenticationResponseEnum: Challenge } = ThreeDSecureData

const directoryResponses: Readonly<Record<string, ThreeDSecureData.DirectoryResponseEnum>> = {
  A: Directory.A,
  C: Directory.C,
  D: Directory.D,
  I: Directory.I,
  N: Directory.N,
  R: Directory.R,
  U: Directory.U,
  Y: Directory.Y,
}

const challengeResponses: Readonly<Record<string, ThreeDSecureData.AuthenticationResponseEnum>> = {
  A: Challenge.A,
  N: Challenge.N,
  U: Challenge.U,
  Y: Challenge.Y,
}

/** Adyen's fields for a card on file. Source: Adyen, "Tokenization", recurring payment types. */
function credentialFields({
  storedCredential,
  initiatedBy,
  customerId,
}: Pick<Authorisation, 'storedCredential' | 'initiatedBy' | 'customerId'>): Partial<PaymentRequest> {
  const { ContAuth, Ecommerce } = PaymentRequest.ShopperInteractionEnum
  const { CardOnFile, Subscription, UnscheduledCardOnFile } = PaymentRequest.RecurringProcessingModelEnum
  if (storedCredential === null) return { shopperInteraction: initiatedBy === 'merchant' ? ContAuth : Ecommerce }
  const models = {
    cardholder: CardOnFile,
    recurring: Subscription,
    installment: Subscription,
    unscheduled: UnscheduledCardOnFile,
  }
  return {
    shopperInteraction: storedCredential.use === 'later' ? ContAuth : Ecommerce,
    recurringProcessingModel: models[storedCredential.reason],
    shopperReference: customerId, // which Adyen requires of every recurring payment, token of its own or not
  }
}

function buyerFields({ email, ip, name, billingAddress }: BuyerDetails): Partial<PaymentRequest> {
  const address = billingAddress === null ? null : addressOf(billingAddress)
  return {
    ...(email !== null && { shopperEmail: email }),
    ...(ip !== null && { shopperIP: ip }),
    ...(name !== null && { shopperName: nameOf(name) }),
    ...(address !== null && { billingAddress: address }),
  }
}

/** The last word is taken for the last name, which Adyen wants apart. */
function nameOf(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/)
  const lastName = words.pop() ?? ''
  return { firstName: words.join(' ') || lastName, lastName }
}

/** Adyen takes an address whole or not at all; what it wants for a part that is not known is `N/A`, for a country `ZZ`. */
function addressOf({ line1, line2, city, state, postalCode, country }: BillingAddress): AdyenAddress | null {
  if (line1 == null && postalCode == null) return null
  const hasStates = country != null && WITH_STATES.has(country)
  const isCode = state != null && (hasStates ? STATE_CODE.test(state) : state.length <= STATE_MAX_CHARS)
  return {
    street: line1 ?? 'N/A',
    houseNumberOrName: line2 ?? 'N/A',
    city: city ?? 'N/A',
    postalCode: postalCode ?? 'N/A',
    country: country == null || (hasStates && !isCode) ? 'ZZ' : country,
    ...(isCode && { stateOrProvince: state }),
  }
}

/** Only codes of states fit. */
const STATE_MAX_CHARS = 3
/** Where Adyen requires one, of two letters; an address without it has to do without its country. */
const WITH_STATES: ReadonlySet<string> = new Set(['US', 'CA'])
const STATE_CODE = /^[A-Z]{2}$/
