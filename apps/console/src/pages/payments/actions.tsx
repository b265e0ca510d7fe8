import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button, Dialog, Input } from '../../design/controls.tsx'
import { decimal, minorUnits, money } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { text as shared } from '../../shell/text.ts'
import { type PaymentDetails, refundable } from './details.ts'
import { text } from './text.ts'

interface ActionProps {
  payment: PaymentDetails
  onClose: () => void
}

/** Operations whose results a change of a payment makes stale. */
const AFFECTED = ['payments.', 'orders.', 'refunds.', 'refundRequests.', 'subscriptions.']

/** Refunds all or a part, after saying what will happen. */
export function RefundDialog({ payment, onClose }: ActionProps) {
  const { id: paymentId, currency } = payment
  const most = refundable(payment)
  const [typed, setTyped] = useState(decimal(most, currency))
  const [reason, setReason] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  const amount = minorUnits(typed, currency)
  const isWrong = amount === null || amount <= 0 || amount > most
  const change = useChange(async (input: { amount: number; reason: string }, options) => {
    const sent = { paymentId, amount: input.amount, ...(input.reason !== '' && { reason: input.reason }) }
    const { refundRequest } = await api.payments.refund(sent, options)
    setWaiting(refundRequest !== undefined)
    if (refundRequest === undefined) onClose()
  }, AFFECTED)
  if (isWaiting) {
    return (
      <Dialog title={text('refund.action')} onClose={onClose}>
        <p class="remark">{text('refund.waits')}</p>
        <div class="actions">
          <Button onClick={onClose}>{shared('close')}</Button>
        </div>
      </Dialog>
    )
  }
  const label = text('refund.title', { amount: isWrong ? '' : money(amount, currency) })
  return (
    <Dialog title={text('refund.action')} onClose={onClose}>
      <Input
        label={text('refund.amount', { currency })}
        hint={text('refund.amountHint', { most: money(most, currency) })}
        wrong={isWrong ? text('refund.wrong', { most: money(most, currency) }) : undefined}
        inputMode="decimal"
        value={typed}
        onValue={setTyped}
      />
      <Input
        label={text('refund.reason')}
        hint={text('refund.reasonHint')}
        maxLength={255}
        value={reason}
        onValue={setReason}
      />
      {!isWrong && <p>{text('refund.effect', { amount: money(amount, currency) })}</p>}
      <Decision
        change={change}
        label={label}
        disabled={isWrong}
        onClose={onClose}
        run={() => change.run({ amount: amount ?? 0, reason })}
      />
    </Dialog>
  )
}

/** Captures the whole authorized amount. */
export function CaptureDialog({ payment, onClose }: ActionProps) {
  const { id: paymentId, amount, currency } = payment
  const change = useChange(async (_: null, options) => {
    await api.payments.capture({ paymentId }, options)
    onClose()
  }, AFFECTED)
  return (
    <Dialog title={text('capture.title')} onClose={onClose}>
      <p>{text('capture.effect', { amount: money(amount, currency) })}</p>
      <Decision change={change} label={text('capture.action')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}

/** Releases an authorization. */
export function VoidDialog({ payment, onClose }: ActionProps) {
  const { id: paymentId, amount, currency } = payment
  const change = useChange(async (_: null, options) => {
    await api.payments.void({ paymentId }, options)
    onClose()
  }, AFFECTED)
  return (
    <Dialog title={text('void.title')} onClose={onClose}>
      <p>{text('void.effect', { amount: money(amount, currency) })}</p>
      <Decision change={change} label={text('void.action')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
