import { useRoute } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Copy } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { money } from '../../language/values.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { Status } from '../../shell/status.tsx'
import { RequestFacts, type RequestDetails, Verdict } from './verdict.tsx'
import { text } from './text.ts'

/** One refund that waits, or has waited, for a second person. */
export function RefundRequest() {
  const { id = '' } = useRoute().params
  const read = useRead('refundRequests.get', { refundRequestId: id })
  return <LoadedPage read={read}>{(request) => <RequestPage request={request} />}</LoadedPage>
}

function RequestPage({ request }: { request: RequestDetails }) {
  const { id: refundRequestId, amount, currency, status } = request
  return (
    <Page
      title={text('refundOf', { amount: money(amount, currency) })}
      note={
        <>
          <Status of={status} /> <Copy value={refundRequestId} />
        </>
      }
    >
      <div class="stack">
        <Section title={text('request')}>
          <div class="stack">
            <RequestFacts of={request} />
            {status === 'pending' && <Verdict of={request} onDecided={() => {}} />}
          </div>
        </Section>
        <ApiCall operation="refundRequests.get" input={{ refundRequestId }} />
      </div>
    </Page>
  )
}
