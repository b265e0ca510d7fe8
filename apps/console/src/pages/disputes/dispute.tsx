import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRoute } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import { CardName, CustomerLink, ProcessorName } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text } from './text.ts'

type DisputeDetails = ResponseOf<Contract['disputes']['get']>

/** One dispute: what is disputed, why, and what that means for the money. */
export function Dispute() {
  const { id = '' } = useRoute().params
  const read = useRead('disputes.get', { disputeId: id })
  return <Loaded read={read}>{(dispute) => <DisputePage dispute={dispute} />}</Loaded>
}

function DisputePage({ dispute }: { dispute: DisputeDetails }) {
  const { id: disputeId, amount, currency, status, kind, reason, orderId, paymentId, createdAt, closedAt } = dispute
  return (
    <Page
      title={money(amount, currency)}
      note={
        <>
          <Status of={status} /> <Copy value={disputeId} />
        </>
      }
    >
      <div class="columns">
        <div class="stack">
          <Section title={text('money')}>
            <p>{text(status === 'open' ? `meaning.${kind}` : `meaning.${status}`)}</p>
          </Section>
          <DisputedPayment paymentId={paymentId} />
          <ApiCall operation="disputes.get" input={{ disputeId }} />
        </div>
        <Section title={text('details')}>
          <Facts
            of={[
              [text('kind'), text(`kind.${kind}`)],
              [text('reason'), reason.replaceAll('_', ' ')],
              [text('payment'), <a href={`/console/payments/${paymentId}`}>{paymentId}</a>],
              [text('order'), <a href={`/console/orders/${orderId}`}>{orderId}</a>],
              [text('created'), <Time at={createdAt} />],
              [text('closed'), closedAt && <Time at={closedAt} />],
            ]}
          />
        </Section>
      </div>
    </Page>
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
              [text('customer'), <CustomerLink id={payment.customerId} />],
              [text('card'), <CardName id={payment.paymentInstrumentId} />],
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
