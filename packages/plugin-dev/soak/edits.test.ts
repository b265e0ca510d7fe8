import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../.ci/chromium.ts'
import { soaks } from '../../../.ci/soaks.ts'
import { fraction, seededRandomness } from '../../platform/src/runtime/randomness.ts'
import { type Choose, chooseEdit, type Edit } from './choose-edit.ts'
import { type DevProcess, type Holdings, startDevProcess } from './dev-process.ts'
import { afterEdit, type ExpectedPage, freshPage } from './expected-page.ts'
import { knownEdits } from './known-edits.ts'
import { planEdit } from './plan-edit.ts'
import { pluginFolder, type PluginFolder } from './plugin-folder.ts'
import { openWatchedPage, type PageHoldings, type WatchedPage } from './watched-page.ts'
import type { World } from './world.ts'

/** Random ones, after those that are known to be hard. */
const EDITS = Number(process.env['EDITS'] ?? (soaks ? 500 : 6))
/** Edits of one page that is never loaded again, in a soak. */
const STEADY_EDITS = soaks ? 100 : 0
/** A soak prints its seed, which repeats it. */
const SEED = process.env['SEED'] ?? (soaks ? `${Math.trunc(performance.timeOrigin)}` : 'a day of work')
const MEBIBYTE = 1024 ** 2
/** Between two writes of the same file. */
const GAPS_MS = [0, 3, 8, 20, 60]

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

test(
  `after each of ${EDITS} random edits the page is what it should be, with SEED='${SEED}'`,
  { timeout: 1_800_000 },
  async () => {
    const desk = await openDesk(await pluginFolder())
    for (const edit of knownEdits) await desk.make(edit)
    const held: Holdings[] = []
    for (let done = 0; done < EDITS; done += 1) {
      await desk.makeAny()
      if (done % 100 === 99) held.push(await desk.dev.measure())
    }
    await desk.fix()
    const pages = [await desk.page.measure()]
    for (let done = 0; done < STEADY_EDITS; done += 1) await desk.makeSteady()
    pages.push(await desk.page.measure())
    expectFlat(held, pages)
    expect(changedFiles(desk.dev).filter((path) => /^(?:dist|\.tillwright|\.git)\//.test(path))).toEqual([])
    expect(desk.dev.events.filter(({ type }) => type === 'session')).toHaveLength(1)
    await desk.expectFreshPage()
  },
)

/** A page of a dev server, and the folder that it is made from. */
interface Desk {
  dev: DevProcess
  page: WatchedPage
  make: (edit: Edit) => Promise<void>
  makeAny: () => Promise<void>
  /** One that leaves the page where it is. */
  makeSteady: () => Promise<void>
  /** Takes out all mistakes. */
  fix: () => Promise<void>
  /** Another dev server shows the same in the same folder. */
  expectFreshPage: () => Promise<void>
}

async function openDesk(folder: PluginFolder): Promise<Desk> {
  const randomness = seededRandomness(SEED)
  const choose: Choose = (items) => chosen(items, fraction(randomness))
  const dev = await startDevProcess(folder.root)
  onTestFinished(dev.stop)
  const page = await openWatchedPage(browser, dev.url)
  let expected = freshPage(folder.world())
  await page.becomes(expected, { world: folder.world(), fate: 'lost' })
  const trail: string[] = []
  let version = 100 // above those of the known edits

  async function make(edit: Edit): Promise<void> {
    await page.stays()
    const plan = planEdit(expected, folder.world(), edit)
    trail.push(`${plan.name}, ${plan.how}, ${plan.fate}`)
    const after = dev.events.length
    const paths = await folder.edit(plan, choose(GAPS_MS))
    await dev.applied(paths, after)
    const world = folder.world()
    expected = afterEdit(expected, plan)
    await page.becomes(expected, { world, fate: plan.fate })
    if (plan.fate === 'either') expected = await page.reload(expected, world)
  }
  async function makeOne(isSteady: boolean): Promise<void> {
    version += 1
    if (version % 10 === 0) await folder.build(version)
    await make(chooseEdit(folder.world(), { version, choose, other: folder.other(), isSteady }))
  }
  const withTrail = (work: Promise<void>) => withStory(work, trail, page)
  return {
    dev,
    page,
    make: (edit) => withTrail(make(edit)),
    makeAny: () => withTrail(makeOne(false)),
    makeSteady: () => withTrail(makeOne(true)),
    fix: () => withTrail(fixAll(make, folder)),
    expectFreshPage: () => expectFreshPage(folder, expected, dev),
  }
}

function chosen<Item>(items: readonly Item[], share: number): Item {
  const item = items[Math.floor(share * items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}

/** Says which edits led to what went wrong, and what the page was told. */
async function withStory(work: Promise<void>, trail: readonly string[], page: WatchedPage): Promise<void> {
  await work.catch((error: unknown) => {
    const story = [...trail.slice(-8), ...page.heard()].join('\n')
    throw new Error(`With SEED='${SEED}', after edit ${trail.length}:\n${story}`, { cause: error })
  })
}

async function fixAll(make: Desk['make'], { world }: PluginFolder): Promise<void> {
  const withoutModuleFault = (): World => ({ ...world(), moduleFault: null })
  await make({ name: 'fix the modules', after: withoutModuleFault(), how: 'at once' })
  await make({ name: 'fix the plugin', after: { ...withoutModuleFault(), pluginFault: null }, how: 'at once' })
}

function changedFiles({ events }: DevProcess): string[] {
  return events.flatMap((event) => (event.type === 'changed' ? event.files : []))
}

async function expectFreshPage(
  { root, world }: PluginFolder,
  expected: ExpectedPage,
  before: DevProcess,
): Promise<void> {
  await before.stop()
  const dev = await startDevProcess(root)
  onTestFinished(dev.stop)
  const page = await openWatchedPage(
    browser,
    dev.url + (expected.served.path === 0 ? '' : `/begin-${expected.served.path}`),
  )
  await page.becomes(freshPage(world()), { world: world(), fate: 'lost' })
}

/** Nothing grows with the number of edits, but for what the bounds leave to chance. */
function expectFlat(held: readonly Holdings[], pages: readonly PageHoldings[]): void {
  if (!soaks || held.length < 2) return // it is measured every hundred edits
  console.log(JSON.stringify({ held, pages }))
  expect(growthOf(held, ({ heapBytes }) => heapBytes)).toBeLessThan(8 * MEBIBYTE)
  expect(growthOf(held, ({ open }) => open?.files ?? 0)).toBeLessThan(20)
  expect(growthOf(held, ({ open }) => open?.watches ?? 0)).toBeLessThan(5)
  // Browsers keep every version of a module that a page has ever loaded.
  expect(growthOf(pages, ({ heapBytes }) => heapBytes)).toBeLessThan(2 * MEBIBYTE)
  expect(growthOf(pages, ({ nodes }) => nodes)).toBeLessThan(50)
  expect(growthOf(pages, ({ listeners }) => listeners)).toBeLessThan(5)
  expect(pages.map(({ documents }) => documents)).toEqual([1, 1])
}

/** From the first time that it was measured, which is after a hundred edits, to the last one. */
function growthOf<Held>(held: readonly Held[], valueOf: (held: Held) => number): number {
  const values = held.map(valueOf)
  return (values.at(-1) ?? Number.NaN) - (values[0] ?? Number.NaN)
}
