import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { startServer } from './start-server.ts'
import type { BenchServer } from './servers.ts'
import { quantile, timeEdit } from './time-edits.ts'
import { writeApp, type BenchApp } from './write-app.ts'

/** How often each thing is edited. */
const EDITS = Number(process.env['BENCH_EDITS'] ?? 500)
/** Starts, of which the first fills the caches. */
const STARTS = 4
/** The pause between edits, as in typing. */
const PAUSE_MS = 150

const START_MAX_MS = 500
/** At the median, and at the 95th percentile. */
const EDIT_MAX_SHARE = { p50: 1.05, p95: 1.1 } as const
const CONFIG_MAX_MS = 250

/** `pnpm bench dev`: start to first paint, edit to pixel compared to plain Vite, settings to pixel. */
const browser = await launchChromium()
const [ours, theirs] = await Promise.all([writeApp(), writeApp()])
try {
  const starts = await timeStarts(browser)
  const [dev, vite] = [await startServer('ours', ours.root), await startServer('vite', theirs.root)]
  const [devPage, vitePage] = [await openPage(browser, dev), await openPage(browser, vite)]
  const edits = await timeBoth({ page: devPage, app: ours }, { page: vitePage, app: theirs })
  const settings = await timeSettings(devPage, ours)
  await Promise.all([dev.stop(), vite.stop()])
  report({ starts, edits, settings })
} finally {
  await browser.close()
  await Promise.all([ours, theirs].map(({ root }) => rm(dirname(root), { recursive: true, force: true })))
}

async function openPage(within: Browser, { url }: BenchServer): Promise<Page> {
  const page = await within.newPage()
  await page.goto(url)
  await page.locator('#word').waitFor()
  return page
}

interface Starts {
  dev: number[]
  vite: number[]
}

/** From the start of a server until the page has painted; plain Vite's beside ours, which starts a platform as well. */
async function timeStarts(within: Browser): Promise<Starts> {
  const times: Starts = { dev: [], vite: [] }
  for (let round = 0; round < STARTS; round += 1) {
    const [dev, vite] = [await timeStart('ours', ours, within), await timeStart('vite', theirs, within)]
    if (round === 0) continue
    times.dev.push(dev)
    times.vite.push(vite)
  }
  return times
}

async function timeStart(name: 'ours' | 'vite', { root }: BenchApp, within: Browser): Promise<number> {
  const startedMs = performance.timeOrigin + performance.now()
  const server = await startServer(name, root)
  const page = await openPage(within, server)
  const paintedMs = await page.evaluate(
    () => performance.timeOrigin + (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
  )
  await page.close()
  await server.stop()
  return paintedMs - startedMs
}

interface Shown {
  page: Page
  app: BenchApp
}

/** They take turns, so that a slow moment of the machine meets both. */
async function timeBoth(dev: Shown, vite: Shown): Promise<{ dev: number[]; vite: number[] }> {
  const times = { dev: [] as number[], vite: [] as number[] }
  for (let edit = 0; edit < EDITS; edit += 1) {
    for (const name of edit % 2 === 0 ? (['dev', 'vite'] as const) : (['vite', 'dev'] as const)) {
      const { page, app } = name === 'dev' ? dev : vite
      await page.bringToFront() // a page behind another one is painted when the browser likes
      await delay(PAUSE_MS)
      times[name].push(await timeEdit({ page, selector: '#word', write: app.say }, `${name} ${edit}`))
    }
  }
  return times
}

async function timeSettings(page: Page, app: BenchApp): Promise<number[]> {
  const times: number[] = []
  await page.bringToFront()
  for (let edit = 0; edit < EDITS; edit += 1) {
    await delay(PAUSE_MS)
    times.push(await timeEdit({ page, selector: 'h1', write: app.set }, `Headline ${edit}`))
  }
  return times
}

interface Figures {
  starts: Starts
  edits: { dev: number[]; vite: number[] }
  settings: number[]
}

function report({ starts, edits, settings }: Figures): void {
  const shares = [0.5, 0.95].map((share) => quantile(edits.dev, share) / quantile(edits.vite, share))
  const [p50 = Number.NaN, p95 = Number.NaN] = shares
  const slowest = Math.max(...starts.dev)
  console.log(
    line(
      slowest <= START_MAX_MS,
      `start to first paint, warm: ${slowest.toFixed(0)} ms at most (bound ${START_MAX_MS}); plain Vite, which starts no platform: ${Math.max(...starts.vite).toFixed(0)} ms`,
    ),
  )
  console.log(
    line(
      p50 <= EDIT_MAX_SHARE.p50,
      `edit to pixel, p50: ${p50.toFixed(2)} times plain Vite's (bound ${EDIT_MAX_SHARE.p50})`,
    ),
  )
  console.log(
    line(
      p95 <= EDIT_MAX_SHARE.p95,
      `edit to pixel, p95: ${p95.toFixed(2)} times plain Vite's (bound ${EDIT_MAX_SHARE.p95})`,
    ),
  )
  const slow = quantile(settings, 0.95)
  console.log(line(slow <= CONFIG_MAX_MS, `settings to pixel, p95: ${slow.toFixed(0)} ms (bound ${CONFIG_MAX_MS})`))
  console.log(`\n| ${EDITS} edits each | p50 | p95 |\n| --- | --- | --- |`)
  for (const [name, times] of [
    ['tillwright dev, edit to pixel', edits.dev],
    ['plain Vite, edit to pixel', edits.vite],
    ['tillwright dev, settings to pixel', settings],
  ] as const) {
    console.log(`| ${name} | ${quantile(times, 0.5).toFixed(0)} ms | ${quantile(times, 0.95).toFixed(0)} ms |`)
  }
}

function line(holds: boolean, sentence: string): string {
  return `${holds ? 'ok  ' : 'MISS'} ${sentence}`
}
