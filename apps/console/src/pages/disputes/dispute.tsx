import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRoute } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { count, money } from '../../language/values.ts'
import { PaidWith, CustomerLink, ProcessorName } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { Evidence } from './evidence.tsx'
import { text } from './text.ts'
import { reasonWords, TimeLeft } from './words.tsx'

type DisputeDetails = ResponseOf<Contract['disputes']['get']>

/** One dispute: what is disputed, why, and what that means for the money. */
export function Dispute() {
  const { id = '' } = useRoute().params
  const read = useRead('disputes.get', { disputeId: id })
  return <LoadedPage read={read}>{(dispute) => <DisputePage dispute={dispute} />}</LoadedPage>
}

function DisputePage({ dispute }: { dispute: DisputeDetails }) {
  const { id: disputeId, amount, currency, status, kind, orderId, paymentId, createdAt, closedAt } = dispute
  return (
    <Page
      title={money(amount, currency)}
      note={
        <>
          <Status of={status} /> <TimeLeft dispute={dispute} /> <Copy value={disputeId} />
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          <Section title={text('money')}>
            <p>{text(status === 'open' ? `meaning.${kind}` : `meaning.${status}`)}</p>
          </Section>
          <Evidence key={disputeId} dispute={dispute} />
          <Bought orderId={orderId} />
          <DisputedPayment paymentId={paymentId} />
          <ApiCall operation="disputes.get" input={{ disputeId }} />
        </div>
        <Section title={text('details')}>
          <Facts
            of={[
              [text('customer'), <CustomerLink id={dispute.customerId} />],
              [text('kind'), text(`kind.${kind}`)],
              [text('reason'), reasonWords(dispute)],
              [text('respondBy'), dispute.respondBy && <Time at={dispute.respondBy} />],
              [text('created'), <Time at={createdAt} />],
              [text('closed'), closedAt && <Time at={closedAt} />],
            ]}
          />
        </Section>
      </div>
    </Page>
  )
}

/** The order's items, which the bank asks for as evidence. */
function Bought({ orderId }: { orderId: string }) {
  const read = useRead('orders.get', useMay()('orders.get') ? { orderId } : null)
  const lines = read.data?.lines ?? []
  return (
    <Section title={text('bought')} actions={<a href={`/console/orders/${orderId}`}>{text('toOrder')}</a>}>
      <Loaded read={read}>
        {({ amount, currency }) => (
          <Facts
            of={
              lines.length === 0
                ? [[text('amount'), money(amount, currency)]]
                : lines.map((line) => [`${count(line.quantity)} × ${line.name}`, money(line.amount, currency)] as const)
            }
          />
        )}
      </Loaded>
    </Section>
  )
}

/** The payment, with what an answer to the bank will want to know. */
function DisputedPayment({ paymentId }: { paymentId: string }) {
  const read = useRead('payments.get', useMay()('payments.get') ? { paymentId } : null)
  return (
    <Section title={text('payment')}>
      <Loaded read={read}>
        {(payment) => (
          <Facts
            of={[
              [
                text('amount'),
                <>
                  <a href={`/console/payments/${paymentId}`}>{money(payment.amount, payment.currency)}</a>{' '}
                  <Status of={payment.status} />
                </>,
              ],
              [text('card'), <PaidWith payment={payment} />],
              [text('processor'), <ProcessorName id={payment.attempts.at(-1)?.processorId ?? ''} />],
              [text('threeds'), text(payment.threedsSessionId === null ? 'no' : 'yes')],
              [text('refunded'), money(payment.refundedAmount, payment.currency)],
              [text('paid'), <Time at={payment.createdAt} />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
