import type { Browser, CDPSession } from 'playwright-core'
import { expect, onTestFinished, vi } from 'vitest'
import { loadedAgain, shownBy, type ExpectedPage, type Fate } from './expected-page.ts'
import { leaveState, lookAtPage, type PageState, type Seen } from './look-at-page.ts'
import type { World } from './world.ts'

/** A bound for what never comes. */
const SHOWN_MS = 30_000
/** Enough to tell who loaded a page again. */
const HEARD_MAX = 12

/** A page that is looked at after each edit. */
export interface WatchedPage {
  /** Waits until it is as expected, and checks what was promised of its state. */
  becomes: (expected: ExpectedPage, wanted: { world: World; fate: Fate }) => Promise<void>
  /** Nothing has happened in it since it was looked at last. */
  stays: () => Promise<void>
  /** Loads it again; what it is then. */
  reload: (expected: ExpectedPage, world: World) => Promise<ExpectedPage>
  /** The last messages it received, and when it was loaded. */
  heard: () => readonly string[]
  /** The bytes that it holds after garbage collection. */
  measure: () => Promise<PageHoldings>
}

/** The memory of a page, as counted by the browser. */
export interface PageHoldings {
  heapBytes: number
  nodes: number
  listeners: number
  documents: number
}

/** Opens a page, which closes when the test is over. */
export async function openWatchedPage(browser: Browser, url: string): Promise<WatchedPage> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const inspector = await page.context().newCDPSession(page)
  const heard: string[] = []
  const hear = (text: string) => void (heard.push(text.slice(0, 300)) > HEARD_MAX && heard.shift())
  page.on('load', () => hear('It is loaded.'))
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => hear(payload.toString())))
  await page.goto(url)
  let last: Seen | null = null
  let left: PageState | null = null

  async function look(expected: ExpectedPage, { world, isOther }: { world: World; isOther: boolean }): Promise<Seen> {
    return vi.waitFor(
      async () => {
        const seen = await lookAtPage(page)
        expect(seen?.shown).toEqual(shownBy(expected, world))
        if (seen === null || (isOther && seen.loadedAt === last?.loadedAt)) throw new Error('It is not loaded again.')
        return seen
      },
      { timeout: SHOWN_MS, interval: 10 },
    )
  }

  /** Something that is lost when the page is loaded again, and something else each time. */
  async function leave({ state }: Seen): Promise<void> {
    left = state && { count: String(Number(state.count) + 1), typed: `${performance.now()}` }
    await leaveState(page, left?.typed ?? '')
  }

  async function becomes(expected: ExpectedPage, { world, fate }: { world: World; fate: Fate }): Promise<void> {
    const seen = await look(expected, { world, isOther: fate === 'lost' })
    if (fate === 'kept') {
      expect({ loadedAt: seen.loadedAt, state: seen.state }).toEqual({ loadedAt: last?.loadedAt, state: left })
    }
    last = seen
    if (fate !== 'either') await leave(seen) // it may still be reloaded by whatever asked for that
  }

  return {
    becomes,
    // An overlay may come again with a second write of the same; what was loaded again stays so.
    stays: () =>
      vi.waitFor(
        async () => {
          expect(await lookAtPage(page)).toEqual({ shown: last?.shown, loadedAt: last?.loadedAt, state: left })
        },
        { timeout: 60_000, interval: 10 },
      ),
    async reload(expected, world) {
      // It may be loading itself again at this moment.
      await vi.waitFor(() => page.reload(), { timeout: SHOWN_MS, interval: 10 })
      const again = loadedAgain(expected, world)
      await becomes(again, { world, fate: 'lost' })
      return again
    },
    heard: () => heard,
    measure: () => measurePage(inspector),
  }
}

async function measurePage(inspector: CDPSession): Promise<PageHoldings> {
  await inspector.send('Performance.enable')
  await inspector.send('HeapProfiler.collectGarbage')
  const { metrics } = await inspector.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heapBytes: valueOf('JSHeapUsedSize'),
    nodes: valueOf('Nodes'),
    listeners: valueOf('JSEventListeners'),
    documents: valueOf('Documents'),
  }
}
