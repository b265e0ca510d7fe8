import type { BuyerSession, SessionPayment } from '@tillwright/plugin-sdk'
import { useLocale, usePay } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useWords } from '../texts/use-words.tsx'

/** The payment that the order waits for, if that takes minutes or days; `null` for one that is known at once. */
export function waitingPayment(view: Pick<BuyerSession, 'order' | 'payment'> | null): SessionPayment | null {
  if (view?.order.status !== 'pending' || view.payment === null) return null
  const { sepaDebit, voucher } = view.payment.paymentMethod
  return sepaDebit === null && voucher === null ? null : view.payment
}

interface WaitingSectionProps {
  payment: SessionPayment
  /** Asks for the payment's outcome. */
  onCheck: () => void
}

/** In the place of the form: a debit that is on its way, or the voucher that the buyer pays elsewhere. */
export function WaitingSection({ payment, onCheck }: WaitingSectionProps): JSX.Element {
  const { sepaDebit, voucher } = payment.paymentMethod
  const { status } = usePay()
  const say = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), []) // the form that had the focus is gone
  useEffect(() => {
    const look = (): void => void (document.visibilityState === 'visible' && onCheck()) // back from a till or a bank
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [onCheck])
  return (
    <section class="section done waiting">
      <h2 ref={heading} tabIndex={-1}>
        {say(voucher === null ? 'debitWaiting' : 'voucherWaiting')}
      </h2>
      {sepaDebit !== null && (
        <p>{say('debitWaitingWhy', { last4: sepaDebit.ibanLast4, reference: sepaDebit.mandateReference })}</p>
      )}
      {voucher !== null && <Voucher {...voucher} />}
      <p class="actions">
        <button type="button" class="quiet" aria-busy={status !== 'idle'} onClick={onCheck}>
          {status === 'idle' ? say('checkAgain') : say(status)}
        </button>
      </p>
    </section>
  )
}

function Voucher({ code, url, expiresAt }: NonNullable<SessionPayment['paymentMethod']['voucher']>): JSX.Element {
  const locale = useLocale()
  const say = useWords()
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(expiresAt))
  return (
    <>
      <p class="voucher-code">
        <bdi>{code}</bdi>
      </p>
      <p>{say('voucherUntil', { until })}</p>
      {url !== null && (
        <p>
          <a href={url} target="_blank" rel="noreferrer">
            {say('voucherOpen')}
          </a>
        </p>
      )}
    </>
  )
}
