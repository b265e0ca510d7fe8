import { adyen } from './contenders/adyen.ts'
import { braintree } from './contenders/braintree.ts'
import { emptyFrame } from './contenders/empty-frame.ts'
import { evervault } from './contenders/evervault.ts'
import { tillwright } from './contenders/tillwright.ts'
import type { Contender } from './contender.ts'
import { makeCertificate } from './make-certificate.ts'
import { compareFigures, figuresAsMarkdown, type Figures } from './report.ts'
import { startServer } from './serve-contender.ts'
import { launchBrowser, timeField } from './time-field.ts'

/** How often each page is timed; the contenders take turns, so that a slow moment of the machine meets them all. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 7)

/** `pnpm bench checkout`: bytes and time until a card number can be typed, ours compared to others'. */
const ours = await tillwright()
try {
  const others = await Promise.all([braintree, adyen, evervault].map(prepare))
  const [own, floor, ...rest] = await measure([ours, emptyFrame, ...others.filter((other) => other !== null)])
  if (own === undefined || floor === undefined) throw new Error('There is nothing to compare with.')
  for (const sentence of compareFigures(own, floor, rest)) console.log(sentence)
  console.log(`\n${figuresAsMarkdown([own, floor, ...rest])}`)
} finally {
  await ours.close()
}

/** A contender whose packages cannot be fetched is left out, with a note. */
async function prepare(make: () => Promise<Contender>): Promise<Contender | null> {
  try {
    return await make()
  } catch (error) {
    console.log(`Not measured: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

async function measure(contenders: readonly Contender[]): Promise<Figures[]> {
  const certificate = await makeCertificate()
  const server = await startServer(certificate)
  const browser = await launchBrowser(server.port, certificate)
  const figures = contenders.map(unmeasured)
  try {
    // The first turn is not timed: in it the server compresses what it afterwards has at hand.
    for (let turn = 0; turn <= RUNS; turn += 1) {
      for (const contender of figures) {
        server.show(contender)
        const timeMs = await timeField(browser, contender)
        if (turn > 0) contender.runsMs.push(timeMs)
        contender.files = server.sent()
      }
    }
    return figures
  } finally {
    await browser.close()
    server.close()
  }
}

interface Measured extends Figures {
  runsMs: number[]
}

function unmeasured(contender: Contender): Contender & Measured {
  return { ...contender, files: new Map(), runsMs: [] }
}
