import { launchChromium } from '../../.ci/chromium.ts'
import { publishApps } from './publish-apps.ts'
import { scoreLoading } from './score-loading.ts'
import { timePage, type Loading } from './time-page.ts'

const RUNS = Number(process.env['BENCH_RUNS'] ?? 5)

const SCORE_MIN = 95
const SHIFT_MAX = 0.01
const SCRIPT_MAX_BYTES = 45_000

/** `pnpm bench pages`: what the first pages of the template plugins weigh, and how soon they are there on a telephone. */
// Frames stay in the page's process, so that its network is theirs.
const [apps, browser] = await Promise.all([publishApps(), launchChromium(['--disable-site-isolation-trials'])])
try {
  const figures = []
  for (const { name, url } of apps.pages) {
    await timePage(browser, url) // what the platform compresses and remembers at first is not the buyers' to wait for
    const runs: Loading[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await timePage(browser, url))
    figures.push({ name, loading: medianOf(runs) })
  }
  report(figures)
} finally {
  await browser.close()
  await apps.stop()
}

/** Each figure's own median. */
function medianOf(runs: readonly Loading[]): Loading {
  const median = (name: keyof Loading) =>
    runs.map((run) => run[name]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN
  return {
    fcp: median('fcp'),
    lcp: median('lcp'),
    tbt: median('tbt'),
    cls: median('cls'),
    scriptBytes: median('scriptBytes'),
    allBytes: median('allBytes'),
  }
}

function report(figures: readonly { name: string; loading: Loading }[]): void {
  for (const { name, loading } of figures) {
    const { cls, scriptBytes } = loading
    const score = scoreLoading(loading)
    console.log(line(score >= SCORE_MIN, `${name}: scores ${score.toFixed(0)} (at least ${SCORE_MIN})`))
    console.log(line(cls <= SHIFT_MAX, `${name}: moves by ${cls.toFixed(4)} (at most ${SHIFT_MAX})`))
    console.log(
      line(
        scriptBytes <= SCRIPT_MAX_BYTES,
        `${name}: ${bytes(scriptBytes)} of script (at most ${bytes(SCRIPT_MAX_BYTES)})`,
      ),
    )
  }
  console.log(`\n| median of ${RUNS} | score | FCP | LCP | TBT | CLS | script | all |`)
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: |')
  for (const { name, loading } of figures) {
    const { fcp, lcp, tbt, cls, scriptBytes, allBytes } = loading
    const cells = [scoreLoading(loading).toFixed(0), ms(fcp), ms(lcp), ms(tbt), cls.toFixed(4)]
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
