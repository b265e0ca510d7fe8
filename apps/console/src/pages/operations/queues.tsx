import { Badge, Copy, Time } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { duration } from '../../language/measures.ts'
import { count } from '../../language/values.ts'
import type { State } from './state.tsx'
import { text } from './text.ts'

type Queue = State['queues'][number]

/** What waits, since when, and when it was last worked on. */
export function Queues({ state }: { state: State }) {
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

/** What is shorter is as good as now, and would only make the page restless. */
const LEAST_MS = 1_000

function agoOf(since: string | null, at: string): string | null {
  return since === null ? null : duration(Math.max(LEAST_MS, Date.parse(at) - Date.parse(since)))
}

type Unsettled = State['recovery']['underWay'][number]

/** Payments, captures, refunds and voids that nobody knows the outcome of yet, and what was taken over from whom. */
export function Recovery({ state: { recovery, processes, at } }: { state: State }) {
  const sum = (of: 'takenOver' | 'givenBack') => processes.reduce((total, process) => total + process[of], 0)
  return (
    <Section title={text('recovery')}>
      <div class="stack">
        {recovery.underWay.length === 0 ? (
          <p class="hint">{text('noneUnsettled')}</p>
        ) : (
          <ul class="parts">
            {recovery.underWay.map((each) => (
              <UnsettledLine key={each.paymentId} of={each} at={at} />
            ))}
          </ul>
        )}
        {recovery.hasMore && <p class="hint">{text('moreUnsettled')}</p>}
        <p class="hint">{text('handedOn', { taken: sum('takenOver'), given: sum('givenBack') })}</p>
      </div>
    </Section>
  )
}

function UnsettledLine({ of: { kind, paymentId, accountId, since, processId }, at }: { of: Unsettled; at: string }) {
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
