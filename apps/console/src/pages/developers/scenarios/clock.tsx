import { useState } from 'preact/hooks'
import { useChange } from '../../../api/change.ts'
import { ApiFailure, api } from '../../../api/client.ts'
import { type LiveEvent, useLive } from '../../../api/live.ts'
import { AGAIN_MS, useRead } from '../../../api/query.ts'
import { Badge, Button, Copy, Dialog, Time } from '../../../design/controls.tsx'
import { Facts, Section } from '../../../design/section.tsx'
import { Empty, Loaded } from '../../../design/states.tsx'
import { TimeInput } from '../../../forms/fields.tsx'
import { exactTime } from '../../../language/values.ts'
import { Table } from '../../../lists/table.tsx'
import { Decision } from '../../../forms/decision.tsx'
import { ApiCall } from '../../../shell/api-call.tsx'
import { Page } from '../../../shell/page.tsx'
import { useMay } from '../../../shell/session.ts'
import { text as shared } from '../../../shell/text.ts'
import { text } from './text.ts'
import './scenarios.css'

const DAY_MS = 86_400_000
/** Events of a jump over years would be too many to look through. */
const EVENTS_MAX = 200

/** The clock of a local platform: what the time is there, and what happens when it goes on. */
export function TestClock() {
  const read = useRead('testClock.get', {}, AGAIN_MS)
  const isElsewhere = read.error instanceof ApiFailure && read.error.code === 'route_not_found'
  return (
    <Page title={shared('page.testClock')}>
      {isElsewhere ? (
        <Empty title={text('noClock')}>
          <p>{text('noClockHint')}</p>
          <Copy value="tillwright start" />
        </Empty>
      ) : (
        <div class="stack">
          <Loaded read={read}>{(clock) => <Clock now={clock.now} aheadMs={clock.aheadMs} />}</Loaded>
          <Happened />
          <ApiCall operation="testClock.advance" input={{ to: midnightAfter(read.data?.now) }} />
        </div>
      )}
    </Page>
  )
}

/** As an example of a time to advance to: it stays the same while the page is read. */
function midnightAfter(now: string | undefined): string {
  const next = new Date(Date.parse(now ?? new Date().toISOString()) + DAY_MS)
  return `${next.toISOString().slice(0, 10)}T00:00:00.000Z`
}

function Clock({ now, aheadMs }: { now: string; aheadMs: number }) {
  const may = useMay()
  const [target, setTarget] = useState<string | null>(null)
  const renewal = useNextRenewal(now)
  const choices = [
    [text('day'), new Date(Date.parse(now) + DAY_MS).toISOString()],
    [text('month'), aMonthAfter(now)],
    ...(renewal === null ? [] : [[text('renewal'), renewal] as const]),
  ] as const
  return (
    <Section title={text('time')}>
      <Facts
        of={[
          [text('now'), exactTime(now)],
          [text('ahead'), aheadMs === 0 ? text('notAhead') : text('days', { count: Math.round(aheadMs / DAY_MS) })],
          [text('nextRenewal'), renewal === null ? text('noRenewal') : <Time at={renewal} />],
        ]}
      />
      {may('testClock.advance') && (
        <div class="actions">
          {choices.map(([label, to]) => (
            <Button key={label} onClick={() => setTarget(to)}>
              {label}
            </Button>
          ))}
          <Button kind="plain" onClick={() => setTarget(choices[0][1])}>
            {text('other')}
          </Button>
        </div>
      )}
      {target !== null && <Advance to={target} onClose={() => setTarget(null)} />}
    </Section>
  )
}

/** When the next subscription is charged, of those that began last. */
function useNextRenewal(now: string): string | null {
  const { data } = useRead('subscriptions.list', useMay()('subscriptions.list') ? { limit: 100 } : null)
  const times = (data?.data ?? []).flatMap(({ nextPaymentAt }) => (nextPaymentAt === null ? [] : [nextPaymentAt]))
  return times.filter((time) => time > now).toSorted()[0] ?? null
}

/** The same day and hour of the next month, or its last day. */
function aMonthAfter(now: string): string {
  const at = new Date(now)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  return at.toISOString()
}

/** Says what will happen, and then moves the clock. */
function Advance({ to, onClose }: { to: string; onClose: () => void }) {
  const [chosen, setChosen] = useState(to)
  const change = useChange(
    async (time: string) => {
      await api.testClock.advance({ to: time })
      onClose()
    },
    [''], // Work that becomes due may change anything.
  )
  return (
    <Dialog title={text('advance')} onClose={onClose}>
      <p>{text('advanceEffect', { time: exactTime(chosen) })}</p>
      <TimeInput label={text('until')} value={chosen} onValue={(time) => time !== '' && setChosen(time)} />
      <Decision kind="main" change={change} label={text('advance')} onClose={onClose} run={() => change.run(chosen)} />
    </Dialog>
  )
}

/** Events since the page was opened, newest first. */
function Happened() {
  const may = useMay()
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  useLive((event) => setEvents((former) => [event, ...former].slice(0, EVENTS_MAX)), may('eventLog.list'))
  return (
    <Section title={text('happened')} actions={events.length > 0 && <Badge tone="calm">{events.length}</Badge>}>
      {events.length === 0 ? (
        <p>{text('nothingYet')}</p>
      ) : (
        <Table
          title={text('happened')}
          columns={[
            { title: text('event'), cell: ({ eventType }) => <code>{eventType}</code> },
            { title: text('when'), cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
          rows={events}
          idOf={({ id }) => id}
          pathOf={({ id }) => `/events/${id}`}
        />
      )}
    </Section>
  )
}
