import './operations.css'
import { useRead } from '../../api/query.ts'
import { Badge, Copy, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { text as shared } from '../../shell/text.ts'
import { Backup, Keys, Retention, Schema } from './data.tsx'
import type { State } from './state.tsx'
import { text } from './text.ts'
import { bytes, duration } from '../../language/measures.ts'
import { percent, count } from '../../language/values.ts'

/** How often it is read again while it is in sight. */
const READ_EVERY_MS = 2_000

/** The state of the platform, for its operator: alerts first, then each part. */
export function Operations() {
  const read = useRead('platform.get', {}, READ_EVERY_MS)
  return (
    <Page title={shared('page.operations')}>
      <Loaded read={read} waiting={<div class="card operations-waiting" aria-busy="true" />}>
        {(state) => (
          <div class="stack">
            <Overview state={state} />
            <Queues state={state} />
            <Processes state={state} />
            <Recovery state={state} />
            <div class="columns">
              <div class="stack">
                <Schema state={state} />
                <Backup state={state} />
              </div>
              <Keys state={state} />
            </div>
            <Retention state={state} />
            <ApiCall operation="platform.get" input={{}} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

type Alert = State['alerts'][number]

/** The command that helps, for those that one does. */
function commandFor({ rule, about }: Alert): string | null {
  if (rule === 'TillwrightBackupOld') return 'tillwright backup --to PLACE'
  if (rule !== 'TillwrightKeyOld') return null
  const [ring, key] = about.split('_')
  return `tillwright keys rotate ${ring}${key === 'master' ? ' --to NEW' : ''}`
}

function Overview({ state: { alerts, at, processes } }: { state: State }) {
  return (
    <Section title={text('overview')} actions={<Time at={at} />}>
      {alerts.length === 0 ? (
        <p class="what">
          <Badge tone="good">{text('fine')}</Badge>
          <span>{text('fineHint', { count: processes.length })}</span>
        </p>
      ) : (
        <ul class="parts">
          {alerts.map((alert) => (
            <AlertLine key={`${alert.rule} ${alert.about}`} alert={alert} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function AlertLine({ alert }: { alert: Alert }) {
  const { rule, about, since } = alert
  const command = commandFor(alert)
  return (
    <li>
      <p class="what">
        <Badge tone="bad">{text('needed')}</Badge>
        <strong>{text(rule)}</strong>
        {about !== '' && <code>{about}</code>}
        {since !== null && (
          <span class="end">
            {text('since')} <Time at={since} />
          </span>
        )}
      </p>
      <p class="hint">
        {text(`todo.${rule}`)} {text('alertRule')} <code>{rule}</code>:{' '}
        <a href="/guide/operating/observability#when-an-alert-fires">/guide/operating/observability</a>
      </p>
      {command !== null && <Copy value={command} />}
    </li>
  )
}

type Process = State['processes'][number]

/** Everybody who is at work, with versions side by side during an upgrade. */
function Processes({ state: { processes, processId } }: { state: State }) {
  const versions = [...new Set(processes.map(({ version }) => version))]
  return (
    <Section
      title={text('processes')}
      actions={<Badge tone={versions.length > 1 ? 'wait' : 'calm'}>{versions.join(', ')}</Badge>}
    >
      <ul class="parts">
        {processes.map((process) => (
          <ProcessLine key={process.id} of={process} isAnswering={process.id === processId} />
        ))}
      </ul>
      {versions.length > 1 && <p class="hint">{text('versions')}</p>}
    </Section>
  )
}

function ProcessLine({ of: process, isAnswering }: { of: Process; isAnswering: boolean }) {
  const { name, roles, version, startedAt, heartbeatAgeMs, clockOffsetMs, disk } = process
  return (
    <li>
      <p class="what">
        <strong>{name}</strong>
        <span>{roles.join(', ')}</span>
        {isAnswering && <Badge tone="calm">{text('answers')}</Badge>}
        <span class="end">{version}</span>
      </p>
      <dl class="measures">
        <Measure name={text('heartbeat')}>{duration(heartbeatAgeMs)}</Measure>
        <Measure name={text('clock')}>{duration(Math.abs(clockOffsetMs))}</Measure>
        <Measure name={text('started')}>
          <Time at={startedAt} />
        </Measure>
        <Measure name={text('disk')}>{disk === null ? '–' : <Disk of={disk} />}</Measure>
      </dl>
    </li>
  )
}

function Measure({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Disk({ of: { freeBytes, sizeBytes } }: { of: NonNullable<Process['disk']> }) {
  return (
    <>
      {text('diskFree', { free: bytes(freeBytes), share: percent(freeBytes / sizeBytes) })}
      <meter max={sizeBytes} value={sizeBytes - freeBytes} high={sizeBytes * 0.9} aria-label={text('disk')} />
    </>
  )
}

type Queue = State['queues'][number]

/** Pending work by queue, since when it waits, and when the queue was last worked on. */
function Queues({ state }: { state: State }) {
  const { queues, at } = state
  const late = new Set(state.alerts.map(({ about }) => about))
  return (
    <Section title={text('queues')}>
      <div class="scrolled" tabIndex={0} role="region" aria-label={text('queues')}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{text('work')}</th>
              <th scope="col" class="number">
                {text('waiting')}
              </th>
              <th scope="col" class="number">
                {text('oldest')}
              </th>
              <th scope="col" class="number">
                {text('lastDone')}
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.queue} class={late.has(queue.queue) ? 'late' : ''}>
                <th scope="row">{text(`queue.${queue.queue}`)}</th>
                <td class="number">{waitingOf(queue)}</td>
                <td class="number">{agoOf(queue.dueSince, at) ?? '–'}</td>
                <td class="number">{agoOf(queue.workedAt, at) ?? text('notYet')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function waitingOf({ waiting, hasMore }: Pick<Queue, 'waiting' | 'hasMore'>): string {
  if (waiting === null) return '–'
  return hasMore ? text('orMore', { value: count(waiting) }) : count(waiting)
}

/** Shorter spans are as good as now, and would only make the page restless. */
const LEAST_MS = 1_000

function agoOf(since: string | null, at: string): string | null {
  return since === null ? null : duration(Math.max(LEAST_MS, Date.parse(at) - Date.parse(since)))
}

type Unresolved = State['recovery']['underWay'][number]

/** Payments, captures, refunds and voids without a known outcome, and how many processes took over or gave back. */
function Recovery({ state: { recovery, processes, at } }: { state: State }) {
  const sum = (of: 'takenOver' | 'givenBack') => processes.reduce((total, process) => total + process[of], 0)
  return (
    <Section title={text('recovery')}>
      <div class="stack">
        {recovery.underWay.length === 0 ? (
          <p class="hint">{text('noneUnresolved')}</p>
        ) : (
          <ul class="parts">
            {recovery.underWay.map((each) => (
              <UnresolvedLine key={each.paymentId} of={each} at={at} />
            ))}
          </ul>
        )}
        {recovery.hasMore && <p class="hint">{text('moreUnresolved')}</p>}
        <p class="hint">{text('handedOn', { taken: sum('takenOver'), given: sum('givenBack') })}</p>
      </div>
    </Section>
  )
}

function UnresolvedLine({ of: { kind, paymentId, accountId, since, processId }, at }: { of: Unresolved; at: string }) {
  return (
    <li>
      <p class="what">
        <Badge tone={processId === null ? 'wait' : 'calm'}>{text(processId === null ? 'unheld' : 'held')}</Badge>
        <strong>{text(`kind.${kind}`)}</strong>
        <span class="end">
          {agoOf(since, at)}, <Time at={since} />
        </span>
      </p>
      <p class="ids">
        <Copy value={paymentId} /> <Copy value={accountId} />
      </p>
    </li>
  )
}
