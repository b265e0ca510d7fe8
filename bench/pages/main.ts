import { type Loading, runLighthouse } from './lighthouse.ts'
import { publishApps } from './publish-apps.ts'

const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)

const SCORE_MIN = 100
const TBT_MAX_MS = 100
const LCP_MAX_MS = 1_800
const SHIFT_MAX = 0.01
const SCRIPT_MAX_BYTES = 45_000

/** `pnpm bench pages`: what Lighthouse says on a telephone of the template plugins' first pages and of the demo shop. */
const apps = await publishApps()
try {
  const figures = []
  for (const { name, url } of apps.pages) {
    await runLighthouse(url) // what the platform compresses and remembers at first is not the buyers' to wait for
    const runs: Loading[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await runLighthouse(url))
    figures.push({ name, loading: middleOf(runs) })
  }
  report(figures)
} finally {
  await apps.stop()
}

/** The loading with the median score: its figures belong together. */
function middleOf(runs: readonly Loading[]): Loading {
  const middle = runs.toSorted((a, b) => a.score - b.score || b.tbt - a.tbt)[Math.floor(runs.length / 2)]
  if (middle === undefined) throw new Error('BENCH_RUNS must be 1 or more.')
  return middle
}

function report(figures: readonly { name: string; loading: Loading }[]): void {
  for (const { name, loading } of figures) {
    const { score, tbt, lcp, cls, scriptBytes } = loading
    console.log(line(score >= SCORE_MIN, `${name}: scores ${score.toFixed(0)} (at least ${SCORE_MIN})`))
    console.log(line(tbt <= TBT_MAX_MS, `${name}: is blocked for ${ms(tbt)} (at most ${ms(TBT_MAX_MS)})`))
    console.log(line(lcp <= LCP_MAX_MS, `${name}: shows its largest part after ${ms(lcp)} (at most ${ms(LCP_MAX_MS)})`))
    console.log(line(cls <= SHIFT_MAX, `${name}: moves by ${cls.toFixed(4)} (at most ${SHIFT_MAX})`))
    console.log(
      line(
        scriptBytes <= SCRIPT_MAX_BYTES,
        `${name}: ${bytes(scriptBytes)} of script (at most ${bytes(SCRIPT_MAX_BYTES)})`,
      ),
    )
  }
  console.log(`\n| the middle one of ${RUNS} | score | FCP | LCP | TBT | SI | CLS | script | all |`)
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --: |')
  for (const { name, loading } of figures) {
    const { score, fcp, lcp, tbt, si, cls, scriptBytes, allBytes } = loading
    const cells = [score.toFixed(0), ms(fcp), ms(lcp), ms(tbt), ms(si), cls.toFixed(4)]
    console.log(`| ${[name, ...cells, bytes(scriptBytes), bytes(allBytes)].join(' | ')} |`)
  }
}

function line(holds: boolean, sentence: string): string {
  return `${holds ? 'ok  ' : 'MISS'} ${sentence}`
}

function ms(time: number): string {
  return `${Math.round(time).toLocaleString('en')} ms`
}

function bytes(count: number): string {
  return `${count.toLocaleString('en')} B`
}
