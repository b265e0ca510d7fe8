import type { BuyerSession, SessionPayment } from '@tillwright/plugin-sdk'
import { useLocale, usePage, usePay, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useTexts } from '../flow/funnel-context.ts'

/** The payment that the order waits for, if that takes minutes or days; `null` for one that is known at once. */
export function waitingPayment(view: Pick<BuyerSession, 'order' | 'payment'> | null): SessionPayment | null {
  if (view?.order.status !== 'pending' || view.payment === null) return null
  const { sepaDebit, voucher } = view.payment.paymentMethod
  return sepaDebit === null && voucher === null ? null : view.payment
}

interface WaitingPartProps {
  payment: SessionPayment
  onPaid: () => void
}

/** In the place of the form: a debit that is on its way, or the voucher that the buyer pays elsewhere. */
export function WaitingPart({ payment, onPaid }: WaitingPartProps): JSX.Element {
  const { sepaDebit, voucher } = payment.paymentMethod
  const { pay } = usePage()
  const { status } = usePay()
  const t = useText()
  const texts = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const check = (): void => void pay.resume().then((now) => now?.outcome === 'paid' && onPaid())
  useEffect(() => heading.current?.focus(), []) // the form that had the focus is gone
  useEffect(() => {
    const look = (): void => void (document.visibilityState === 'visible' && check()) // back from a till or a bank
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [pay])
  return (
    <section class="checkout-main waiting">
      <h1 ref={heading} tabIndex={-1}>
        {voucher === null ? texts.debitWaiting : texts.voucherWaiting}
      </h1>
      {sepaDebit !== null && (
        <p>{t(texts.debitWaitingWhy, { last4: sepaDebit.ibanLast4, reference: sepaDebit.mandateReference })}</p>
      )}
      {voucher !== null && <Voucher {...voucher} />}
      <button type="button" class="quiet" aria-busy={status !== 'idle'} onClick={check}>
        {status === 'idle' ? texts.askAgain : texts[status]}
      </button>
    </section>
  )
}

function Voucher({ code, url, expiresAt }: NonNullable<SessionPayment['paymentMethod']['voucher']>): JSX.Element {
  const locale = useLocale()
  const t = useText()
  const texts = useTexts()
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(expiresAt))
  return (
    <>
      <p class="voucher-code">
        <bdi>{code}</bdi>
      </p>
      <p>{t(texts.voucherUntil, { until })}</p>
      {url !== null && (
        <p>
          <a href={url} target="_blank" rel="noreferrer">
            {texts.voucherOpen}
          </a>
        </p>
      )}
    </>
  )
}
