import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromiumPath } from '../../.ci/chromium.ts'
import { fetchOnce } from '../../packages/checkout/bench/fetch-once.ts'

const VERSION = '13.5.0'
const run = promisify(execFile)

/** One loading of a page, as Lighthouse reports it for its telephone. Times in milliseconds. */
export interface Loading {
  /** Performance, 0 to 100. */
  score: number
  /** First and Largest Contentful Paint. */
  fcp: number
  lcp: number
  /** Total Blocking Time. */
  tbt: number
  /** Speed Index. */
  si: number
  /** Cumulative Layout Shift. */
  cls: number
  /** Of the page's own scripts, as they were sent. */
  scriptBytes: number
  /** Of everything that was sent to the page, the card form's loader and frame included. */
  allBytes: number
}

/** The part of Lighthouse's report that is read here. */
interface Report {
  finalDisplayedUrl: string
  categories: { performance: { score: number } }
  audits: Record<string, { numericValue: number }> & {
    'network-requests': { details: { items: readonly Sent[] } }
  }
}

interface Sent {
  url: string
  resourceType?: string
  transferSize: number
}

/**
 * Opens a page in Lighthouse with its usual settings: a telephone, a slow network, a processor four times slower.
 * Lighthouse brings 150 MB, so it is fetched into the user's cache instead of being a dependency.
 */
export async function runLighthouse(url: string): Promise<Loading> {
  const folder = await fetchOnce({ name: `lighthouse-${VERSION}`, packages: { lighthouse: VERSION } })
  const scratch = await mkdtemp(join(tmpdir(), 'tillwright-lighthouse-'))
  const path = join(scratch, 'report.json')
  const flags = ['--headless=new', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const options = ['--only-categories=performance', '--quiet', '--output=json', `--output-path=${path}`]
  try {
    const program = join(folder, 'node_modules/lighthouse/cli/index.js')
    await run(process.execPath, [program, url, ...options, `--chrome-flags=${flags.join(' ')}`], {
      env: { ...process.env, CHROME_PATH: await chromiumPath() },
    })
    return loadingOf(JSON.parse(await readFile(path, 'utf8')))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function loadingOf({ finalDisplayedUrl, categories, audits }: Report): Loading {
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  const sent = audits['network-requests'].details.items
  const sum = (all: readonly Sent[]) => all.reduce((bytes, { transferSize }) => bytes + transferSize, 0)
  const { origin } = new URL(finalDisplayedUrl)
  return {
    score: 100 * categories.performance.score,
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    si: value('speed-index'),
    cls: value('cumulative-layout-shift'),
    scriptBytes: sum(sent.filter((each) => each.resourceType === 'Script' && new URL(each.url).origin === origin)),
    allBytes: sum(sent),
  }
}
