import type { JSX } from 'preact'
import { useMoney, useOrder, usePay, useText } from '@tillwright/plugin-sdk/preact'
import { useTexts } from '../flow/funnel-context.ts'

/** The button that pays, with what is paid. */
export function PayButton({ isSending }: { isSending: boolean }): JSX.Element {
  const { status } = usePay()
  const order = useOrder()
  const t = useText()
  const texts = useTexts()
  const money = useMoney()
  const isBusy = isSending || status !== 'idle'
  const isReady = order !== null && order.lines.length > 0 && order.shipping?.optionId !== null
  const amount = order === null ? '' : money(order.amount, order.currency)
  return (
    <button class="button wide" aria-busy={isBusy} disabled={!isReady}>
      {isBusy ? texts[status === 'idle' ? 'paying' : status] : t(texts.pay, { amount })}
    </button>
  )
}
