import {
  type Address,
  type CardForm,
  type Page,
  type PaymentMethodType,
  type PayOutcome,
  TillwrightError,
} from '@tillwright/plugin-sdk'
import { debitMethod } from '@tillwright/plugin-sdk/methods'
import { usePage, usePay } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { TypedAddress } from '../address/check-address.ts'
import type { Draft } from '../form/kept-draft.ts'
import type { Form } from '../form/use-form.ts'
import type { Settings } from '../look/settings.ts'
import type { Texts } from '../texts/languages.ts'
import { showReceipt } from './show-receipt.ts'

/** The one payment of the page. */
export interface Payment {
  /** Whether it is under way, from the press of the button to the receipt. */
  isUnderWay: boolean
  /** Message about the last attempt, as a key of the texts, or `null`. */
  message: keyof Texts | null
  submit(): void
  /** Whether a wallet's sheet may open: the form is complete and nothing is under way. It says what is missing. */
  mayStart(): boolean
  /** Says who buys and where it goes, once a wallet's buyer has approved. */
  prepare(): Promise<void>
  /** Shows the outcome of a wallet's payment. */
  complete(outcome: PayOutcome): void
  /** Asks for the outcome of a payment whose outcome is unknown. */
  checkAgain(): void
  /** Leads the buyer again to the page of the method, where nothing is decided yet. */
  goOn(): void
}

/** Pays once, however often it is asked to, and goes on with a payment that a reload has cut off. */
export function usePayment(form: Form, settings: Settings, card: CardForm | null): Payment {
  const page = usePage()
  const { status } = usePay() // also of a payment that goes on behind a reload
  const [isUnderWay, setUnderWay] = useState(false)
  const [message, setMessage] = useState<keyof Texts | null>(null)
  const isBusy = useRef(false)

  async function during(work: () => Promise<PayOutcome | 'left' | null>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setUnderWay(true)
    setMessage(null)
    const outcome = await work()
    if (outcome === 'left') return // for the page of the method, so it stays busy
    if (outcome?.outcome === 'paid' && (await showReceipt(page))) return // likewise
    isBusy.current = false
    setUnderWay(false)
    if (outcome !== null) tell(outcome)
  }

  function tell(outcome: PayOutcome): void {
    if (outcome.outcome === 'failed' && outcome.error.param === 'email') return form.refuse('email', 'emailWrong')
    if (outcome.outcome === 'failed' && outcome.error.param === 'paymentMethod.iban')
      return form.refuse('iban', 'ibanDigits')
    const paidWith = page.session.get().view?.payment?.paymentMethod.type
    setMessage(explainOutcome(outcome, paidWith))
    // Where something is missing, the form has taken the keyboard there itself.
    if (outcome.outcome === 'declined' && outcome.reason === 'incorrect_cvc') card?.focus()
  }

  useEffect(() => {
    const resume = async (): Promise<void> => {
      const outcome = await page.pay.resume()
      if (outcome !== null) await during(async () => outcome)
    }
    void resume()
    const freshen = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return // only a page that was left and shown again is still busy
      isBusy.current = false
      setUnderWay(false)
      void page.session.refresh().then(resume, () => {}) // the session says by itself that it is out of reach
    }
    addEventListener('pageshow', freshen)
    return () => removeEventListener('pageshow', freshen)
  }, [page])
  return {
    isUnderWay: isUnderWay || status !== 'idle',
    message,
    submit: () => void (form.check() && during(async () => leftWith(await placeOrder(page, form, settings)))),
    mayStart: () => !isBusy.current && form.checkBuyer(),
    prepare: () => sayWhoBuys(page, form.draft, settings),
    complete: (outcome) => void during(async () => outcome),
    checkAgain: () => void during(() => page.pay.resume()),
    goOn: () => void during(async () => leftWith(await payWith(form, page.pay))),
  }
}

