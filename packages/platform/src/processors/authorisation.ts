import type {
  AttemptChecks,
  AttemptFee,
  BillingAddress,
  DeclineCode,
  ExemptionResult,
  PaymentMethodType,
  ScaExemption,
  VoucherInstructions,
} from '@tillwright/contract'

/**
 * The payment method to charge. Exists in memory for the length of one call only, since it may hold card data.
 *
 * - `redirect`: the buyer goes to the method's page, and comes back.
 * - `debit`: the buyer's bank account is debited; the bank may reverse that weeks later.
 * - `voucher`: the buyer pays elsewhere, with a code.
 */
export type PaymentMethod =
  | {
      type: 'card'
      card: PresentedCard
      /** The network that was chosen for the card, as the vault names it; `null` leaves it to the processor. */
      network: string | null
    }
  | OtherMethod

/** A method other than a card: plain JSON without card data. */
export type OtherMethod =
  | { type: 'redirect'; method: RedirectMethod }
  | { type: 'debit'; method: DebitMethod; account: BankAccount; mandate: Mandate }
  | { type: 'voucher'; method: VoucherMethod }

/** Every method but cards that processors can be asked for, by the names of the contract. */
export type MethodName = Exclude<PaymentMethodType, 'card' | 'none'>
export type RedirectMethod = Extract<MethodName, 'ideal' | 'paypal'>
export type DebitMethod = Extract<MethodName, 'sepa_debit'>
export type VoucherMethod = Extract<MethodName, 'voucher'>

/** A wallet in which a card can be. */
export type WalletName = 'apple_pay' | 'google_pay'

/**
 * A card as a processor receives it.
 *
 * - `number`: the card's own. `wallet`: the wallet that told it, as Google Pay does with cards without a token.
 * - `network_token`: a number that stands for the card, such as a device's.
 * - `processor_token`: the processor's own name of a card that it keeps (`CardToken` of the status `active`).
 */
export type PresentedCard =
  | {
      kind: 'number'
      number: string
      expMonth: number
      expYear: number
      /** `null` when the card is used again later: a CVC is never stored. */
      cvc: string | null
      wallet: WalletName | null
    }
  | {
      kind: 'network_token'
      number: string
      expMonth: number
      expYear: number
      /** Base64, good for one payment; `null` for later charges. */
      cryptogram: string | null
      /** As the wallet or the network gave it, two digits; `null` where it gave none. */
      eci: string | null
      wallet: WalletName | null
    }
  | { kind: 'processor_token'; token: string; cvc: string | null }

/** An account that is debited. */
export interface BankAccount {
  /** Without blanks, in capitals. Source: ISO 13616. */
  iban: string
  holderName: string
}

/** A buyer's permission to debit an account. Source: SEPA Core Direct Debit Rulebook. */
export interface Mandate {
  /** The mandate's reference, unique for the creditor: at most 35 characters. */
  reference: string
  /** When the buyer agreed, in Unix milliseconds. */
  agreedMs: number
}

/** The result of an authentication of the cardholder, in the words of EMV 3-D Secure. */
export interface AuthenticationResult {
  /** `transStatus` of the ARes: `C` or `D` where the buyer was asked. */
  authenticationStatus: string
  /** `transStatus` after a challenge, of the RReq; that of the ARes where there was none. */
  finalStatus: string
  /** Two digits, such as `05`. */
  eci: string
  /** Base64 of 20 bytes: CAVV, AAV or AEVV. */
  authenticationValue: string
  /** A UUID, as are the two below. */
  dsTransactionId: string
  threedsServerTransactionId: string
  acsTransactionId: string | null
  /** Such as `2.2.0`. */
  version: string
  /** Cartes Bancaires' risk score, 0 to 99; `null` for other networks, and where it told none. */
  score: string | null
  /** Cartes Bancaires' algorithm of the authentication value; `null` likewise. */
  cavvAlgorithm: string | null
  /**
   * The challenge preference sent to the issuer, as EMV's code (threeDSRequestorChallengeInd), such as `04`; `null` for
   * none.
   */
  challengePreference: string | null
}

