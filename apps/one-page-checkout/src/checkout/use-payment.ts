import { type Address, type CardForm, type Page, type PayOutcome, TillwrightError } from '@tillwright/plugin-sdk'
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
  /** Shows what came of a wallet's payment. */
  settle(outcome: PayOutcome): void
  /** Asks what came of a payment that was not known yet. */
  checkAgain(): void
}

/** Pays once, however often it is asked to, and goes on with a payment that a reload has cut off. */
export function usePayment(form: Form, settings: Settings, card: CardForm | null): Payment {
  const page = usePage()
  const { status } = usePay() // also of a payment that goes on behind a reload
  const [isUnderWay, setUnderWay] = useState(false)
  const [message, setMessage] = useState<keyof Texts | null>(null)
  const isBusy = useRef(false)

  async function during(work: () => Promise<PayOutcome | null>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setUnderWay(true)
    setMessage(null)
    const outcome = await work()
    if (outcome?.outcome === 'paid') return showReceipt(page) // the page is being left, so it stays busy
    isBusy.current = false
    setUnderWay(false)
    if (outcome !== null) tell(outcome)
  }

  function tell(outcome: PayOutcome): void {
    if (outcome.outcome === 'failed' && outcome.error.param === 'email') return form.refuse('email', 'emailWrong')
    setMessage(explainOutcome(outcome))
    const isAtCard =
      outcome.outcome === 'incomplete' || (outcome.outcome === 'declined' && outcome.reason === 'incorrect_cvc')
    if (isAtCard) card?.focus()
  }

  useEffect(() => {
    void page.pay.resume().then((outcome) => (outcome === null ? undefined : during(async () => outcome)))
    const freshen = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return // only a page that was left and shown again is still busy
      isBusy.current = false
      setUnderWay(false)
    }
    addEventListener('pageshow', freshen)
    return () => removeEventListener('pageshow', freshen)
  }, [page])
  return {
    isUnderWay: isUnderWay || status !== 'idle',
    message,
    submit: () => void (form.check() && during(() => placeOrder(page, form.draft, settings))),
    mayStart: () => !isBusy.current && form.check(),
    prepare: () => sayWhoBuys(page, form.draft, settings),
    settle: (outcome) => void during(async () => outcome),
    checkAgain: () => void during(() => page.pay.resume()),
  }
}

/** Says who buys and where it goes, then pays with the card that was typed. It never rejects. */
async function placeOrder(
  page: Pick<Page, 'customer' | 'order' | 'pay'>,
  draft: Draft,
  settings: Pick<Settings, 'address' | 'phone'>,
): Promise<PayOutcome> {
  try {
    await sayWhoBuys(page, draft, settings)
    return await page.pay.withCard()
  } catch (error) {
    if (!(error instanceof TillwrightError)) throw error
    return { outcome: 'failed', error }
  }
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
}

/** Failures that mean: the order is another one than the buyer was shown. */
const changed = ['state_conflict', 'promotion_exhausted', 'amount_invalid', 'currency_unsupported']

/**
 * Explains to the buyer a payment that has not succeeded.
 *
 * @returns The key of a text; `null` where the receipt or the card form speaks for itself.
 */
export function explainOutcome(outcome: PayOutcome): keyof Texts | null {
  switch (outcome.outcome) {
    case 'paid':
    case 'incomplete':
      return null
    case 'declined':
      return declines[outcome.declineCode ?? ''] ?? declines[outcome.reason] ?? 'declined'
    case 'cancelled':
      return 'cancelled'
    case 'pending':
      return 'pending'
    case 'failed':
      return changed.includes(outcome.error.code) ? 'orderChanged' : 'failed'
  }
}