/** Whether a payment that has just begun leads the buyer to another page, which is being loaded. */
function leftWith(outcome: PayOutcome): PayOutcome | 'left' {
  return outcome.outcome === 'pending' && outcome.payment.nextAction?.type === 'redirect' ? 'left' : outcome
}

/** Says who buys and where it goes, then pays with what was chosen. It never rejects. */
async function placeOrder(
  page: Pick<Page, 'customer' | 'order' | 'pay'>,
  form: Pick<Form, 'draft' | 'method'>,
  settings: Pick<Settings, 'address' | 'phone'>,
): Promise<PayOutcome> {
  try {
    await sayWhoBuys(page, form.draft, settings)
    return await payWith(form, page.pay)
  } catch (error) {
    if (!(error instanceof TillwrightError)) throw error
    return { outcome: 'failed', error }
  }
}

/** Pays with what was chosen. An order that is being paid is not paid twice: its payment goes on. */
function payWith({ draft, method }: Pick<Form, 'draft' | 'method'>, pay: Page['pay']): Promise<PayOutcome> {
  if (method === 'card') return pay.withCard()
  return pay.withMethod(method === 'sepa_debit' ? debitMethod(draft.debit) : { type: method })
}

async function sayWhoBuys(
  { customer, order }: Pick<Page, 'customer' | 'order'>,
  draft: Draft,
  { address, phone }: Pick<Settings, 'address' | 'phone'>,
): Promise<void> {
  const { firstName, lastName } = draft.shipping
  const name = address === 'none' ? {} : { firstName: orNull(firstName), lastName: orNull(lastName) }
  await order.confirm() // what it has come with stands above the button
  await customer.setContact({
    email: draft.email.trim(),
    phone: phone === 'hidden' ? null : orNull(draft.phone),
    ...name,
  })
  if (address !== 'full') return
  const shippingAddress = addressOf(draft.shipping)
  await customer.setAddress({
    shippingAddress,
    billingAddress: draft.isBillingSame ? shippingAddress : addressOf(draft.billing),
  })
}

function addressOf(typed: TypedAddress & { country?: string }): Address {
  const { line1, line2, city, state, postalCode, country } = typed
  return {
    line1: orNull(line1),
    line2: orNull(line2),
    city: orNull(city),
    state: orNull(state),
    postalCode: orNull(postalCode?.toUpperCase()),
    country: orNull(country),
  }
}

function orNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** Declines that a buyer can do something about, by the decline code or else the error code of the platform's answer. */
const declines: Readonly<Record<string, keyof Texts>> = {
  insufficient_funds: 'declinedFunds',
  expired_card: 'declinedExpired',
  incorrect_cvc: 'declinedCode',
  retry_limit_reached: 'declinedTooOften',
  authentication_required: 'declinedBank',
  debit_refused: 'declinedDebit',
  payment_expired: 'declinedLate',
}

/** Failures that mean: the order is another one than the buyer was shown. */
const changed = ['state_conflict', 'promotion_exhausted', 'amount_invalid', 'currency_unsupported']

/**
 * Explains to the buyer a payment that has not succeeded.
 *
 * @param paidWith The payment's method; `card` if there was no payment.
 * @returns The key of a text; `null` where the receipt or the card form speaks for itself.
 */
export function explainOutcome(outcome: PayOutcome, paidWith: PaymentMethodType = 'card'): keyof Texts | null {
  switch (outcome.outcome) {
    case 'paid':
    case 'incomplete':
      return null
    case 'declined':
      return declines[outcome.declineCode ?? ''] ?? byReason(outcome.reason, paidWith)
    case 'cancelled':
      return paidWith === 'card' ? 'cancelled' : 'cancelledThere'
    case 'pending':
      return outcome.payment.nextAction?.type === 'redirect' ? 'undecided' : 'pending'
    case 'failed':
      return changed.includes(outcome.error.code) ? 'orderChanged' : 'failed'
  }
}

function byReason(reason: string, paidWith: PaymentMethodType): keyof Texts {
  return paidWith === 'card' ? (declines[reason] ?? 'declined') : 'declinedThere'
}