/** The buyer's details as far as known, which the issuer compares with its own. */
export interface BuyerDetails {
  name: string | null
  email: string | null
  billingAddress: BillingAddress | null
  /** The public address of the buyer's browser. */
  ip: string | null
}

/**
 * Identifies one attempt to charge, without what is charged. Built from the recorded attempt alone, so that it is
 * identical each time the processor is queried.
 */
export interface AttemptFacts {
  /** The idempotency key towards the processor: a repeated id is never a second charge. */
  attemptId: string
  /** When the attempt was put on record, in Unix milliseconds: processors forget keys after a time. */
  startedAtMs: number
  /** In the currency's minor unit. With 0 the issuer is asked whether the card is good, and nothing is taken. */
  amount: number
  currency: string
  /** `now` takes the money with the authorisation, `later` leaves that to `capture`. */
  capture: 'now' | 'later'
  /** The text on the buyer's statement after the merchant's own name, or `null`. */
  descriptor: string | null
}

/**
 * Why a card that is on file is charged, so that its issuer can tell a charge that was agreed to. Source: Visa and
 * Mastercard, Stored Credential Transaction framework.
 */
export interface StoredCredential {
  /** `first`: the buyer is there and agrees to later charges. `later`: a charge that was agreed to. */
  use: 'first' | 'later'
  /** `cardholder`: the buyer pays again. The others are the merchant's to ask for while no buyer is there. */
  reason: 'cardholder' | 'recurring' | 'installment' | 'unscheduled'
  /** The network's id of the payment with which the buyer agreed; `null` where it is not known, and for that payment. */
  networkTransactionId: string | null
}

/** An attempt to charge a buyer. */
export interface Authorisation extends AttemptFacts {
  method: PaymentMethod
  /** `merchant` when the buyer is absent, such as for a renewal: no one can be asked to authenticate. */
  initiatedBy: 'buyer' | 'merchant'
  /** `null` for a single payment with a card that nothing was agreed for, and for what is no card. */
  storedCredential: StoredCredential | null
  threeds: AuthenticationResult | null
  /** The exemption from strong customer authentication that is asked for with the authorisation, or `null`. */
  exemption: ScaExemption | null
  buyer: BuyerDetails
  /** The buyer among the merchant's others. */
  customerId: string
  /** The order that is paid: processors show it to the merchant. */
  orderId: string
  /** Where the buyer comes back to, for methods that lead away; `null` for those that do not. */
  returnUrl: string | null
}

/**
 * The news of a card on file that a network's account updater has for a processor: its issuer has renewed it. A new number
 * stays at the processor, which charges it, and goes on to, in the place of the one that it is sent. Source: Visa Account
 * Updater, Mastercard Automatic Billing Updater.
 */
export interface CardUpdate {
  /** 1 to 12. */
  expMonth: number
  /** Four digits. */
  expYear: number
  /** The last four digits of a new number; `null` where the card has kept its number. */
  newLast4: string | null
}

/** An answer that says no. */
export interface Declined {
  outcome: 'declined'
  declineCode: DeclineCode
  /** `soft`: may succeed at another processor or later. `hard`: will never be approved, and retrying is penalised. */
  kind: 'soft' | 'hard'
  /** The network's advice code as the processor passes it on, such as Mastercard's `03`. */
  advice: string | null
  /** The processor's id for the attempt; `null` where it keeps no record of failed ones. */
  reference: string | null
  checks?: AttemptChecks
  cardUpdate?: CardUpdate
}

/** A processor's name for a card that it keeps, and whether it can charge the card again by it. */
export interface CardToken {
  token: string
  status: 'active' | 'used'
}

