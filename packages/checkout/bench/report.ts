/** The figures of a contender. */
export interface Figures {
  name: string
  version: string
  contents: string
  /** Each file that had to come before the field: its address and its bytes in brotli. */
  files: ReadonlyMap<string, number>
  /** Milliseconds to a field with the keyboard, one for each run. */
  runsMs: readonly number[]
}

/** The most that ours may weigh, as a share of another's; a fifth is the aim. */
const SHARE = 0.25
const BYTES_MAX = 14_000
/** The longest that ours may take, in times of an empty frame's. */
const FLOOR_SHARE = 1.15

/** A line for each of our figures, next to an empty frame's and each contender's, with whether the bound holds. */
export function compareFigures(ours: Figures, floor: Figures, others: readonly Figures[]): string[] {
  const own = totalBytes(ours)
  const weight = line(own <= BYTES_MAX, `bytes to the first digit ${bytes(own)} (at most ${bytes(BYTES_MAX)})`)
  const [fieldMs, floorMs] = [median(ours.runsMs), median(floor.runsMs)]
  const time = line(
    fieldMs <= FLOOR_SHARE * floorMs,
    `field ${ms(fieldMs)}, ${(fieldMs / floorMs).toFixed(2)} times an empty frame's ${ms(floorMs)} (at most ${FLOOR_SHARE})`,
  )
  const beside = others.flatMap((other) => {
    const share = totalBytes(ours) / totalBytes(other)
    const [oursMs, otherMs] = [median(ours.runsMs), median(other.runsMs)]
    return [
      line(
        share <= SHARE,
        `bytes ${bytes(totalBytes(ours))}, ${percent(share)} of ${other.name}'s ${bytes(totalBytes(other))} ` +
          `(at most ${percent(SHARE)})`,
      ),
      line(oursMs < otherMs, `field ${ms(oursMs)}, ${other.name}'s ${ms(otherMs)} (ours first)`),
    ]
  })
  return [weight, time, ...beside]
}

/** The figures as two Markdown tables: the comparison, and the files that the bytes are the sum of. */
export function figuresAsMarkdown(all: readonly Figures[]): string {
  const rows = all.map((figures) => {
    const { name, version, contents, runsMs } = figures
    const range = `${ms(Math.min(...runsMs))} to ${ms(Math.max(...runsMs))}`
    return [name, version, bytes(totalBytes(figures)), ms(median(runsMs)), range, contents]
  })
  const files = all.flatMap(({ name, files: sent }) =>
    [...sent].map(([address, size]) => [name, `\`${address}\``, bytes(size)]),
  )
  return [
    table(['', 'version', 'bytes', 'field, median', 'runs', 'what the figures hold'], rows),
    table(['', 'file', 'brotli 11'], files),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

function totalBytes({ files }: Figures): number {
  return files.values().reduce((sum, size) => sum + size, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function line(holds: boolean, sentence: string): string {
  return `${holds ? 'ok  ' : 'MISS'} ${sentence}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const bytes = (count: number): string => `${Math.round(count).toLocaleString('en')} B`
const ms = (time: number): string => `${Math.round(time).toLocaleString('en')} ms`
