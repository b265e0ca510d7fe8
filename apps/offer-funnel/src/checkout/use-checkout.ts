import { useEffect, useState } from 'preact/hooks'
import type { PayOutcome } from '@tillwright/plugin-sdk'
import { useCard, useOrder, usePage } from '@tillwright/plugin-sdk/preact'
import { useFunnel } from '../flow/funnel-context.ts'
import { useOffer } from '../offer/offer-context.ts'
import { cardAppearance } from '../settings/apply-look.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useBuyerForm, type BuyerForm } from './use-buyer-form.ts'
import { type Methods, useMethods } from './use-methods.ts'

/** State and actions of the checkout page. */
export interface CheckoutWork {
  form: BuyerForm
  card: ReturnType<typeof useCard>
  methods: Methods
  isSending: boolean
  /** Whether the page of the method is being loaded. */
  isLeaving: boolean
  /** Whether something failed that is no answer of the bank. */
  hasFailed: boolean
  /** Outcome of the last payment by a wallet; `null` before one, and while another is under way. */
  walletOutcome: PayOutcome | null
  /** Says who buys, pays, and leads on. Called twice it does so once. */
  submit(): Promise<void>
  /** Whether a wallet's sheet may open: the form is complete and nothing is under way. It says what is missing. */
  mayStart(): boolean
  /** Says who buys, once a wallet's buyer has approved. Rejected where the platform refuses it. */
  prepare(): Promise<void>
  /** Continues after a wallet's payment, or shows its outcome. */
  complete(outcome: PayOutcome): Promise<void>
  /** Leads on behind a payment. */
  leave(): Promise<void>
}

/** The form, the card and the payment of the checkout. */
export function useCheckout(): CheckoutWork {
  const { checkout, look } = useSettings()
  const { next } = useFunnel()
  const page = usePage()
  const order = useOrder()
  const form = useBuyerForm(checkout)
  const card = useCard({ appearance: cardAppearance(look) })
  const methods = useMethods()
  const [isSending, setSending] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const [walletOutcome, setWalletOutcome] = useState<PayOutcome | null>(null)
  useFirstBundle()
  useReturn(goOn, () => setLeaving(false))
  useEffect(() => {
    if (order?.status === 'paid' && !isSending) void leave() // already paid, but the buyer was not forwarded
  }, [order?.status])
  const state = { form, card, methods, isSending, isLeaving, hasFailed, walletOutcome }
  return { ...state, submit, mayStart, prepare, complete, leave }

  async function submit(): Promise<void> {
    if (isSending || isLeaving) return
    setSending(true)
    setFailed(false)
    setWalletOutcome(null)
    try {
      await page.order.confirm() // what it has come with stands above the button
      const isWhole = methods.check()
      if (!(await form.send()) || !isWhole) return
      const outcome = await methods.pay()
      const leads = outcome.outcome === 'pending' && outcome.payment.nextAction?.type === 'redirect'
      if (leads) setLeaving(true)
      else await goOn(outcome)
    } catch {
      setFailed(true)
    } finally {
      setSending(false)
    }
  }

  function mayStart(): boolean {
    setFailed(false)
    setWalletOutcome(null)
    return !isSending && form.check()
  }

  async function prepare(): Promise<void> {
    await page.order.confirm()
    if (!(await form.send())) throw new Error('The form is not complete.')
  }

  async function complete(outcome: PayOutcome): Promise<void> {
    setWalletOutcome(outcome)
    await goOn(outcome)
  }

  async function goOn(outcome: PayOutcome | null): Promise<void> {
    if (outcome?.outcome === 'paid') await leave()
  }

  async function leave(): Promise<void> {
    await next().catch(() => setFailed(true))
  }
}

/** Goes on with a payment: the page was loaded again while the bank was asked, or the buyer is back from there. */
function useReturn(goOn: (outcome: PayOutcome | null) => Promise<void>, onShownAgain: () => void): void {
  const { pay, session } = usePage()
  useEffect(() => {
    const resume = () => pay.resume().then(goOn)
    void resume()
    const freshen = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return // only a page that was left and shown again is still leaving
      onShownAgain()
      void session.refresh().then(resume, () => {}) // the session says by itself that it is out of reach
    }
    addEventListener('pageshow', freshen)
    return () => removeEventListener('pageshow', freshen)
  }, [])
}

/** A buyer who arrives without a choice gets the recommended bundle. */
function useFirstBundle(): void {
  const settings = useSettings()
  const page = usePage()
  const offer = useOffer()
  const order = useOrder()
  useEffect(() => {
    if (order?.status !== 'open' || order.lines.length > 0) return
    const bundle = settings.bundles.find(({ isRecommended }) => isRecommended) ?? settings.bundles[0]
    const line = bundle ? offer.lineOf(bundle, settings) : null
    if (line !== null) page.order.setLines([line]).catch(() => {}) // the summary stays empty, and nothing can be paid
  }, [order?.status, order?.lines.length])
}
