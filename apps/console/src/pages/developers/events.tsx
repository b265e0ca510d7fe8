import { names } from 'virtual:names'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { ApiFailure, api } from '../../api/client.ts'
import { type LiveEvent, useIsLive, useLive } from '../../api/live.ts'
import { useRead } from '../../api/query.ts'
import { Badge, Button, Copy, Dialog, Field, Select, Time } from '../../design/controls.tsx'
import { Empty, Failure } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { Table } from '../../lists/table.tsx'
import { Decision } from '../../forms/decision.tsx'
import { ApiCallMenu } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { cursorAt } from '../../api/event-ids.ts'
import { text } from './text.ts'
import './developers.css'

/** How many events are shown at first; each "more" shows as many again. */
const SHOWN = 100
const PAGE = 100
/** More pages than this are not read at once. */
const PAGES_MAX = 10
/** How far back is looked for events, from the newest on, until there are enough. */
const SPANS_MS = [1, 15, 240, 4_320, 86_400, 52_560_000].map((minutes) => minutes * 60_000)

const columns = (): readonly Column<LiveEvent>[] => [
  { title: text('type'), cell: ({ eventType }) => <code>{eventType}</code> },
  { title: text('object'), rank: 2, cell: (event) => <code>{subjectOf(event)}</code> },
  { title: text('origin'), rank: 3, cell: ({ draft }) => draft && <Badge tone="calm">{text('draft')}</Badge> },
  { title: text('time'), isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The id of what an event is about: the property that the event's type begins with, else the first that is an id. */
function subjectOf({ eventType, properties }: LiveEvent): string {
  const ids = Object.entries(properties).flatMap(([name, value]) =>
    name.endsWith('Id') && typeof value === 'string' ? [[name, value] as const] : [],
  )
  const snake = (name: string) => name.slice(0, -2).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const own = ids.findLast(([name]) => eventType.startsWith(`s_${snake(name)}_`))
  return (own ?? ids[0])?.[1] ?? ''
}

/** The event log, as it grows. */
export function Events() {
  const { query, path, route } = useLocation()
  const may = useMay()
  const type = query['type'] ?? ''
  const [isTriggering, setTriggering] = useState(false)
  const { events, failure, more } = useEvents(type)
  const isLive = useIsLive()
  const go = (change: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(Object.entries({ ...query, ...change }).filter(([, value]) => value !== ''))
    route(search.size === 0 ? path : `${path}?${search}`, true)
  }
  const environment = useRead('accounts.get', may('accounts.get') ? {} : null).data?.environment
  const isSimulated = environment !== undefined && environment !== 'production'
  return (
    <Page
      title={shared('page.events')}
      isWide
      note={<Badge tone={isLive ? 'good' : 'wait'}>{shared(isLive ? 'live' : 'live.off')}</Badge>}
      actions={
        <>
          <ApiCallMenu operation="eventLog.list" input={type === '' ? {} : { types: type }} />
          {isSimulated && may('eventLog.trigger') && (
            <Button icon="plus" onClick={() => setTriggering(true)}>
              {text('trigger')}
            </Button>
          )}
        </>
      }
    >
      <div class="filters">
        <TypeFilter type={type} onType={(to) => go({ type: to })} />
      </div>
      {failure !== null && <Failure failure={failure} />}
      {events?.length === 0 ? (
        <Empty title={text('noEvents')}>
          <p>{text('noEventsHint')}</p>
          <Copy value="tillwright events listen" />
        </Empty>
      ) : (
        <Table
          title={shared('page.events')}
          columns={columns()}
          rows={events}
          idOf={({ id }) => id}
          pathOf={({ id }) => `/events/${id}`}
        />
      )}
      {more !== null && <Button onClick={more}>{text('older')}</Button>}
      {isTriggering && <Trigger onClose={() => setTriggering(false)} />}
    </Page>
  )
}

function TypeFilter({ type, onType }: { type: string; onType: (type: string) => void }) {
  return (
    <select
      class="input narrow-input"
      aria-label={text('type')}
      value={type}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    >
      <option value="">{text('everyType')}</option>
      {names.eventTypes.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

/** The newest events, with those that happen meanwhile. */
function useEvents(type: string) {
  const [shown, setShown] = useState(SHOWN)
  const [events, setEvents] = useState<readonly LiveEvent[] | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  useEffect(() => {
    const stopping = new AbortController()
    newestEvents(type, shown, stopping.signal)
      .then((read) => {
        setFailure(null)
        setEvents((former) => merged(former ?? [], read))
      })
      .catch((error: unknown) => {
        if (error instanceof ApiFailure) setFailure(error)
        else if (!stopping.signal.aborted) throw error
      })
    return () => stopping.abort()
  }, [type, shown])
  useEffect(() => setEvents(null), [type])
  useLive((event) => {
    if (type === '' || event.eventType === type) setEvents((former) => merged([event], former ?? []))
  }, true)
  return { events, failure, more: events !== null && events.length >= shown ? () => setShown(shown + SHOWN) : null }
}

function merged(newer: readonly LiveEvent[], older: readonly LiveEvent[]): readonly LiveEvent[] {
  const byId = new Map([...newer, ...older].map((event) => [event.id, event]))
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

async function newestEvents(type: string, wanted: number, signal: AbortSignal): Promise<readonly LiveEvent[]> {
  const now = Date.now()
  let found: readonly LiveEvent[] = []
  for (const span of SPANS_MS) {
    found = await eventsSince(now - span, type, signal)
    if (found.length >= wanted) break
  }
  return found.toReversed()
}

async function eventsSince(ms: number, type: string, signal: AbortSignal): Promise<readonly LiveEvent[]> {
  const found: LiveEvent[] = []
  let after = cursorAt(ms)
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const query = { after, limit: PAGE, drafts: 'true', ...(type !== '' && { types: type }) } as const
    const page = await api.eventLog.list(query, { signal })
    found.push(...page.data)
    if (!page.hasMore) break
    after = page.nextCursor
  }
  return found
}

type TriggerBody = Parameters<typeof api.eventLog.trigger>[0]

/** Simulates an event, for those who build what receives it. */
function Trigger({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState('s_order_paid')
  const [typed, setTyped] = useState('')
  const properties = parsed(typed)
  const change = useChange(
    async (body: TriggerBody, options) => {
      await api.eventLog.trigger(body, options)
      onClose()
    },
    ['webhookEndpoints.listDeliveries'],
  )
  const run = () => {
    // The choices are types of the contract.
    const eventType = type as TriggerBody['eventType']
    return change.run({ eventType, ...(properties !== null && typed.trim() !== '' && { properties }) })
  }
  return (
    <Dialog title={text('trigger')} onClose={onClose}>
      <p>{text('triggerEffect')}</p>
      <Select
        label={text('type')}
        value={type}
        onValue={setType}
        options={names.eventTypes.map((value) => ({ value, name: value }))}
      />
      <Field
        label={text('properties')}
        hint={text('propertiesHint')}
        wrong={properties === null ? text('propertiesWrong') : undefined}
      >
        {(tied) => (
          <textarea
            {...tied}
            class="input mono"
            spellcheck={false}
            placeholder={'{ "amount": 9900 }'}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <Decision
        kind="main"
        change={change}
        label={text('trigger')}
        disabled={properties === null}
        onClose={onClose}
        run={run}
      />
    </Dialog>
  )
}

function parsed(typed: string): NonNullable<TriggerBody['properties']> | null {
  if (typed.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(typed)
    // JSON that is an object is what the API takes.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, never>
    return null
  } catch {
    return null
  }
}
