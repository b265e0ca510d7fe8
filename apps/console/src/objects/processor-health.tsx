import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead } from '../api/query.ts'
import { Badge, type Tone } from '../design/controls.tsx'
import { Section } from '../design/section.tsx'
import { Bone, Loaded } from '../design/states.tsx'
import { locale } from '../language/language.ts'
import { percent } from '../language/values.ts'
import { useMay } from '../shell/session.ts'
import { useProcessorName } from './names.tsx'
import { text } from './text.ts'
import './objects.css'

type Health = ResponseOf<Contract['processors']['health']>['data'][number]

/** How often health is read again while it is in sight: circuits close with time, and no event tells. */
const AGAIN_MS = 5_000

const tones: Readonly<Record<Health['circuit'], Tone>> = { closed: 'good', open: 'bad', half_open: 'wait' }

/**
 * Whether processors work now, as it changes: their circuits, and how the attempts of the last minutes ended.
 *
 * @param ids The processors of a flow, or one of a page of its own, whose name then goes without saying.
 */
export function ProcessorHealth({ ids }: { ids: readonly [string] | readonly string[] }) {
  const isAllowed = useMay()('processors.health')
  const read = useRead('processors.health', isAllowed ? {} : null, AGAIN_MS)
  if (!isAllowed || ids.length === 0) return null
  const isOne = ids.length === 1
  return (
    <Section title={text(isOne ? 'health.titleOne' : 'health.title')}>
      <ul class="health">
        {ids.map((id) => (
          <li key={id}>
            {!isOne && <Name id={id} />}
            <Loaded read={read} waiting={<Bone />}>
              {({ data }) => <Line of={data.find(({ processorId }) => processorId === id)} />}
            </Loaded>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Name({ id }: { id: string }) {
  return <a href={`/console/processors/${id}`}>{useProcessorName(id)}</a>
}

/** An archived processor has no health. */
function Line({ of: health }: { of: Health | undefined }) {
  if (health === undefined) return <p>{text('health.none')}</p>
  const { circuit, circuitOpenUntil, circuitOpenIn } = health
  return (
    <>
      <Badge tone={tones[circuit]}>{text(`health.${circuit}`)}</Badge>
      <p>{attemptsOf(health)}</p>
      {circuit === 'open' && circuitOpenUntil !== null && (
        <p>
          {text('health.openUntil', { time: clockTime(circuitOpenUntil) })}{' '}
          {text('health.openIn', { count: circuitOpenIn })}
        </p>
      )}
      {circuit === 'half_open' && <p>{text('health.half')}</p>}
    </>
  )
}

function attemptsOf({ attempts, approved, failed, latency }: Health): string {
  if (attempts === 0) return text('health.none')
  const parts = [text('health.approved', { share: percent(approved / attempts), count: attempts })]
  if (failed > 0) parts.push(text('health.failed', { count: failed }))
  if (latency !== null) {
    parts.push(text('health.latency', { median: seconds(latency.medianMs), p95: seconds(latency.p95Ms) }))
  }
  return parts.join(' · ')
}

function seconds(ms: number): string {
  return durations.format(ms / 1_000)
}

const durations = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'narrow',
  maximumFractionDigits: 2,
})

function clockTime(timestamp: string): string {
  return clockTimes.format(new Date(timestamp))
}

const clockTimes = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
