import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useCard, useMoney, useOrder, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { useBuyerForm } from '../checkout/use-buyer-form.ts'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'
import { useOffer } from '../offer/offer-context.ts'
import { AddressPart } from '../parts/address-part.tsx'
import { ContactPart } from '../parts/contact-part.tsx'
import { Icon } from '../parts/icon.tsx'
import { OrderBox } from '../parts/order-box.tsx'
import { PayMessage } from '../parts/pay-message.tsx'
import { useTitle } from '../parts/use-title.ts'
import { cardAppearance } from '../settings/apply-look.ts'
import { useSettings } from '../settings/use-settings.ts'

/** Who, where to, and the card: once. */
export function Checkout(): JSX.Element {
  const settings = useSettings()
  const { checkout, look } = settings
  const { next } = useFunnel()
  const page = usePage()
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  const form = useBuyerForm(checkout)
  const card = useCard({ appearance: cardAppearance(look) })
  const element = useRef<HTMLFormElement>(null)
  const [isSending, setSending] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  useTitle(t(checkout.headline))
  useFirstBundle()
  useEffect(() => void goOn(page.pay.resume()), [])
  useEffect(() => {
    if (order?.status === 'paid') void leave() // it was paid, and nobody has led the buyer on
  }, [order?.status])
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form.problems])

  return (
    <form
      class="checkout"
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div class="checkout-main">
        <h1 tabIndex={-1}>{t(checkout.headline)}</h1>
        <ContactPart form={form} />
        {checkout.asksAddress && <AddressPart form={form} countries={checkout.countries} />}
        <fieldset>
          <legend>{texts.card}</legend>
          <div class={`card card-${card.status}`} ref={card.ref} />
          {card.status === 'failed' && (
            <p class="problem" role="alert">
              {texts.cardFailed}{' '}
              <button type="button" class="link" onClick={card.retry}>
                {texts.reload}
              </button>
            </p>
          )}
        </fieldset>
        <PayMessage onPaid={() => void leave()} />
        {hasFailed && (
          <p class="problem" role="alert">
            {texts.payFailed}
          </p>
        )}
        <PayButton isSending={isSending} />
        <p class="muted">{t(checkout.note)}</p>
        <p class="reassurance">
          <Icon name="lock" />
          {texts.securePayment}
        </p>
      </div>
      <OrderBox />
    </form>
  )

  async function submit(): Promise<void> {
    if (isSending) return
    setSending(true)
    setFailed(false)
    try {
      if (await form.send()) await goOn(page.pay.withCard())
    } catch {
      setFailed(true)
    } finally {
      setSending(false)
    }
  }

  async function goOn(paying: ReturnType<typeof page.pay.resume>): Promise<void> {
    const outcome = await paying
    if (outcome?.outcome === 'paid') await leave()
    if (outcome?.outcome === 'incomplete') card.card?.focus()
  }

  async function leave(): Promise<void> {
    await next().catch(() => setFailed(true))
  }
}

/** Whoever comes here without having chosen gets the bundle that is recommended. */
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

function PayButton({ isSending }: { isSending: boolean }): JSX.Element {
  const { status } = usePay()
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  const isBusy = isSending || status !== 'idle'
  const amount = order === null ? '' : money(order.amount, order.currency)
  return (
    <button class="button wide" aria-busy={isBusy} disabled={order === null || order.lines.length === 0}>
      {isBusy ? texts[status === 'idle' ? 'paying' : status] : t(texts.pay, { amount })}
    </button>
  )
}
