import { Badge, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { bytes, duration } from '../../language/measures.ts'
import { percent } from '../../language/values.ts'
import type { State } from './state.tsx'
import { text } from './text.ts'

type Process = State['processes'][number]

/** Everybody who is at work, with versions side by side during an upgrade. */
export function Processes({ state: { processes, processId } }: { state: State }) {
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
