import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Dialog, Select } from '../../design/controls.tsx'
import { Facts } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { exactTime } from '../../language/values.ts'
import { Decision } from '../../forms/decision.tsx'
import { CardName, cardName } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { affected, nextAmount, type SubscriptionDetails } from './price.ts'
import { text } from './text.ts'

interface ActionProps {
  subscription: SubscriptionDetails
  onClose: () => void
}

/** Ends a subscription with its period, or at once. */
export function CancelDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, currentPeriodEnd, cancelAtPeriodEnd, status, billingTiming } = subscription
  const isPaused = status === 'paused'
  const isOver = status === 'past_due' && billingTiming === 'in_advance'
  const isNow = cancelAtPeriodEnd || isPaused || isOver
  const [when, setWhen] = useState(isNow ? 'now' : 'end')
  const change = useChange(async (atPeriodEnd: boolean, options) => {
    await api.subscriptions.cancel({ subscriptionId, atPeriodEnd }, options)
    onClose()
  }, affected)
  const times = [
    { value: 'end', name: text('cancel.end', { at: exactTime(currentPeriodEnd) }) },
    { value: 'now', name: text('cancel.now') },
  ]
  return (
    <Dialog title={text('cancel.action')} onClose={onClose}>
      <Select label={text('cancel.when')} value={when} onValue={setWhen} options={isNow ? times.slice(1) : times} />
      <p>{text(isPaused ? 'pause.cancelEffect' : when === 'end' ? 'cancel.endEffect' : 'cancel.nowEffect')}</p>
      <Decision
        change={change}
        label={text('cancel.action')}
        onClose={onClose}
        run={() => change.run(when === 'end')}
      />
    </Dialog>
  )
}

/** Takes a cancellation at the end of the period back. */
export function KeepDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, currentPeriodEnd } = subscription
  const change = useChange(async (_: null, options) => {
    await api.subscriptions.update({ subscriptionId, cancelAtPeriodEnd: false }, options)
    onClose()
  }, affected)
  return (
    <Dialog title={text('keep.action')} onClose={onClose}>
      <p>{text('keep.effect', { at: exactTime(currentPeriodEnd) })}</p>
      <Decision
        change={change}
        kind="main"
        label={text('keep.action')}
        onClose={onClose}
        run={() => change.run(null)}
      />
    </Dialog>
  )
}

/** Has another card of the customer charged from now on. */
export function CardDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, customerId, paymentInstrumentId, status } = subscription
  const isAllowed = useMay()('paymentInstruments.list')
  const read = useRead('paymentInstruments.list', isAllowed ? { customerId, active: true, limit: 100 } : null)
  const [chosen, setChosen] = useState('')
  const change = useChange(async (id: string, options) => {
    await api.subscriptions.update({ subscriptionId, paymentInstrumentId: id }, options)
    onClose()
  }, affected)
  return (
    <Dialog title={text('card.action')} onClose={onClose}>
      <Loaded read={read}>
        {({ data }) => {
          const others = data.filter(({ id }) => id !== paymentInstrumentId)
          if (others.length === 0) return <p class="remark">{text('card.none')}</p>
          return (
            <Select
              label={text('card')}
              value={chosen}
              onValue={setChosen}
              options={[
                { value: '', name: '' },
                ...others.map(({ id, card }) => ({ value: id, name: cardName(card) })),
              ]}
            />
          )
        }}
      </Loaded>
      <p>{text(status === 'past_due' ? 'card.dueEffect' : 'card.effect', { amount: nextAmount(subscription) })}</p>
      <Decision
        change={change}
        kind="main"
        label={text('card.save')}
        disabled={chosen === ''}
        onClose={onClose}
        run={() => change.run(chosen)}
      />
    </Dialog>
  )
}

/** Charges the unpaid period of a past-due subscription now, after saying what will happen. */
export function RetryDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, paymentInstrumentId, nextPaymentAt } = subscription
  // Once the subscription is charged, a new read has the date of the next period.
  const [nextTry] = useState(nextPaymentAt)
  const [isUnderWay, setUnderWay] = useState(false)
  const change = useChange(async (_: null, options) => {
    const { status } = await api.subscriptions.retry({ subscriptionId }, options)
    setUnderWay(status === 'processing')
    if (status !== 'processing') onClose()
  }, affected)
  if (isUnderWay) {
    return (
      <Dialog title={text('retry.action')} onClose={onClose}>
        <p class="remark">{text('retry.underWay')}</p>
        <div class="actions">
          <Button onClick={onClose}>{shared('close')}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={text('retry.action')} onClose={onClose}>
      <p>{text('retry.effect')}</p>
      <Facts
        of={[
          [text('amount'), nextAmount(subscription)],
          [text('card'), <CardName id={paymentInstrumentId} />],
          [text('retry.ifDeclined'), nextTry && text('retry.stays', { at: exactTime(nextTry) })],
        ]}
      />
      <Decision
        change={change}
        kind="main"
        label={text('retry.action')}
        onClose={onClose}
        run={() => change.run(null)}
      />
      <ApiCall operation="subscriptions.retry" input={{ subscriptionId }} />
    </Dialog>
  )
}

/** Makes a link by which the buyer of a past-due subscription pays, for whoever has them on the telephone. */
export function LinkDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId } = subscription
  const [link, setLink] = useState<ResponseOf<Contract['subscriptions']['createRecoveryLink']> | null>(null)
  const change = useChange(
    async (_: null, options) => setLink(await api.subscriptions.createRecoveryLink({ subscriptionId }, options)),
    [],
  )
  if (link === null) {
    return (
      <Dialog title={text('link.action')} onClose={onClose}>
        <p>{text('link.effect')}</p>
        <Decision
          change={change}
          kind="main"
          label={text('link.make')}
          onClose={onClose}
          run={() => change.run(null)}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text('link.action')} onClose={onClose}>
      <p>{text('link.until', { at: exactTime(link.expiresAt) })}</p>
      <Copy value={link.url} />
      <div class="actions">
        <Button onClick={onClose}>{shared('close')}</Button>
      </div>
    </Dialog>
  )
}

/** Has time stand still for a subscription. */
export function PauseDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, status, currentPeriodEnd } = subscription
  const change = useChange(async (_: null, options) => {
    await api.subscriptions.pause({ subscriptionId }, options)
    onClose()
  }, affected)
  const effect = status === 'past_due' ? 'pause.dueEffect' : 'pause.effect'
  return (
    <Dialog title={text('pause.action')} onClose={onClose}>
      <p>{text(effect, { at: exactTime(currentPeriodEnd) })}</p>
      <Decision
        change={change}
        kind="main"
        label={text('pause.action')}
        onClose={onClose}
        run={() => change.run(null)}
      />
    </Dialog>
  )
}

/** Has a paused subscription go on. */
export function ResumeDialog({ subscription, onClose }: ActionProps) {
  const { id: subscriptionId, currentPeriodEnd } = subscription
  const change = useChange(async (_: null, options) => {
    await api.subscriptions.resume({ subscriptionId }, options)
    onClose()
  }, affected)
  return (
    <Dialog title={text('resume.action')} onClose={onClose}>
      <p>{text('resume.effect', { at: exactTime(currentPeriodEnd) })}</p>
      <Decision
        change={change}
        kind="main"
        label={text('resume.action')}
        onClose={onClose}
        run={() => change.run(null)}
      />
    </Dialog>
  )
}
