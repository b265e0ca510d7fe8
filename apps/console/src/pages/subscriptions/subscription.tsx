import { useRoute } from 'preact-iso'
import { AGAIN_MS, useRead } from '../../api/query.ts'
import { Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { count, exactTime } from '../../language/values.ts'
import { CardName, CustomerLink, FlowLink } from '../../objects/names.tsx'
import { RelatedPayments } from '../../objects/related.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { useAsked } from '../../shell/asked.ts'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { CancelDialog, CardDialog, KeepDialog, LinkDialog, PauseDialog, ResumeDialog, RetryDialog } from './actions.tsx'
import { ChangeItemDialog } from './change-item.tsx'
import { nextAmount, priceOf, type SubscriptionDetails } from './price.ts'
import { text } from './text.ts'

/** One subscription: what is charged next and to which card, what was paid, and how it ends. */
export function Subscription() {
  const { id = '' } = useRoute().params
  const read = useRead('subscriptions.get', { subscriptionId: id })
  return (
    <LoadedPage read={read}>{(subscription) => <SubscriptionPage key={id} subscription={subscription} />}</LoadedPage>
  )
}

function SubscriptionPage({ subscription }: { subscription: SubscriptionDetails }) {
  const { id: subscriptionId, name, status, customerId, billingTiming } = subscription
  return (
    <Page
      title={name}
      note={
        <>
          <Status of={status} /> <Copy value={subscriptionId} />
        </>
      }
      actions={<Actions subscription={subscription} />}
    >
      <div class="columns">
        <div class="stack">
          <NextCharge subscription={subscription} />
          <RelatedPayments
            title={text('payments')}
            query={{ customerId }}
            where={({ subscriptions }) => subscriptions.some((each) => each.subscriptionId === subscriptionId)}
          />
          {billingTiming === 'usage' && <Usage subscriptionId={subscriptionId} />}
          <ApiCall operation="subscriptions.get" input={{ subscriptionId }} />
        </div>
        <Details subscription={subscription} />
      </div>
    </Page>
  )
}

/** Actions that the subscription's status and the member's role allow. */
function Actions({ subscription }: { subscription: SubscriptionDetails }) {
  const may = useMay()
  const { status, cancelAtPeriodEnd } = subscription
  const isPaused = status === 'paused'
  const offered = {
    keep: status !== 'canceled' && cancelAtPeriodEnd && may('subscriptions.update'),
    cancel: status !== 'canceled' && may('subscriptions.cancel'),
    item: status !== 'canceled' && !cancelAtPeriodEnd && may('subscriptions.update'),
    pause: status !== 'canceled' && !isPaused && may('subscriptions.pause'),
    resume: isPaused && may('subscriptions.resume'),
    retry: status === 'past_due' && may('subscriptions.retry'),
    link: status === 'past_due' && may('subscriptions.createRecoveryLink'),
  }
  const [open, setOpen] = useAsked<keyof typeof offered | 'card'>(offered)
  const close = () => setOpen(null)
  if (status === 'canceled') return null
  return (
    <>
      {offered.cancel && <Button onClick={() => setOpen('cancel')}>{text('cancel.action')}</Button>}
      {offered.keep && <Button onClick={() => setOpen('keep')}>{text('keep.action')}</Button>}
      {offered.pause && <Button onClick={() => setOpen('pause')}>{text('pause.action')}</Button>}
      {offered.item && <Button onClick={() => setOpen('item')}>{text('item.action')}</Button>}
      {may('subscriptions.update') && <Button onClick={() => setOpen('card')}>{text('card.action')}</Button>}
      {offered.link && <Button onClick={() => setOpen('link')}>{text('link.action')}</Button>}
      {offered.retry && (
        <Button kind="main" onClick={() => setOpen('retry')}>
          {text('retry.action')}
        </Button>
      )}
      {offered.resume && (
        <Button kind="main" onClick={() => setOpen('resume')}>
          {text('resume.action')}
        </Button>
      )}
      {open === 'pause' && <PauseDialog subscription={subscription} onClose={close} />}
      {open === 'resume' && <ResumeDialog subscription={subscription} onClose={close} />}
      {open === 'keep' && <KeepDialog subscription={subscription} onClose={close} />}
      {open === 'cancel' && <CancelDialog subscription={subscription} onClose={close} />}
      {open === 'item' && <ChangeItemDialog subscription={subscription} onClose={close} />}
      {open === 'card' && <CardDialog subscription={subscription} onClose={close} />}
      {open === 'link' && <LinkDialog subscription={subscription} onClose={close} />}
      {open === 'retry' && <RetryDialog subscription={subscription} onClose={close} />}
    </>
  )
}

function NextCharge({ subscription }: { subscription: SubscriptionDetails }) {
  const { status, cancelAtPeriodEnd, currentPeriodEnd, nextPaymentAt, canceledAt, pausedAt, pendingChange } =
    subscription
  const isLate = status !== 'past_due' && nextPaymentAt !== null && nextPaymentAt > currentPeriodEnd
  return (
    <Section title={text('nextCharge')}>
      <div class="stack">
        {cancelAtPeriodEnd && canceledAt === null && (
          <p class="remark">{text('endsAt', { at: exactTime(currentPeriodEnd) })}</p>
        )}
        {pendingChange !== null && !cancelAtPeriodEnd && canceledAt === null && (
          <p class="remark">
            {text('item.pending', {
              at: exactTime(pendingChange.effectiveAt),
              name: pendingChange.name,
              price: priceOf({ ...subscription, ...pendingChange }),
            })}
          </p>
        )}
        {pausedAt !== null && <p class="remark">{text('pause.since', { at: exactTime(pausedAt) })}</p>}
        {status === 'past_due' && <p class="remark">{text('pastDue')}</p>}
        {isLate && <p class="remark">{text('late', { at: exactTime(currentPeriodEnd) })}</p>}
        {pausedAt === null && <Charge subscription={subscription} />}
      </div>
    </Section>
  )
}

/** The next charge, unless the subscription ends before. */
function Charge({ subscription }: { subscription: SubscriptionDetails }) {
  const { nextPaymentAt, cancelAtPeriodEnd, billingTiming, paymentInstrumentId } = subscription
  if (nextPaymentAt === null || (cancelAtPeriodEnd && billingTiming === 'in_advance')) {
    return <p class="hint">{text('noCharge')}</p>
  }
  return (
    <Facts
      of={[
        [text('at'), <Time at={nextPaymentAt} />],
        [text('amount'), nextAmount(subscription)],
        [text('card'), <CardName id={paymentInstrumentId} />],
      ]}
    />
  )
}

function Details({ subscription }: { subscription: SubscriptionDetails }) {
  const { productId, quantity, customerId, orderId, paymentFlowId, trialDays } = subscription
  return (
    <Section title={text('details')}>
      <Facts
        of={[
          [text('price'), priceOf(subscription)],
          [text('billing'), text(`billing.${subscription.billingTiming}`)],
          [text('quantity'), count(quantity)],
          [text('trial'), trialDays === 0 ? null : text('days', { count: trialDays })],
          [
            text('period'),
            <>
              <Time at={subscription.currentPeriodStart} /> – <Time at={subscription.currentPeriodEnd} />
            </>,
          ],
          [text('customer'), <CustomerLink id={customerId} />],
          [text('product'), <a href={`/console/products/${productId}`}>{subscription.name}</a>],
          [text('order'), <a href={`/console/orders/${orderId}`}>{orderId}</a>],
          [text('flow'), <FlowLink id={paymentFlowId} />],
          [text('created'), <Time at={subscription.createdAt} />],
          [text('canceled'), subscription.canceledAt && <Time at={subscription.canceledAt} />],
        ]}
      />
    </Section>
  )
}

/** The usage that was reported last. */
function Usage({ subscriptionId }: { subscriptionId: string }) {
  const read = useRead('subscriptions.listUsageRecords', { subscriptionId, limit: 10 }, AGAIN_MS)
  return (
    <Section title={text('usage')}>
      <Loaded read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{text('noUsage')}</p>
          ) : (
            <Facts of={data.map(({ occurredAt, quantity }) => [exactTime(occurredAt), count(quantity)] as const)} />
          )
        }
      </Loaded>
    </Section>
  )
}
