import { useRead } from '../../api/query.ts'
import { Badge, Copy, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { text as shared } from '../../shell/text.ts'
import { Backup, Keys, Retention, Schema } from './data.tsx'
import './operations.css'
import { Processes } from './processes.tsx'
import { Queues, Recovery } from './queues.tsx'
import type { State } from './state.tsx'
import { text } from './text.ts'

/** How often it is read again while it is in sight. */
const READ_EVERY_MS = 2_000

/** The state of the platform, for its operator: what needs somebody first, then each part. */
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
