import { cp, readdir, readFile, realpath, symlink, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../.ci/chromium.ts'
import { soaks } from '../../../.ci/soaks.ts'
import { withReact } from '../../create-plugin/src/files.ts'
import { fraction, seededRandomness } from '../../platform/src/runtime/randomness.ts'
import { startDev } from '../src/dev/index.ts'
import { stagePlatform, type StagePlatform } from '../test/dev-stage.ts'

/** For each plugin: all four in a soak, otherwise each template and each framework once. */
const EDITS = Number(process.env['EDITS'] ?? (soaks ? 50 : 5))
const SEED = process.env['SEED'] ?? (soaks ? `${Math.trunc(performance.timeOrigin)}` : 'an afternoon')
const repository = join(import.meta.dirname, '../../..')

let browser: Browser
let platform: StagePlatform
beforeAll(async () => {
  ;[browser, platform] = await Promise.all([launchChromium(), stagePlatform()])
})
afterAll(async () => {
  await Promise.all([browser.close(), platform.remove()])
})

const plugins = [
  ['checkout', 'preact', '/'],
  ['funnel', 'react', '/checkout'],
  ['checkout', 'react', '/'],
  ['funnel', 'preact', '/checkout'],
] as const

test.each(soaks ? plugins : plugins.slice(0, 2))(
  `none of ${EDITS} edits of any file of the template %s with %s loses a typed card, with SEED='${SEED}'`,
  { timeout: 1_200_000 },
  async (template, framework, path) => {
    const randomness = seededRandomness(`${SEED} ${template} ${framework}`)
    const choose = <Item>(items: readonly Item[]) => chosen(items, fraction(randomness))
    const root = await templateFolder(template, framework)
    const dev = await startDev({ folder: root, findPlatform: platform.find, port: 0 })
    onTestFinished(dev.stop)
    const page = await openPage()
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.goto(dev.url + path)
    await typeCard(page)
    const files = await filesOf(root)
    const trail: string[] = []
    for (let count = 1; count <= EDITS; count += 1) {
      const file = choose(files)
      const edit = choose(editsOf(file))
      trail.push(`${file}: ${edit.name}`)
      const isLive = edit.isRun && (await loadedFiles(page)).some((loaded) => loaded.endsWith(`/${file}`))
      await writeFile(join(root, file), edit.apply(await readFile(join(root, file), 'utf8'), count))
      await dev.settled()
      const story = trail.slice(-5).join(', then ')
      if (isLive) await expect.poll(() => hasRun(page, count), { message: story, timeout: 20_000 }).toBe(true)
      await expect.poll(() => typedCard(page), { message: story, timeout: 20_000 }).toEqual(whole)
    }
    expect(loads).toBe(1)
  },
)

/** Copies a template into a folder, with its packages. */
async function templateFolder(template: string, framework: 'preact' | 'react'): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'typed-card-')))
  onTestFinished(() => rm(top, { recursive: true, force: true, maxRetries: 3 }))
  const [root, source] = [join(top, 'plugin'), join(repository, 'templates', template)]
  await cp(source, root, {
    recursive: true,
    filter: (path) => !/node_modules|\.tillwright|\/dist/.test(path.slice(source.length)),
  })
  const packages = framework === 'react' ? join(repository, 'packages/plugin-dev') : source
  await symlink(join(packages, 'node_modules'), join(top, 'node_modules'))
  if (framework === 'preact') return root
  for (const path of await filesOf(root)) {
    const text = withReact(path, await readFile(join(root, path), 'utf8'))
    await writeFile(join(root, path), path === 'package.json' ? text.replace('"preact": ', '"react": ') : text)
  }
  await cp(join(repository, 'packages/create-plugin/react/mount.ts'), join(root, 'src/mount.ts'))
  return root
}

async function filesOf(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
  return paths.filter((path) => !path.startsWith('.tillwright/')).toSorted()
}

interface FileEdit {
  name: string
  /** Whether the page runs the module again because of it. */
  isRun: boolean
  apply: (text: string, count: number) => string
}

