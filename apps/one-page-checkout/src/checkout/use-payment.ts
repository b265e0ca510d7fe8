import type { CardForm, PayOutcome } from '@tillwright/plugin-sdk'
import { usePage, usePay } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Form } from '../form/use-form.ts'
import type { Settings } from '../look/settings.ts'
import type { Texts } from '../texts/languages.ts'
import { explainOutcome } from './explain-outcome.ts'
import { placeOrder } from './place-order.ts'
import { showReceipt } from './show-receipt.ts'

/** The one payment of the page. */
export interface Payment {
  /** Whether it is under way, from the press of the button to the receipt. */
  isUnderWay: boolean
  /** Message about the last attempt, as a key of the texts, or `null`. */
  told: keyof Texts | null
  submit(): void
  /** Asks what came of a payment that was not known yet. */
  checkAgain(): void
}

/** Pays once, however often it is asked to, and goes on with a payment that a reload has cut off. */
export function usePayment(form: Form, settings: Settings, card: CardForm | null): Payment {
  const page = usePage()
  const { status } = usePay() // also of a payment that goes on behind a reload
  const [isUnderWay, setUnderWay] = useState(false)
  const [told, setTold] = useState<keyof Texts | null>(null)
  const isBusy = useRef(false)

  async function during(work: () => Promise<PayOutcome | null>): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    setUnderWay(true)
    setTold(null)
    const outcome = await work()
    if (outcome?.outcome === 'paid') return showReceipt(page) // the page is being left, so it stays busy
    isBusy.current = false
    setUnderWay(false)
    if (outcome !== null) tell(outcome)
  }

  function tell(outcome: PayOutcome): void {
    if (outcome.outcome === 'failed' && outcome.error.param === 'email') return form.refuse('email', 'emailWrong')
    setTold(explainOutcome(outcome))
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
    told,
    submit: () => void (form.check() && during(() => placeOrder(page, form.draft, settings))),
    checkAgain: () => void during(() => page.pay.resume()),
  }
}
