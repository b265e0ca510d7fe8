import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRoute } from 'preact-iso'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { AGAIN_MS, useRead } from '../../api/query.ts'
import { Badge, Button, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Failure } from '../../design/states.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { LoadedPage, Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Deliveries } from './deliveries.tsx'
import { text } from './text.ts'

type AccountEvent = ResponseOf<Contract['events']['get']>

/** One event: what happened, and to whom it was sent. */
export function Event() {
  const { id = '' } = useRoute().params
  const read = useRead('events.get', { eventId: id }, AGAIN_MS)
  return <LoadedPage read={read}>{(event) => <EventPage event={event} />}</LoadedPage>
}

function EventPage({ event }: { event: AccountEvent }) {
  const may = useMay()
  const change = useChange(
    (_: null, options) => api.eventLog.replay({ eventId: event.id }, options),
    ['webhookEndpoints.listDeliveries'],
  )
  return (
    <Page
      title={event.eventType}
      note={
        <>
          {event.draft && <Badge tone="calm">{text('draft')}</Badge>} <Copy value={event.id} />
        </>
      }
      actions={
        may('eventLog.replay') && (
          <Button isBusy={change.isRunning} onClick={() => void change.run(null)}>
            {text('resend')}
          </Button>
        )
      }
    >
      <div class="stack">
        {change.failure !== null && <Failure failure={change.failure} />}
        <Section title={text('details')}>
          <Facts of={factsOf(event)} />
        </Section>
        <Section title={text('properties')}>
          {/* A region that scrolls is reached by the keyboard. */}
          <pre class="code" tabIndex={0}>
            {JSON.stringify(event.properties, null, 2)}
          </pre>
        </Section>
        {may('webhookEndpoints.listDeliveries') && <Deliveries query={{ eventId: event.id }} />}
        <ApiCall operation="events.get" input={{ eventId: event.id }} />
      </div>
    </Page>
  )
}

function factsOf({ createdAt, processedAt, storeId, customerId, store, customer }: AccountEvent) {
  return [
    [text('time'), <Time at={createdAt} />],
    [text('processed'), processedAt === undefined ? null : <Time at={processedAt} />],
    [text('store'), storeId === undefined ? null : <a href={`/console/stores/${storeId}`}>{store?.name ?? storeId}</a>],
    [
      text('customer'),
      customerId === undefined ? null : (
        <a href={`/console/customers/${customerId}`}>{customer?.email || customerId}</a>
      ),
    ],
  ] as const
}
