import type { ExemptionPolicy, ExemptionReason, Payment, ScaDecision, ScaExemption } from '@tillwright/contract'

/**
 * Exemptions from strong customer authentication. Sources: Commission Delegated Regulation (EU) 2018/389, articles 13, 14,
 * 16, 17 and 18 with its annex; FCA Technical Standards on SCA and CSC for the United Kingdom, the same articles, whose
 * amounts are in pounds (article 16; FCA Handbook, SUP 15 Annex 12D for those of article 18).
 */

/** Where the regulations apply. */
type Regime = 'eu' | 'uk'

/** The amounts of a regime, in minor units of its currency. */
interface Limits {
  currency: string
  /** Article 16: of one payment, and of all in a row. */
  lowValue: { each: number; together: number }
  /** Article 18 and its annex: the highest fraud rate, in percent, up to each amount. */
  lowRisk: readonly { ratePercent: number; amount: number }[]
}

const limitsOf: Readonly<Record<Regime, Limits>> = {
  eu: {
    currency: 'EUR',
    lowValue: { each: 30_00, together: 100_00 },
    lowRisk: [
      { ratePercent: 0.01, amount: 500_00 },
      { ratePercent: 0.06, amount: 250_00 },
      { ratePercent: 0.13, amount: 100_00 },
    ],
  },
  uk: {
    currency: 'GBP',
    lowValue: { each: 25_00, together: 85_00 },
    lowRisk: [
      { ratePercent: 0.01, amount: 440_00 },
      { ratePercent: 0.06, amount: 220_00 },
      { ratePercent: 0.13, amount: 85_00 },
    ],
  },
}

/** How many payments in a row need no authentication. Source: article 16 (c). */
export const LOW_VALUE_IN_A_ROW = 5

/** The European Economic Area. */
const eea: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)

/** The acquirer of a processor, as its operator describes it. */
export interface Acquirer {
  /** ISO 3166-1 alpha-2. */
  country: string
  /** Its fraud rate for remote card payments, in percent; `null` where it has told none. */
  fraudRatePercent: number | null
}

/** Facts that decide on exemptions of a payment. */
export interface ExemptionFacts {
  initiatedBy: Payment['initiatedBy']
  /** In minor units. */
  amount: number
  currency: string
  /** Whether the merchant, a law or the circumstances want the buyer to be authenticated. */
  isWanted: boolean
  /** Whether the buyer agrees to later charges with it. */
  beginsAgreement: boolean
  /** Whether buyers are authenticated before they are charged. */
  authenticates: boolean
  /** Of the processor that is asked. */
  acquirer: Acquirer | null
  /** The exemptions that the processor can request; `null` for all. */
  possible: readonly ScaExemption[] | null
  /** Exempted payments of the card in this currency since its buyer was authenticated last. */
  lowValue: { payments: number; amount: number }
  /** The amount of the payment with which the buyer agreed to the series, in minor units; `null` for none in this currency. */
  seriesAmount: number | null
  /** Whether the issuer has told that the buyer has put the merchant on their list. */
  isTrusted: boolean
  isCommercial: boolean
}

/**
 * Decides whether a payment asks for an exemption, and for which: the first of the policy that applies. The card's issuing
 * country is not known here; an issuer elsewhere is not bound, and takes no notice.
 */
export function decideExemption(policy: ExemptionPolicy, facts: ExemptionFacts): ScaDecision {
  const scope = scopeOf(policy, facts)
  const regime = regimeOf(facts.acquirer)
  if (scope !== 'in_scope' || regime === null) {
    return { scope, asked: null, requestedIn: null, result: null, considered: [] }
  }
  const considered = policy.exemptions.map((exemption) => ({
    exemption,
    article: articles[exemption],
    reason: reasonOf(exemption, facts, limitsOf[regime]),
  }))
  const asked = considered.find(({ reason }) => reason === 'applies')?.exemption ?? null
  return { scope, asked, requestedIn: asked === null ? null : policy.requestIn, result: null, considered }
}

/** The highest sum that a card may have in a row without authentication, in minor units; 0 for other currencies. */
export function lowValueSum(currency: string): number {
  return Object.values(limitsOf).find((each) => each.currency === currency)?.lowValue.together ?? 0
}

/**
 * How the issuer is asked in an authentication. Source: EMV 3DS 2.2.0, threeDSRequestorChallengeInd: 02 no challenge, 05
 * transactional risk analysis is already performed, 08 trusted beneficiary. The others have codes from 2.3.1 on only.
 */
export const challengeIndicators = {
  low_risk: '05',
  trusted: '08',
  low_value: '02',
  recurring: '02',
  secure_corporate: '02',
} as const satisfies Record<ScaExemption, Payment['challengePreference']>

const articles: Readonly<Record<ScaExemption, number>> = {
  trusted: 13,
  recurring: 14,
  low_value: 16,
  secure_corporate: 17,
  low_risk: 18,
}

function scopeOf(policy: ExemptionPolicy, facts: ExemptionFacts): ScaDecision['scope'] {
  if (facts.initiatedBy === 'merchant') return 'merchant_initiated'
  if (facts.amount === 0) return 'nothing_to_pay'
  if (facts.acquirer === null) return 'acquirer_unknown'
  if (regimeOf(facts.acquirer) === null) return 'acquirer_elsewhere'
  if (facts.isWanted) return 'authentication_wanted'
  if (facts.beginsAgreement) return 'agreement_begins'
  return policy.requestIn === 'authentication' && !facts.authenticates ? 'without_authentication' : 'in_scope'
}

function regimeOf(acquirer: Acquirer | null): Regime | null {
  if (acquirer === null) return null
  if (acquirer.country === 'GB') return 'uk'
  return eea.has(acquirer.country) ? 'eu' : null
}

function reasonOf(exemption: ScaExemption, facts: ExemptionFacts, limits: Limits): ExemptionReason {
  if (facts.possible?.includes(exemption) === false) return 'processor_cannot'
  switch (exemption) {
    case 'low_value':
      return lowValue(facts, limits)
    case 'low_risk':
      return lowRisk(facts, limits)
    case 'recurring':
      if (facts.seriesAmount === null) return 'no_earlier_payment'
      return facts.seriesAmount === facts.amount ? 'applies' : 'other_amount'
    case 'trusted':
      return facts.isTrusted ? 'applies' : 'not_trusted'
    case 'secure_corporate':
      return facts.isCommercial ? 'applies' : 'not_commercial'
  }
}

/** Issuers count either the payments or the sum; what keeps to both keeps to either. */
function lowValue({ amount, currency, lowValue: had }: ExemptionFacts, limits: Limits): ExemptionReason {
  if (currency !== limits.currency) return 'currency_without_limit'
  if (amount > limits.lowValue.each) return 'amount_too_high'
  if (had.payments >= LOW_VALUE_IN_A_ROW) return 'five_in_a_row'
  return had.amount + amount > limits.lowValue.together ? 'sum_too_high' : 'applies'
}

function lowRisk({ amount, currency, acquirer }: ExemptionFacts, limits: Limits): ExemptionReason {
  const rate = acquirer?.fraudRatePercent ?? null
  if (rate === null) return 'fraud_rate_unknown'
  if (currency !== limits.currency) return 'currency_without_limit'
  const bands = limits.lowRisk.filter(({ ratePercent }) => rate <= ratePercent)
  if (bands.length === 0) return 'fraud_rate_too_high'
  return bands.some((band) => amount <= band.amount) ? 'applies' : 'amount_too_high'
}