/** The possible edits of a file: of everything except the hook that mounts the card form. */
function editsOf(path: string): readonly FileEdit[] {
  if (/\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    return path.endsWith('x') ? [...moduleEdits, ...componentEdits] : moduleEdits
  if (path.endsWith('.css'))
    return [{ name: 'a rule', isRun: false, apply: (text, n) => `${text}\nh1 { order: ${n} }\n` }]
  if (!path.endsWith('.json')) return [{ name: 'a line', isRun: false, apply: (text, n) => `${text}\n# ${n}\n` }]
  const inOrder: FileEdit = { name: 'a blank line', isRun: false, apply: (text) => `${text}\n` }
  const edit = settingsEdits.find(({ file }) => file.test(path))
  return edit === undefined ? [inOrder] : [inOrder, { name: 'a value', isRun: false, apply: edit.apply }]
}

/** Says that the module has run. Those that import it run after it, and say when they were edited themselves. */
const mark = (count: number) => `\nReflect.set(globalThis, 'ran${count}', true)\n`

const moduleEdits: readonly FileEdit[] = [
  { name: 'a statement', isRun: true, apply: (text, count) => text + mark(count) },
  {
    name: 'an export',
    isRun: true,
    apply: (text, count) => `${text}\nexport const added${count} = ${count}${mark(count)}`,
  },
  { name: 'a first line', isRun: true, apply: (text, count) => `// ${count}\n${text}${mark(count)}` },
]

const componentEdits: readonly FileEdit[] = [
  {
    name: 'another heading',
    isRun: true,
    apply: (text, count) => text.replace(/(<(?:h1|legend|label|p)[^>]*>)/, `$1${count} `) + mark(count),
  },
  {
    name: 'another state of a component',
    isRun: true,
    apply: (text, count) =>
      /useState\(/.test(text)
        ? text.replace(/\n( +)const \[/, `\n$1useState(${count})\n$1const [`) + mark(count)
        : text + mark(count),
  },
]

const settingsEdits: readonly { file: RegExp; apply: FileEdit['apply'] }[] = [
  {
    file: /^package\.json$/,
    apply: (text, n) => text.replace('"scripts": {', `"scripts": {\n    "more${n}": "true",`),
  },
  {
    file: /^tsconfig\.json$/,
    apply: (text) => text.replace('"strict": true,', '"strict": true, "noUnusedLocals": true,'),
  },
  { file: /^plugin\.manifest\.json$/, apply: (text, n) => text.replace(/"version": "[^"]*"/, `"version": "0.1.${n}"`) },
  {
    file: /presets\//,
    apply: (text, n) => text.replace(/"accent": "#....../, `"accent": "#2222${String(n % 100).padStart(2, '0')}`),
  },
  { file: /^scenarios\.json$/, apply: (text, n) => text.replace(/"name": "/, `"name": "${n} `) },
]

async function openPage(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

const fields = { 'cc-number': '4242 4242 4242 4242', 'cc-exp': '12 / 39', 'cc-csc': '123' }
const whole = { frames: 1, isInPage: true, fields: Object.values(fields) }
const cardField = (page: Page, name: string) =>
  page.frameLocator('iframe[src*="/v1/card"]').locator(`[autocomplete=${name}]`)

async function typeCard(page: Page): Promise<void> {
  for (const [name, text] of Object.entries(fields))
    await cardField(page, name).pressSequentially(text.replaceAll(/[ /]/g, ''))
  await expect.poll(() => typedCard(page)).toEqual(whole)
}

async function typedCard(page: Page): Promise<unknown> {
  const frames = await page.locator('iframe[src*="/v1/card"]').count()
  const isInPage = (await page.locator('#app iframe').count()) === 1
  if (frames !== 1) return { frames, isInPage }
  const texts = Object.keys(fields).map((name) => cardField(page, name).inputValue())
  return { frames, isInPage, fields: await Promise.all(texts) }
}

function hasRun(page: Page, count: number): Promise<boolean> {
  return page.evaluate((name) => Reflect.has(globalThis, name), `ran${count}`)
}

/** The modules that the page has loaded; others, such as those of another step, do not run. */
function loadedFiles(page: Page): Promise<string[]> {
  return page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))
}

function chosen<Item>(items: readonly Item[], at: number): Item {
  const item = items[Math.floor(at * items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