/** An answer that says yes. Each part is absent where the processor does not tell it. */
export interface Approved {
  /** `authorized`: the money is set aside, `succeeded`: it is taken. */
  outcome: 'authorized' | 'succeeded'
  /** The processor's id, for captures, refunds and voids. */
  reference: string
  cardToken?: CardToken
  cardUpdate?: CardUpdate
  /** The network's id of it. */
  networkTransactionId?: string
  checks?: AttemptChecks
  /** Whether the requested exemption was granted; absent if none was requested. */
  exemption?: ExemptionResult
  /** The processor's charge for it. */
  fee?: AttemptFee
  /**
   * Of money that was left for later, once nothing more can be captured: how much was, in the currency's minor unit. Absent
   * where all of it was, and where the money was taken with the authorisation.
   */
  captured?: number
}

/**
 * The outcome of an authorisation.
 *
 * - `threeds_required`: nothing is taken; the same card may pass here with a 3-D Secure proof, or with no other one
 *   where it was sent with a proof.
 * - `redirect`: nothing is taken yet; the buyer has to go to `url`, and comes back to the authorisation's `returnUrl`.
 * - `pending`: accepted; an event or `query` will tell whether the money comes. A voucher has `instructions`.
 * - `refused_before_acceptance`: the attempt never began, for a technical reason; it is safe to try elsewhere.
 *
 * After `expiresAtMs`, in Unix milliseconds, `query` has to say whether the money came.
 */
export type AuthorisationOutcome =
  | Approved
  | Declined
  | { outcome: 'threeds_required'; reference: string | null }
  | { outcome: 'redirect'; reference: string; url: string; expiresAtMs: number }
  | { outcome: 'pending'; reference: string; instructions?: VoucherInstructions; expiresAtMs: number }
  | { outcome: 'refused_before_acceptance'; reason: string }

/**
 * Why an issuer or a processor says no, in the field's own words, and whether the same card may be tried elsewhere.
 *
 * `hard` are the answers that Visa's excessive reattempts rule counts as "issuer will never approve" (its category 1:
 * lost, stolen, picked up, closed, no such number, revoked), what is marked as fraud, and those that the same data will
 * always get (its category 3: expiry, security code). The rest is `soft`.
 */
export const declineKinds = {
  generic_decline: 'soft',
  do_not_honor: 'soft',
  insufficient_funds: 'soft',
  try_again_later: 'soft',
  processing_error: 'soft',
  authentication_required: 'soft',
  card_velocity_exceeded: 'soft',
  card_not_supported: 'soft',
  currency_not_supported: 'soft',
  expired_card: 'hard',
  incorrect_cvc: 'hard',
  invalid_number: 'hard',
  lost_card: 'hard',
  stolen_card: 'hard',
  pickup_card: 'hard',
  closed_account: 'hard',
  fraudulent: 'hard',
  authorization_revoked: 'hard',
  transaction_not_allowed: 'hard',
  do_not_try_again: 'hard',
  /** Deleted from the vault: no processor is asked. */
  card_deleted: 'hard',
  /** Went back, or said no, on the method's own page. */
  buyer_canceled: 'soft',
  /** Did not pay within the method's time. */
  payment_expired: 'soft',
  /** The buyer's bank does not pay the debit, such as for an account without money, or one that is closed. */
  debit_refused: 'soft',
} as const satisfies Record<DeclineCode, Declined['kind']>

/**
 * Merchant advice codes that forbid another try whatever the reason says. Source: Mastercard, Transaction Processing
 * Excellence: 03 do not try again, 21 the recurring payment was cancelled.
 */
const FORBIDDING_ADVICE: ReadonlySet<string> = new Set(['03', '21'])

/** A decline for a reason, with the network's advice where there is one. */
export function declined(
  declineCode: DeclineCode,
  { reference, advice = null }: { reference: string | null; advice?: string | null },
): Declined {
  const isFinal = advice !== null && FORBIDDING_ADVICE.has(advice)
  return { outcome: 'declined', declineCode, kind: isFinal ? 'hard' : declineKinds[declineCode], advice, reference }
}

/** An attempt that never began, for a technical reason that people read. */
export function notBegun(reason: string): AuthorisationOutcome {
  return { outcome: 'refused_before_acceptance', reason }
}
