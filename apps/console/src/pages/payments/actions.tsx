import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { Button, Dialog, Input } from '../../design/controls.tsx'
import { decimal, minorUnits, money } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { Check } from '../../forms/fields.tsx'
import { text as shared } from '../../shell/text.ts'
import { capturable, type PaymentDetails, refundable } from './details.ts'
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
  const part = usePart(refundable(payment), currency)
  const { amount } = part
  const [reason, setReason] = useState('')
  const [isWaiting, setWaiting] = useState(false)
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
  return (
    <Dialog title={text('refund.action')} onClose={onClose}>
      <PartInput part={part} />
      <Input
        label={text('refund.reason')}
        hint={text('refund.reasonHint')}
        maxLength={255}
        value={reason}
        onValue={setReason}
      />
      {amount !== null && <p>{text('refund.effect', { amount: money(amount, currency) })}</p>}
      <Decision
        change={change}
        label={text('refund.title', { amount: amount === null ? '' : money(amount, currency) })}
        disabled={amount === null}
        onClose={onClose}
        run={() => change.run({ amount: amount ?? 0, reason })}
      />
    </Dialog>
  )
}

/** Captures what is left of the authorized amount, or a part of it. */
export function CaptureDialog({ payment, onClose }: ActionProps) {
  const { id: paymentId, currency } = payment
  const part = usePart(capturable(payment), currency)
  const { amount, most } = part
  const [isRestKept, setRestKept] = useState(false)
  const change = useChange(async (input: { amount: number; finalCapture: boolean }, options) => {
    await api.payments.capture({ paymentId, ...input }, options)
    onClose()
  }, AFFECTED)
  const hasRest = amount !== null && amount < most
  const after = () => money(most - (amount ?? 0), currency)
  return (
    <Dialog title={text('capture.title')} onClose={onClose}>
      <PartInput part={part} />
      {hasRest && (
        <Check
          label={text('capture.keepRest')}
          hint={text('capture.keepRestHint')}
          isChecked={isRestKept}
          onChange={setRestKept}
        />
      )}
      {amount !== null && (
        <p>
          {text('capture.effect', { amount: money(amount, currency) })}{' '}
          {hasRest && text(isRestKept ? 'capture.keeps' : 'capture.releases', { rest: after() })}
        </p>
      )}
      <Decision
        change={change}
        label={text('capture.action')}
        disabled={amount === null}
        onClose={onClose}
        run={() => change.run({ amount: amount ?? 0, finalCapture: !(hasRest && isRestKept) })}
      />
    </Dialog>
  )
}

/** A part of a sum, as it is typed: all of it until something else is. */
interface Part {
  typed: string
  setTyped: (typed: string) => void
  /** In minor units; `null` while what is typed is no such part. */
  amount: number | null
  most: number
  currency: string
}

function usePart(most: number, currency: string): Part {
  const [typed, setTyped] = useState(decimal(most, currency))
  const amount = minorUnits(typed, currency)
  const isPart = amount !== null && amount > 0 && amount <= most
  return { typed, setTyped, amount: isPart ? amount : null, most, currency }
}

function PartInput({ part: { typed, setTyped, amount, most, currency } }: { part: Part }) {
  return (
    <Input
      label={text('part.amount', { currency })}
      hint={text('part.hint', { most: money(most, currency) })}
      wrong={amount === null ? text('part.wrong', { most: money(most, currency) }) : undefined}
      inputMode="decimal"
      value={typed}
      onValue={setTyped}
    />
  )
}

/** Releases what was not captured of an authorization. */
export function VoidDialog({ payment, onClose }: ActionProps) {
  const { id: paymentId, capturedAmount, currency } = payment
  const amount = money(capturable(payment), currency)
  const captured = money(capturedAmount, currency)
  const change = useChange(async (_: null, options) => {
    await api.payments.void({ paymentId }, options)
    onClose()
  }, AFFECTED)
  return (
    <Dialog title={text('void.title')} onClose={onClose}>
      <p>{capturedAmount > 0 ? text('void.rest', { amount, captured }) : text('void.effect', { amount })}</p>
      <Decision change={change} label={text('void.action')} onClose={onClose} run={() => change.run(null)} />
    </Dialog>
  )
}
