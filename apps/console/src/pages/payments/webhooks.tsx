import { names } from 'virtual:names'
import { useEffect, useState } from 'preact/hooks'
import { cursorAt } from '../../api/event-ids.ts'
import { AGAIN_MS, useRead, useReads } from '../../api/query.ts'
import { Badge, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import { useMay, useSession } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import type { PaymentDetails } from './details.ts'
import { text } from './text.ts'

/** The types of events that name a payment, its order, its authentication or its dispute. */
const types = names.eventTypes.filter((type) =>
  /^s_(payment_(?!flow|instrument)|order_|dispute_|refund_request_|threeds_session_)/.test(type),
)

/** From how many of the moments of a payment the log of events is read. */
const MOMENTS_MAX = 6

/**
 * The events of a payment, with what was sent to which endpoint. The log has no index of payments: a page of it is read
 * from the time of the payment and of each thing that has happened to it since.
 */
export function Webhooks({ payment }: { payment: PaymentDetails }) {
  // Members of some stores read the log of one of them; all may be more, such as what names no store.
  const ofStore = useSession().member.storeIds === null ? {} : { storeId: payment.storeId }
  const [again, setAgain] = useState<number | undefined>(undefined)
  const wanted = { limit: 100, types: types.join(','), drafts: 'true' as const, ...ofStore }
  const read = useReads(
    'eventLog.list',
    cursorsOf(payment).map((after) => ({ after, ...wanted })),
    again,
  )
  const all = new Map(read.data?.flatMap(({ data }) => data).map((event) => [event.id, event]))
  const events = [...all.values()]
    .filter(({ properties }) => isOf(payment, properties))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const outstanding = events.findLast(({ processedAt }) => processedAt === undefined)
  const next = outstanding && againAfter(Date.now() - Date.parse(outstanding.createdAt))
  useEffect(() => setAgain(next), [next])
  return (
    <Section title={text('deliveries')}>
      <Loaded read={read}>
        {() => {
          if (events.length === 0) return <p class="hint">{text('noEvents')}</p>
          return (
            <ol class="events">
              {events.map((event) => (
                <EventLine key={event.id} {...event} />
              ))}
            </ol>
          )
        }}
      </Loaded>
    </Section>
  )
}

/**
 * How soon it is read again whether an event was acknowledged, by its age: its tries come further and further apart, and an
 * endpoint may never answer.
 */
function againAfter(ageMs: number): number {
  if (ageMs < 60_000) return AGAIN_MS
  return ageMs < 600_000 ? 10 * AGAIN_MS : 60 * AGAIN_MS
}

/** Where in the log to read: from the payment's begin on, and from the last things that happened to it. */
function cursorsOf({ createdAt, captures, refunds, disputes }: PaymentDetails): string[] {
  const moved = [...captures, ...refunds].flatMap((each) => [each.createdAt, each.finishedAt])
  const disputed = disputes.flatMap((each) => [each.createdAt, each.closedAt])
  const later = [...moved, ...disputed].filter((at) => at !== null).toSorted()
  const moments = [createdAt, ...later.slice(1 - MOMENTS_MAX)]
  return [...new Set(moments.map((at) => cursorAt(Date.parse(at))))]
}

function isOf(payment: PaymentDetails, properties: Readonly<Record<string, unknown>>): boolean {
  const { paymentId, orderId, sessionId } = properties
  if (typeof paymentId === 'string') return paymentId === payment.id
  if (typeof sessionId === 'string') return sessionId === payment.threedsSessionId
  return orderId === payment.orderId
}

interface EventLineProps {
  id: string
  eventType: string
  createdAt: string
  processedAt?: string | undefined
}

function EventLine({ id, eventType, createdAt, processedAt }: EventLineProps) {
  const [isOpen, setOpen] = useState(false)
  const isDone = processedAt !== undefined
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <code>{eventType}</code>{' '}
          <Badge tone={isDone ? 'good' : 'wait'}>{text(isDone ? 'acknowledged' : 'outstanding')}</Badge>{' '}
          <Time at={createdAt} />
        </summary>
        {isOpen && <Deliveries eventId={id} />}
      </details>
    </li>
  )
}

/** Where an event was sent, and each try. */
function Deliveries({ eventId }: { eventId: string }) {
  const isAllowed = useMay()('webhookEndpoints.listDeliveries')
  const read = useRead('webhookEndpoints.listDeliveries', isAllowed ? { eventId, limit: 100 } : null, AGAIN_MS)
  if (!isAllowed) return null
  return (
    <Loaded read={read}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="hint">{text('noEndpoint')}</p>
        ) : (
          <ul class="deliveries">
            {data.map((each) => (
              <li key={each.endpointId}>
                <EndpointUrl id={each.endpointId} /> <Status of={each.state} />
                <ol class="tries">
                  {each.tries.map(({ at, ms, status, failure }) => (
                    <li key={at}>
                      <Time at={at} /> · {status ?? failure} · {text('took', { ms: count(ms) })}
                    </li>
                  ))}
                </ol>
                {each.nextAttemptAt !== null && (
                  <p class="tries">
                    {text('nextTry')} <Time at={each.nextAttemptAt} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function EndpointUrl({ id }: { id: string }) {
  const { data } = useRead('webhookEndpoints.get', useMay()('webhookEndpoints.get') ? { endpointId: id } : null)
  return <a href={`/console/webhooks/${id}`}>{data?.url ?? id}</a>
}
