import './payments.css'
import { useRoute } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { money } from '../../language/values.ts'
import { PaidWith, CustomerLink, FlowLink, StoreLink } from '../../objects/names.tsx'
import { RelatedPayments } from '../../objects/related.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { useAsked } from '../../shell/asked.ts'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { paymentTitle } from '../../shell/titles.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { CaptureDialog, RefundDialog, VoidDialog } from './actions.tsx'
import { capturable, type PaymentDetails, refundable } from './details.ts'
import { text } from './text.ts'
import { Timeline } from './timeline.tsx'
import { Webhooks } from './webhooks.tsx'
import type { Contract, ResponseOf } from '@tillwright/contract'
import { Loaded } from '../../design/states.tsx'

/** One payment: what it stands at, all that has happened to it, and what can be done with it. */
export function Payment() {
  const { id = '' } = useRoute().params
  const read = useRead('payments.get', { paymentId: id })
  return <LoadedPage read={read}>{(payment) => <PaymentPage key={id} payment={payment} />}</LoadedPage>
}

function PaymentPage({ payment }: { payment: PaymentDetails }) {
  const { status, id } = payment
  const may = useMay()
  return (
    <Page
      title={paymentTitle(payment)}
      note={
        <>
          <Status of={status} /> <Copy value={id} />
        </>
      }
      actions={<Actions payment={payment} />}
    >
      {refundable(payment) > 0 && <WaitingRefund paymentId={id} />}
      <div class="columns">
        <div class="stack">
          <Timeline payment={payment} />
          {may('payments.getLedger') && <Ledger paymentId={id} />}
          {may('eventLog.list') && <Webhooks payment={payment} />}
          <ApiCall operation="payments.get" input={{ paymentId: id }} />
        </div>
        <div class="stack">
          <Details payment={payment} />
          <RelatedPayments title={text('otherPayments')} query={{ customerId: payment.customerId }} except={id} />
        </div>
      </div>
    </Page>
  )
}

/** Actions that the payment's status and the member's role allow. */
function Actions({ payment }: { payment: PaymentDetails }) {
  const may = useMay()
  const isAuthorized = capturable(payment) > 0
  const offered = {
    refund: refundable(payment) > 0 && may('payments.refund'),
    capture: isAuthorized && may('payments.capture'),
    void: isAuthorized && may('payments.void'),
  }
  const [open, setOpen] = useAsked(offered)
  const close = () => setOpen(null)
  return (
    <>
      {offered.void && <Button onClick={() => setOpen('void')}>{text('void.action')}</Button>}
      {offered.capture && (
        <Button kind="main" onClick={() => setOpen('capture')}>
          {text('capture.action')}
        </Button>
      )}
      {offered.refund && <Button onClick={() => setOpen('refund')}>{text('refund.action')}</Button>}
      {open === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {open === 'capture' && <CaptureDialog payment={payment} onClose={close} />}
      {open === 'void' && <VoidDialog payment={payment} onClose={close} />}
    </>
  )
}

/** The refund that waits for a second person: of a payment there is one at a time. */
function WaitingRefund({ paymentId }: { paymentId: string }) {
  const isAllowed = useMay()('refundRequests.list')
  const { data } = useRead('refundRequests.list', isAllowed ? { paymentId, status: 'pending', limit: 1 } : null)
  const [request] = data?.data ?? []
  if (request === undefined) return null
  return (
    <p class="remark waiting-refund">
      <a href={`/console/refund-requests/${request.id}`}>
        {text('refund.pending', { amount: money(request.amount, request.currency) })}
      </a>
    </p>
  )
}

function Details({ payment }: { payment: PaymentDetails }) {
  const { currency, orderId, subscriptions, statementDescriptor, initiatedBy, setupFutureUsage } = payment
  return (
    <Section title={text('facts')}>
      <Facts
        of={[
          [text('captured'), money(payment.capturedAmount, currency)],
          [text('refunded'), money(payment.refundedAmount, currency)],
          [text('customer'), <CustomerLink id={payment.customerId} />],
          [text('card'), <PaidWith payment={payment} />],
          [text('initiatedBy'), initiatedBy === 'merchant' ? text('initiatedBy.merchant') : null],
          [text('agreed'), setupFutureUsage && text(`agreed.${setupFutureUsage}`)],
          [text('order'), <a href={`/console/orders/${orderId}`}>{orderId}</a>],
          ...subscriptions.map(
            ({ subscriptionId: id }) =>
              [text('subscription'), <a href={`/console/subscriptions/${id}`}>{id}</a>] as const,
          ),
          [text('store'), <StoreLink id={payment.storeId} />],
          [text('flow'), <FlowLink id={payment.paymentFlowId} />],
          [text('statement'), statementDescriptor],
          [text('created'), <Time at={payment.createdAt} />],
        ]}
      />
    </Section>
  )
}

type PaymentLedger = ResponseOf<Contract['payments']['getLedger']>

/** The double entries of a payment's money. */
function Ledger({ paymentId }: { paymentId: string }) {
  const read = useRead('payments.getLedger', { paymentId })
  return (
    <Section title={text('ledger')}>
      <Loaded read={read}>
        {(ledger) =>
          ledger.lines.length === 0 ? <p class="hint">{text('ledger.none')}</p> : <Lines ledger={ledger} />
        }
      </Loaded>
    </Section>
  )
}

function Lines({ ledger: { lines, currency, sum } }: { ledger: PaymentLedger }) {
  const side = (amount: number) => (amount > 0 ? money(amount, currency) : '')
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={text('ledger')}>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col" class="when">
              {text('ledger.when')}
            </th>
            <th scope="col">{text('ledger.booking')}</th>
            <th scope="col">{text('ledger.account')}</th>
            <th scope="col" class="number">
              {text('ledger.debit')}
            </th>
            <th scope="col" class="number">
              {text('ledger.credit')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ entryId, booking, account, amount, createdAt }) => (
            <tr key={`${entryId} ${booking} ${account}`} title={entryId}>
              <td class="when">
                <Time at={createdAt} />
              </td>
              <td>{text(`booking.${booking}`)}</td>
              <td>{text(`account.${account}`)}</td>
              <td class="number">{side(amount)}</td>
              <td class="number">{side(-amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class={sum === 0 ? 'hint' : 'remark'}>
        {text('ledger.sum', { amount: money(sum, currency) })} {sum !== 0 && text('ledger.unbalanced')}
      </p>
    </div>
  )
}
