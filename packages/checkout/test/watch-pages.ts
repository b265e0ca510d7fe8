import type { BrowserContext, Frame } from 'playwright-core'
import { cardTraces } from '../../../.ci/card-traces.ts'

/** Complaints of the pages of one browser profile, and card numbers that leaked from them. */
export interface PageWatch {
  /** Errors on the console, uncaught errors, and violations of a policy, since the last call. */
  takeComplaints(): string[]
  /** Where a card number can be found, and in which form: in traffic, console, storage, addresses, messages, pages. */
  leaks(numbers: readonly string[]): Promise<string[]>
}

/** Watches every page of a profile; to be called before the first is opened. */
export async function watchPages(context: BrowserContext): Promise<PageWatch> {
  const complaints: string[] = []
  const seen: { where: string; text: string | Promise<string> }[] = []
  const visited = new Set<string>()
  await context.addInitScript(reportViolations)
  context.on('console', (message) => {
    seen.push({ where: 'the console', text: message.text() })
    if (message.type() === 'error') complaints.push(message.text())
  })
  context.on('weberror', (error) => {
    seen.push({ where: 'an error', text: String(error.error().stack) })
    complaints.push(String(error.error()))
  })
  context.on('request', (request) => {
    if (request.isNavigationRequest()) visited.add(new URL(request.url()).origin)
    const sent = [request.url(), JSON.stringify(request.headers()), request.postData() ?? '']
    seen.push({ where: `a request for ${new URL(request.url()).pathname}`, text: sent.join('\n') })
  })
  context.on('response', (response) => {
    // The answer to a GET can only repeat its request, which is searched already.
    if (response.request().method() === 'GET') return
    // The body of a page that has gone already is gone with it.
    const text = response.text().catch(() => '')
    seen.push({ where: `the answer of ${new URL(response.url()).pathname}`, text })
  })
  return {
    takeComplaints: () => complaints.splice(0),
    leaks: async (numbers) => {
      const places = [...seen, ...(await remains(context, visited))]
      const found = await Promise.all(places.map(async ({ where, text }) => tracesIn(where, await text, numbers)))
      return [...new Set(found.flat())]
    },
  }
}

function tracesIn(where: string, text: string, numbers: readonly string[]): string[] {
  return numbers.flatMap((number) => cardTraces(Buffer.from(text), number)).map((form) => `${form} in ${where}`)
}

async function remains(
  context: BrowserContext,
  visited: ReadonlySet<string>,
): Promise<{ where: string; text: string }[]> {
  const stored = await storedIn(context, visited)
  const pages = context.pages().map(async (page) => {
    const state = await page.evaluate(() => [window.heard, window.events, window.name, history.state, sessionStorage])
    return [
      { where: 'messages and events', text: JSON.stringify(state) },
      {
        where: 'an address',
        text: page
          .frames()
          .map((frame) => frame.url())
          .join('\n'),
      },
      { where: "the shop's page", text: await page.content() },
    ]
  })
  return [{ where: 'storage', text: JSON.stringify(stored) }, ...(await Promise.all(pages)).flat()]
}

/**
 * Contents of the pages' storage. Each frame is asked itself, because reading a whole profile opens one more page; that
 * is done where a frame has a database, or where an origin was visited that has no frame any more.
 */
async function storedIn(context: BrowserContext, visited: ReadonlySet<string>): Promise<unknown> {
  const frames = context.pages().flatMap((page) => page.frames())
  const kept = (await Promise.all(frames.map(keptBy))).filter((one) => one !== null)
  const asked = new Set(kept.map(({ origin }) => origin))
  const isAll =
    kept.every(({ databases }) => databases.length === 0) && [...visited].every((origin) => asked.has(origin))
  return [kept, isAll ? await context.cookies() : await context.storageState({ indexedDB: true })]
}

/** @returns `null` for a frame that is gone meanwhile or may keep nothing. */
function keptBy(frame: Frame): Promise<{ origin: string; databases: readonly unknown[] } | null> {
  const ask = async () => {
    // Where nothing may be kept, the mere question for databases is an error of the page.
    if (window.origin === 'null') return null
    const stores = [{ ...localStorage }, { ...sessionStorage }]
    return { origin: window.origin, stores, databases: await indexedDB.databases() }
  }
  return frame.evaluate(ask).catch(() => null)
}

/** Runs in every document: a violation that only a report would tell of is told on the console. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`The policy's ${violatedDirective} has refused ${blockedURI}`),
  )
}
