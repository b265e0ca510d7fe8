import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { type Framework, frameworks } from './pages.ts'
import { type LocalPlatform, serveShop } from './shop-server.ts'
import type { Manager } from './toolbox.ts'

const run = promisify(execFile)

/** How long one command may take, in milliseconds. */
const PATIENCE_MS = 300_000

/** Where a cell of the table is tried: a folder of its own, a package manager, and what stands around them. */
export interface Place {
  /** Does not exist yet. */
  folder: string
  manager: Manager
  env: NodeJS.ProcessEnv
  browser: Browser
  /** The one shop's address at which the platform lets card forms appear. */
  shopUrl: string
  local: LocalPlatform
}

export type Task = 'create plugin' | 'tillwright start' | 'server client' | Framework

/** The rows of the table. */
export const tasks = ['create plugin', 'tillwright start', 'server client', ...frameworkNames()] as const

function frameworkNames(): Framework[] {
  return Object.keys(frameworks) as Framework[] // the keys of what it is typed by
}

/** Tries one cell. @throws {Error} With what failed, and what the command printed. */
export async function tryCell(task: Task, place: Place): Promise<void> {
  await mkdir(place.folder, { recursive: true })
  if (task === 'create plugin') return createPlugin(place)
  if (task === 'tillwright start') return (await startPlatform(place)).stop()
  return task === 'server client' ? callFromServer(place) : payInPage(task, place)
}

/** Makes a plugin, and builds it. */
async function createPlugin({ folder, manager, env }: Place): Promise<void> {
  await ended(manager.create('my-shop', ['--yes', '--no-install', '--package-manager', manager.name]), folder, env)
  const project = join(folder, 'my-shop')
  await ended(manager.install, project, env)
  await ended([...manager.script, 'build'], project, env)
}

/** `npx tillwright start` in an empty folder, until it answers. */
export async function startPlatform({
  folder,
  manager,
  env,
  shopUrl,
}: Pick<Place, 'folder' | 'manager' | 'env' | 'shopUrl'>): Promise<{
  local: LocalPlatform
  stop: () => Promise<void>
}> {
  const [program, ...words] = [...manager.once, 'tillwright', 'start', '--shop', shopUrl]
  const child = spawn(program, words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  for (let waitedMs = 0; !printed.includes('Tillwright is running.'); waitedMs += 100) {
    if (child.exitCode !== null || waitedMs > PATIENCE_MS) {
      signal(child, 'SIGKILL')
      throw new Error(`${manager.once.join(' ')} tillwright start: ${printed}`)
    }
    await delay(100)
  }
  const local: LocalPlatform = JSON.parse(await readFile(join(folder, '.tillwright/local.json'), 'utf8'))
  const { status } = await fetch(`${local.apiUrl}/readyz`)
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    signal(child, 'SIGINT') // to the whole group, as Ctrl-C
    await gone
  }
  if (status !== 200) throw new Error(`/readyz answers ${status}: ${printed}`)
  return { local, stop }
}

function signal({ pid, exitCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, name)
}

const calls = `const client = createClient({ apiKey: process.env.TILLWRIGHT_API_KEY, baseUrl: process.env.TILLWRIGHT_API_URL })
client.stores.get({ storeId: process.env.TILLWRIGHT_STORE_ID }).then(({ id }) => console.log(id))
`

/** The client of servers, imported by an ES module and required by a CommonJS one, asks the platform for its store. */
async function callFromServer({ folder, manager, env, local }: Place): Promise<void> {
  await writeProject(folder, {
    'package.json': JSON.stringify({ private: true, dependencies: { '@tillwright/client': 'latest' } }),
    'esm.mjs': `import { createClient } from '@tillwright/client'\n${calls}`,
    'commonjs.cjs': `const { createClient } = require('@tillwright/client')\n${calls}`,
  })
  await ended(manager.install, folder, env)
  for (const file of ['esm.mjs', 'commonjs.cjs']) {
    const said = await ended(['node', file], folder, { ...env, ...keysOf(local) })
    if (said.trim() !== local.storeId) throw new Error(`${file} printed ${said}`)
  }
}

/** Installs and builds a page, and pays in it with a test card. */
async function payInPage(
  framework: Framework,
  { folder, manager, env, browser, shopUrl, local }: Place,
): Promise<void> {
  const { publishableKey, vaultUrl } = local
  const files: Readonly<Record<string, string>> = frameworks[framework]({ publishableKey, vaultUrl })
  await writeProject(folder, files)
  if ('package.json' in files) {
    await ended(manager.install, folder, env)
    await ended([...manager.script, 'build'], folder, env)
  }
  const stop =
    framework === 'Next.js'
      ? await startNext(folder, shopUrl, { ...env, ...keysOf(local) })
      : await serveShop(join(folder, 'dist'), shopUrl, local)
  try {
    await payWithCard(browser, shopUrl)
  } finally {
    await stop()
  }
}

async function startNext(folder: string, url: string, env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const program = join(folder, 'node_modules/next/dist/bin/next')
  const child = spawn('node', [program, 'start', '-p', new URL(url).port], { cwd: folder, env, detached: true })
  for (let tried = 0; ; tried++) {
    const page = await fetch(url).then(
      (answer) => answer.text(),
      () => '',
    )
    if (page.includes('Pay</button>')) break // rendered on the server
    if (tried > 600) throw new Error(`next start shows no page: ${page.slice(0, 300)}`)
    await delay(100)
  }
  return async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    signal(child, 'SIGTERM')
    await gone
  }
}

async function payWithCard(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    const card = page.frameLocator('iframe').first()
    await card.getByLabel('Card number').fill('4242424242424242')
    await card.getByLabel('Expiry date').fill('1234')
    await card.getByLabel('Security code').fill('123')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.locator('output:not(:empty)').waitFor({ timeout: 60_000 })
    const said = await page.locator('output').innerText()
    if (said !== 'succeeded') throw new Error(`The page says ${said}`)
  } finally {
    await page.close()
  }
}

function keysOf({ apiKey, apiUrl, storeId }: LocalPlatform): Record<string, string> {
  return { TILLWRIGHT_API_KEY: apiKey, TILLWRIGHT_API_URL: apiUrl, TILLWRIGHT_STORE_ID: storeId }
}

async function writeProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function ended([program = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd, env, maxBuffer: 64_000_000, timeout: PATIENCE_MS }
  const { stdout } = await run(program, args, options).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${[program, ...args].join(' ')}: ${(error.stdout + error.stderr).slice(-1_500)}`)
  })
  return stdout
}
