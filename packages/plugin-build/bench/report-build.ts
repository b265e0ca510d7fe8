import type { BuilderName } from './builders.ts'
import type { Timing } from './time-builder.ts'

export interface BuildFigures {
  /** Each in its own process. */
  cold: readonly Timing[]
  warm: readonly Timing[]
}

/** Upper limit for our time, as a multiple of plain esbuild's. */
const SHARE = 1.3
/** Maximum difference from plain esbuild's output size, as a fraction of it. */
const BYTES_APART = 0.02

/** One line per bound, with whether it holds. */
export function compareTimings({ cold, warm }: BuildFigures): string[] {
  const apart = scriptBytes(cold, 'tillwright') / scriptBytes(cold, 'esbuild') - 1
  return [
    ...Object.entries({ cold, warm }).flatMap(([kind, timings]) => {
      const [esbuild, vite] = [share(timings, 'esbuild'), share(timings, 'vite')]
      return [
        line(esbuild <= SHARE, `${kind}: ${esbuild.toFixed(2)} times plain esbuild's time (at most ${SHARE})`),
        line(vite < 1, `${kind}: ${vite.toFixed(2)} times Vite's time (less than 1)`),
      ]
    }),
    line(Math.abs(apart) <= BYTES_APART, `scripts and styles: ${(apart * 100).toFixed(2)} % from plain esbuild's`),
  ]
}

/** The figures as a Markdown table. */
export function timingsAsMarkdown({ cold, warm }: BuildFigures): string {
  const names: BuilderName[] = ['tillwright', 'esbuild', 'vite']
  const rows = names.map((name) => [name, rangeOf(cold, name), rangeOf(warm, name), `${scriptBytes(cold, name)} B`])
  const head = ['', 'cold', 'warm', 'scripts and styles']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The median ratio of our time to the other builder's, with each of our runs paired with the nearest other one. */
function share(timings: readonly Timing[], other: BuilderName): number {
  const [ours, others] = [timesMs(timings, 'tillwright'), timesMs(timings, other)]
  return median(ours.map((timeMs, index) => timeMs / (others[index] ?? Number.NaN)))
}

function rangeOf(timings: readonly Timing[], name: BuilderName): string {
  const times = timesMs(timings, name)
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}-${Math.max(...times).toFixed(0)})`
}

function timesMs(timings: readonly Timing[], name: BuilderName): number[] {
  return timings.filter(({ builder }) => builder === name).map(({ timeMs }) => timeMs)
}

/** The size of scripts and styles, which every builder produces; documents and source maps do not count. */
function scriptBytes(timings: readonly Timing[], name: BuilderName): number {
  const files = timings.find(({ builder }) => builder === name)?.files ?? []
  return files.filter(({ path }) => /\.(?:js|css)$/.test(path)).reduce((sum, { bytes }) => sum + bytes, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function line(holds: boolean, sentence: string): string {
  return `${holds ? 'ok  ' : 'MISS'} ${sentence}`
}
