import type { ComponentChildren } from 'preact'
import {
  type FlowDetails,
  type FlowProcessor,
  furtherOf,
  limitsOf,
  type NamedProcessor,
  partOf,
  processorName,
  sharesOf,
} from './words.ts'
import { text } from './text.ts'

/** The picture's own measures; it is as wide as its place allows. */
const WIDTH = 360
const STEP = 52
const ROW = 38
const HEAD = 34
const GAP = 30
const INSET = 16

interface Piece {
  height: number
  draw: (y: number) => ComponentChildren
  /** Label of the line that leads to it. */
  when?: string
}

/** The way of a payment through a flow, from above to below. */
export function Picture({ flow, processors }: { flow: FlowDetails; processors: readonly NamedProcessor[] }) {
  const pieces = piecesOf(flow, processors)
  const height = pieces.reduce((sum, piece) => sum + piece.height + GAP, 0) - GAP
  const tops = pieces.map((_, at) => pieces.slice(0, at).reduce((sum, piece) => sum + piece.height + GAP, 0))
  const words = [
    limitsOf(flow.abuseDetectionConfig),
    text(flow.threeDsEnabled ? 'threedsOn' : 'threedsOff'),
    ...flow.processorConfigs.map(({ processorId }, at) => {
      const part = partOf(flow.processorConfigs, at, flow.pickProcessorStrategy)
      return `${processorName(processors, processorId)} ${part}`
    }),
    text(`further.${furtherOf(flow)}`),
  ].join('; ')
  return (
    <svg
      class="picture"
      viewBox={`-1 -1 ${WIDTH + 2} ${height + 2}`}
      role="img"
      aria-label={text('picture', { words })}
      preserveAspectRatio="xMidYMin meet"
    >
      {pieces.map((piece, at) => {
        const top = tops[at] ?? 0
        return (
          <g key={at}>
            {at > 0 && <Way to={top} {...(piece.when !== undefined && { when: piece.when })} />}
            {piece.draw(top)}
          </g>
        )
      })}
    </svg>
  )
}

function piecesOf(flow: FlowDetails, processors: readonly NamedProcessor[]): readonly Piece[] {
  const { abuseDetectionConfig: limits, threeDsEnabled, processorConfigs, fallbackProcessorConfigs } = flow
  const further = furtherOf(flow)
  const hasFallback = further !== 'none' && fallbackProcessorConfigs.length > 0
  const pool = (title: string, configs: readonly FlowProcessor[]): Piece => ({
    height: HEAD + ROW * configs.length + INSET / 2,
    draw: (y) => <Pool y={y} title={title} configs={configs} flow={flow} processors={processors} />,
  })
  const firstTitle = `${text('first')}: ${text(`pick.${flow.pickProcessorStrategy}`)}`
  return [
    { height: 36, draw: (y) => <Step y={y} height={36} title={text('payment')} kind="start" /> },
    step(text('limits'), limitsOf(limits), limits !== null && limits.enabled),
    step(text('threeds'), text(threeDsEnabled ? 'threedsOn' : 'threedsOff'), threeDsEnabled),
    pool(firstTitle, processorConfigs),
    ...(hasFallback
      ? [
          {
            ...pool(text('fallback'), fallbackProcessorConfigs),
            when: text(further === 'retry' ? 'way.retry' : 'way.ineligible'),
          },
        ]
      : []),
    step(text('end'), further === 'retry' ? text('more', { count: flow.maxFallbackRetries }) : text('end.first'), true),
  ]
}

function step(title: string, note: string, isOn: boolean): Piece {
  return {
    height: STEP,
    draw: (y) => <Step y={y} height={STEP} title={title} note={note} kind={isOn ? 'on' : 'off'} />,
  }
}

interface StepProps {
  y: number
  height: number
  title: string
  note?: string
  kind: 'start' | 'on' | 'off'
}

function Step({ y, height, title, note, kind }: StepProps) {
  return (
    <g class={kind}>
      <rect class="box" x={0} y={y} width={WIDTH} height={height} rx={8} />
      <text x={from(INSET)} y={y + 22}>
        {title}
      </text>
      {note !== undefined && <Cut class="soft" x={from(INSET)} y={y + 40} words={note} most={46} />}
    </g>
  )
}

/** A line downwards, with its arrow. */
function Way({ to, when }: { to: number; when?: string }) {
  const x = WIDTH / 2
  return (
    <g class="way">
      <path d={`M${x} ${to - GAP}V${to - 2}M${x - 4} ${to - 7}l4 5l4 -5`} />
      {when !== undefined && (
        <text class="soft" x={from(WIDTH / 2 + 10)} y={to - GAP / 2 + 4}>
          {when}
        </text>
      )}
    </g>
  )
}

interface PoolProps {
  y: number
  title: string
  configs: readonly FlowProcessor[]
  flow: FlowDetails
  processors: readonly NamedProcessor[]
}

/** Processors of one list, with the share of each as a bar. */
function Pool({ y, title, configs, flow, processors }: PoolProps) {
  const inner = WIDTH - 2 * INSET
  const shares = sharesOf(configs)
  const pick = flow.pickProcessorStrategy
  return (
    <g>
      <rect class="box" x={0} y={y} width={WIDTH} height={HEAD + ROW * configs.length + INSET / 2} rx={8} />
      <text x={from(INSET)} y={y + 22}>
        {title}
      </text>
      {configs.map(({ processorId, disabled }, at) => {
        const top = y + HEAD + ROW * at
        const width = disabled ? 0 : inner * (pick === 'weighted' ? (shares[at] ?? 0) : 1)
        return (
          <g key={processorId} class={disabled ? 'off' : 'on'}>
            <Cut class="name" x={from(INSET)} y={top + 14} words={processorName(processors, processorId)} most={30} />
            <text class="part" x={from(WIDTH - INSET)} y={top + 14} text-anchor="end">
              {partOf(configs, at, pick)}
            </text>
            <rect class="track" x={INSET} y={top + 21} width={inner} height={6} rx={3} />
            <rect
              class="bar"
              x={isRightToLeft() ? WIDTH - INSET - width : INSET}
              y={top + 21}
              width={width}
              height={6}
              rx={3}
            />
          </g>
        )
      })}
    </g>
  )
}

/** A text of one line that may be too long for its place. */
function Cut({ words, most, ...rest }: { words: string; most: number; class: string; x: number; y: number }) {
  return (
    <text {...rest}>
      {words.length > most ? `${words.slice(0, most - 1)}…` : words}
      {words.length > most && <title>{words}</title>}
    </text>
  )
}

/** A place counted from where lines of text begin. */
function from(start: number): number {
  return isRightToLeft() ? WIDTH - start : start
}

function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl'
}
