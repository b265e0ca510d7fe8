import { useMoney, useOrder, usePay, useSession, useText } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../frame/notice.tsx'
import { useSettings } from '../look/use-settings.ts'
import { useWords } from '../texts/use-words.tsx'
import type { Payment } from './use-payment.ts'

/** The button that pays, below the outcome of the last try. */
export function PaySection({ payment, isFree }: { payment: Payment; isFree: boolean }): JSX.Element {
  const say = useWords()
  const label = usePayLabel(payment, isFree)
  const { isBusy } = useSession()
  const order = useOrder()
  const isReady = order?.status === 'open' && order.lines.length > 0 && order.problem === null
  return (
    <div class="pay">
      <BroughtAlong />
      <PaymentMessage payment={payment} />
      {order?.problem != null && <Notice text={say('orderProblem')} />}
      <button
        type="submit"
        class="primary"
        data-busy={payment.isUnderWay}
        aria-disabled={payment.isUnderWay || !isReady}
        disabled={!payment.isUnderWay && (!isReady || isBusy)}
      >
        {label}
      </button>
    </div>
  )
}

/** Items added by an earlier page, which the buyer confirms by paying. */
function BroughtAlong(): JSX.Element | null {
  const { view } = useSession()
  const say = useWords()
  const money = useMoney()
  if (view?.broughtAlong == null) return null
  const lines = view.broughtAlong.lines.map(
    ({ quantity, name, amount }) => `${quantity} × ${name} (${money(amount, view.order.currency)})`,
  )
  return <Notice text={say('broughtAlong', { lines: lines.join(', ') })} tone="news" />
}

/** The label of the pay button, which pays nothing where the order is free. */
function usePayLabel({ isUnderWay }: Payment, isFree: boolean): string {
  const { payLabel } = useSettings()
  const { status } = usePay()
  const order = useOrder()
  const say = useWords()
  const t = useText()
  const money = useMoney()
  if (isUnderWay) return say(status === 'idle' ? 'sending' : status)
  if (order === null || order.lines.length === 0) return say('payNow')
  if (isFree) return say('placeOrder')
  const amount = money(order.amount, order.currency)
  return t(payLabel, { amount }) || say('pay', { amount })
}

/** The message about the last attempt, next to the button and announced by screen readers. */
function PaymentMessage({ payment: { message, checkAgain, goOn } }: { payment: Payment }): JSX.Element | null {
  const say = useWords()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (message !== null) place.current?.scrollIntoView({ block: 'nearest' })
  }, [message])
  if (message === null) return null
  return (
    <div ref={place}>
      <Notice text={say(message)} tone={message === 'pending' || message === 'undecided' ? 'news' : 'problem'}>
        {message === 'pending' && (
          <button type="button" class="quiet" onClick={checkAgain}>
            {say('checkAgain')}
          </button>
        )}
        {message === 'undecided' && (
          <button type="button" class="quiet" onClick={goOn}>
            {say('goOnPaying')}
          </button>
        )}
      </Notice>
    </div>
  )
}
