import { loadavg } from 'node:os'
import { contract } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { execute } from '../../../packages/platform/bench/execute.ts'
import { filledCustomer, filledId, filledLast4, fillPayments } from '../../../packages/platform/test/fill-payments.ts'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

/** In a soak a million payments of 200,000 customers; their pages' times are printed, and nothing is asserted of them. */
const PAYMENTS = soaks ? 1_000_000 : 2_000
const TURNS = soaks ? 5 : 1
const START_MS = Date.UTC(2026, 0, 1)

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  beforeAll(() => seed(platform(), engine === 'postgres'), 1_200_000)

  test('with many payments, lists are filtered, searched, scrolled and exported, and a payment is opened from them', async () => {
    const { page, complaints } = await signedIn(platform(), 'owner', { viewport: { width: 1_280, height: 800 } })
    const times = new Map<string, number[]>()
    const note = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
    const list = `${platform().apiUrl}/console/payments`
    for (let turn = 0; turn < TURNS; turn += 1) {
      const n = (turn * 7_919 + 11) % (PAYMENTS / 5)
      await page.goto(list, { waitUntil: 'commit' })
      note('first open of the list', await shown(page, { rows: 20 }))
      await page.getByText('Filter', { exact: true }).click()
      await page.locator('.filter-form').waitFor()
      note('filter by status', await after(page, { choose: 'declined', until: { rows: 1, each: 'Declined' } }))
      await page.goto(list)
      await shown(page, { rows: 20 })
      const { email } = filledCustomer(n)
      note('search by e-mail address', await after(page, { paste: email, until: { rows: 5, each: email } }))
      note(
        'search by last four digits',
        await after(page, { paste: filledLast4(n + 1), until: { rows: 1, not: email } }),
      )
      note('open a payment', await after(page, { click: 'tbody a', until: { text: 'Payment requested' } }))
      await page.goto(list)
      await shown(page, { rows: 20 })
      const { longestFrameMs, drawn } = await scroll(page)
      note('scroll of ten pages, longest frame', longestFrameMs)
      // Of hundreds of rows that were read, those in sight are drawn, and some around them.
      expect(drawn).toBeLessThan(80)
      note('first byte of the CSV', await firstByte(page))
    }
    if (soaks) report(`${engine}, ${PAYMENTS.toLocaleString('en')} payments`, times)
    expect(complaints).toEqual([])
  }, 600_000)
})

/** One payment through the API, of which the others are copies. */
async function seed(platform: TestPlatform, isPostgres: boolean): Promise<void> {
  const { id } = await newInstrument(platform)
  const { accountId } = await pay(platform, id)
  // Past the platform, because a million rows take longer than it waits for a database.
  const place = { home: platform.folder, databaseUrl: platform.settings['DATABASE_URL'] }
  const run = (sql: string) => (isPostgres ? execute(place, [sql]) : platform.services.db.write([{ sql, params: [] }]))
  await fillPayments({ rows: PAYMENTS, accountId, isPostgres, startMs: START_MS, run })
  await run('ANALYZE')
  // The copies are those that lists show.
  const { data } = await platform.call(contract.payments.list, { query: { q: filledCustomer(3).email } })
  expect(data.map((payment) => payment.id)).toContain(`pay_${filledId(3)}`)
}

/** Content that a page shows once it has loaded. */
interface Until {
  rows?: number
  /** Every row has this text. */
  each?: string
  /** No row has it. */
  not?: string
  text?: string
}

/** Resolves to the milliseconds since the page was navigated to, in the frame in which it shows this. */
async function shown(page: Page, until: Until): Promise<number> {
  return page.evaluate(waitUntil, until).then(({ at }) => at)
}

/** Does one thing in the page, and resolves to the milliseconds until the frame in which it shows what comes of it. */
async function after(page: Page, does: Does & { until: Until }): Promise<number> {
  const { until, ...doing } = does
  const began = await page.evaluateHandle(act, doing)
  const { at } = await page.evaluate(waitUntil, until)
  return at - (await began.jsonValue())
}

interface Does {
  /** A value of the first filter with choices. */
  choose?: string
  /** Text for the search. */
  paste?: string
  /** The first element of a selector. */
  click?: string
}

/** Runs in the page. @returns When it began. */
function act({ choose, paste, click }: Does): number {
  const began = performance.now()
  if (click !== undefined) document.querySelector<HTMLElement>(click)?.click()
  const search = document.querySelector<HTMLInputElement>('input[type=search]')
  if (paste !== undefined && search !== null) {
    search.value = paste
    search.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))
  }
  const form = document.querySelector<HTMLFormElement>('.filter-form')
  const field = form?.querySelector('select')
  if (choose !== undefined && form !== null && field !== null && field !== undefined) {
    field.value = choose
    field.dispatchEvent(new Event('change', { bubbles: true }))
    requestAnimationFrame(() => form.requestSubmit())
  }
  return began
}

/** Runs in the page: looks once a frame. */
function waitUntil({ rows = 0, each, not, text }: Until): Promise<{ at: number }> {
  const isThere = () => {
    const drawn = [...document.querySelectorAll('tbody tr:not(.gap, .waiting)')]
    const words = drawn.map((row) => row.textContent ?? '')
    if (drawn.length < rows || document.querySelector('[aria-busy=true] .waiting') !== null) return false
    if (each !== undefined && !words.every((word) => word.includes(each))) return false
    if (not !== undefined && words.some((word) => word.includes(not))) return false
    return text === undefined || (document.querySelector('main')?.textContent ?? '').includes(text)
  }
  return new Promise((resolve) => {
    const look = () => (isThere() ? resolve({ at: performance.now() }) : requestAnimationFrame(look))
    requestAnimationFrame(look)
  })
}

/** Scrolls through ten windows of rows, one frame after the other. */
function scroll(page: Page): Promise<{ longestFrameMs: number; drawn: number }> {
  return page.evaluate(async () => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let [longestFrameMs, drawn, last] = [0, 0, await frame()]
    while (scrollY < innerHeight * 10) {
      scrollBy(0, 120)
      const now = await frame()
      longestFrameMs = Math.max(longestFrameMs, now - last)
      last = now
      drawn = Math.max(drawn, document.querySelectorAll('tbody tr:not(.gap, .waiting)').length)
    }
    return { longestFrameMs, drawn }
  })
}

/** Begins an export as the console asks for it, and leaves it at its first part. */
function firstByte(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const [began, leave] = [performance.now(), new AbortController()]
    const headers = { Accept: 'text/csv', 'Tillwright-Console': '1' }
    const response = await fetch('/api/payments/v1/payments', { headers, signal: leave.signal })
    const part = await response.body?.getReader().read()
    if (part?.value === undefined || part.value.length === 0) throw new Error('The export is empty.')
    const took = performance.now() - began
    leave.abort()
    return took
  })
}

/** Prints the median and the slowest of each. */
function report(where: string, times: ReadonlyMap<string, readonly number[]>): void {
  const load = (loadavg()[0] ?? 0).toFixed(1)
  console.log(`| ${where}, load ${load} | median | slowest |\n| --- | ---: | ---: |`)
  for (const [name, all] of times) {
    const sorted = all.toSorted((a, b) => a - b)
    const [median, slowest] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
    console.log(`| ${name} | ${median.toFixed(0)} ms | ${slowest.toFixed(0)} ms |`)
  }
}
