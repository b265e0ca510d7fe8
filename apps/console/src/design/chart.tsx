import type uPlot from 'uplot'
import { useEffect, useRef } from 'preact/hooks'
import { hourTime, shortTime } from '../language/values.ts'

/** One line of a chart. `null` where there is no value yet. */
export interface Line {
  label: string
  values: readonly (number | null)[]
  /** The faint line of what it is compared with. */
  isFormer?: true
}

interface ChartProps {
  /** Description in a sentence, for screen readers. */
  label: string
  /** When each point is, in ISO 8601. */
  times: readonly string[]
  lines: readonly Line[]
  /** Writes a value for people. */
  format: (value: number) => string
}

const HEIGHT = 180

/** Lines over time. The library that draws them is fetched with the first chart. */
export function Chart({ label, times, lines, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return
    let chart: uPlot | undefined
    let isGone = false
    const draw = async () => {
      const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
      if (isGone) return
      chart?.destroy()
      chart = new Plot(optionsOf({ current, lines, format }), dataOf(times, lines), current)
    }
    void draw()
    // The size of the page, and light or dark, change what is drawn.
    const resized = new ResizeObserver(() => chart?.setSize({ width: current.clientWidth, height: HEIGHT }))
    resized.observe(current)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => void draw()
    scheme.addEventListener('change', redraw)
    return () => {
      isGone = true
      resized.disconnect()
      scheme.removeEventListener('change', redraw)
      chart?.destroy()
    }
  }, [JSON.stringify([times, lines])])
  return <div class="chart" ref={place} role="img" aria-label={label} dir="ltr" />
}

/** Between two hours that are written below the chart, in seconds: no part of an hour, which the values do not have. */
const HOURS = [1, 2, 3, 4, 6, 12, 24].map((hours) => hours * 3_600)

/** Width of the axis labels, by the longest, in pixels. */
function roomOf(values: readonly string[] | null): number {
  const longest = Math.max(0, ...(values ?? []).map((value) => value.length))
  return Math.max(48, 16 + longest * 7)
}

function dataOf(times: readonly string[], lines: readonly Line[]): uPlot.AlignedData {
  return [times.map((time) => Date.parse(time) / 1_000), ...lines.map(({ values }) => [...values])]
}

interface Drawing {
  current: HTMLElement
  lines: readonly Line[]
  format: (value: number) => string
}

function optionsOf({ current, lines, format }: Drawing): uPlot.Options {
  const styles = getComputedStyle(current)
  const colour = (name: string) => styles.getPropertyValue(name)
  const font = `12px ${styles.fontFamily}`
  const axis = {
    stroke: colour('--chart-ink'),
    font,
    grid: { stroke: colour('--chart-line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width: current.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    legend: { live: true },
    axes: [
      { ...axis, space: 72, incrs: HOURS, values: (_, values) => values.map((at) => hourTime(new Date(at * 1_000))) },
      { ...axis, size: (_, values) => roomOf(values), values: (_, values) => values.map((value) => format(value)) },
    ],
    series: [
      // While nothing is pointed at, the legend says how it stands now.
      { value: (plot, at) => shortTime(new Date((at ?? plot.data[0].at(-1) ?? 0) * 1_000).toISOString()) },
      ...lines.map(({ label, values, isFormer }) => ({
        label,
        stroke: colour(isFormer === true ? '--chart-former' : '--chart-now'),
        width: isFormer === true ? 1 : 2,
        points: { show: values.length === 1 },
        value: (_: uPlot, value: number | null) => format(value ?? values.findLast((each) => each !== null) ?? 0),
      })),
    ],
  }
}
