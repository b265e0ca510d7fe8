import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { AGAIN_MS, useRead } from '../../api/query.ts'
import { Button, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Bone, Failure, Loaded } from '../../design/states.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'
import './developers.css'

type Delivery = ResponseOf<Contract['webhookEndpoints']['listDeliveries']>['data'][number]
type State = Delivery['state']

const PAGE = 25

const states: readonly State[] = ['pending', 'delivered', 'failed']

/** The deliveries to an endpoint, or of an event, newest event first. */
export function Deliveries({ query }: { query: { endpointId: string } | { eventId: string } }) {
  const [state, setState] = useState<State | ''>('')
  const [after, setAfter] = useState<string | null>(null)
  const wanted = { ...query, limit: PAGE, ...(state !== '' && { state }), ...(after !== null && { after }) }
  const read = useRead('webhookEndpoints.listDeliveries', wanted, AGAIN_MS)
  return (
    <Section title={text('deliveries')} actions={<StateFilter state={state} onState={setState} />}>
      <Loaded read={read} waiting={<Bone />}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && <p>{text(nextCursor === null ? 'noDeliveries' : 'noneAmongNewest')}</p>}
            <ul class="deliveries">
              {data.map((delivery) => (
                <One key={`${delivery.eventId}${delivery.endpointId}`} delivery={delivery} />
              ))}
            </ul>
            <div class="actions">
              {after !== null && <Button onClick={() => setAfter(null)}>{text('newest')}</Button>}
              {nextCursor !== null && <Button onClick={() => setAfter(nextCursor)}>{text('older')}</Button>}
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}

function StateFilter({ state, onState }: { state: State | ''; onState: (state: State | '') => void }) {
  return (
    <select
      class="input narrow-input"
      aria-label={shared('filter.status')}
      value={state}
      onChange={({ currentTarget: { value } }) => onState(states.find((each) => each === value) ?? '')}
    >
      <option value="">{text('allStates')}</option>
      {states.map((each) => (
        <option key={each} value={each}>
          {text(`delivery.${each}`)}
        </option>
      ))}
    </select>
  )
}

function One({ delivery }: { delivery: Delivery }) {
  const { eventId, eventType, state, attempts, createdAt, endpointId } = delivery
  const may = useMay()
  const change = useChange(
    (_: null, options) => api.webhookEndpoints.replay({ endpointId, eventId }, options),
    ['webhookEndpoints.listDeliveries'],
  )
  return (
    <li>
      <details>
        <summary>
          <span class="type">{eventType}</span>
          <Status of={state} />
          <span class="side-note">{text('tries', { count: attempts })}</span>
          <Time at={createdAt} />
        </summary>
        <Tries delivery={delivery} />
        {change.failure !== null && <Failure failure={change.failure} />}
        <div class="actions">
          <a class="button" href={`/console/events/${eventId}`}>
            {text('toEvent')}
          </a>
          {may('webhookEndpoints.replay') && state !== 'pending' && (
            <Button isBusy={change.isRunning} onClick={() => void change.run(null)}>
              {text('resend')}
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}

function Tries({ delivery: { tries, lastResponse, nextAttemptAt } }: { delivery: Delivery }) {
  return (
    <>
      <ol class="tries">
        {tries.map(({ at, ms, status, failure }) => (
          <li key={at}>
            <Time at={at} /> · {status ?? failure ?? text('noAnswer')} · {text('took', { ms })}
          </li>
        ))}
        {nextAttemptAt !== null && (
          <li>
            {text('nextTry')} <Time at={nextAttemptAt} />
          </li>
        )}
      </ol>
      {lastResponse !== null && lastResponse !== '' && (
        <pre class="code" tabIndex={0}>
          {lastResponse}
        </pre>
      )}
    </>
  )
}
