import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../.ci/free-port.ts'
import { INSTALLED_MAX_BYTES, installedBytes, staleSizes } from '../../.ci/sizes.ts'
import { quickstartFiles, type QuickstartName, quickstarts } from '../../.ci/snippets/quickstarts.ts'
import { snippetsRunBy } from '../../.ci/snippets/read-snippets.ts'
import type { Browser } from 'playwright-core'
import { payInQuickstart } from './pay.ts'
import { serveStrictly } from './strict-proxy.ts'
import type { Manager } from './toolbox.ts'

const run = promisify(execFile)

/** A bound for what never comes, not for what comes late: other programs may have the machine for minutes. In milliseconds. */
const PATIENCE_MS = 900_000

/** The part of `.tillwright/local.json` that a page and its server use. */
export interface LocalPlatform {
  apiUrl: string
  vaultUrl: string
  apiKey: string
  publishableKey: string
  storeId: string
  webhookSecret: string
}

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

export type Task = 'create plugin' | 'tillwright start' | 'server client' | QuickstartName

/** The rows of the table. */
export const tasks = ['create plugin', 'tillwright start', 'server client', ...quickstartNames()] as const

function quickstartNames(): QuickstartName[] {
  return Object.keys(quickstarts) as QuickstartName[] // the keys of what it is typed by
}

/** Tries one cell. @throws {Error} With what failed, and what the command printed. */
export async function tryCell(task: Task, place: Place): Promise<void> {
  await mkdir(place.folder, { recursive: true })
  if (task === 'create plugin') return createPlugin(place)
  if (task === 'tillwright start') return startFromNothing(place)
  return task === 'server client' ? callFromServer(place) : payInPage(task, place)
}

/** Makes a plugin, and builds it. */
async function createPlugin({ folder, manager, env }: Place): Promise<void> {
  await ended(manager.create('my-shop', ['--yes', '--no-install', '--package-manager', manager.name]), folder, env)
  const project = join(folder, 'my-shop')
  await ended(manager.install, project, env)
  await ended([...manager.script, 'build'], project, env)
}

/** npm's copy of the command must weigh what the documentation says. */
async function startFromNothing(place: Place): Promise<void> {
  await (await startPlatform(place)).stop()
  if (place.manager.name !== 'npm') return
  const bytes = await installedBytes(place.env['npm_config_cache'] ?? '')
  if (bytes > INSTALLED_MAX_BYTES) throw new Error(`${bytes} bytes are installed, more than ${INSTALLED_MAX_BYTES}.`)
  if (staleSizes(new Map([['`npx tillwright start`', bytes]])).length > 0)
    throw new Error(`${bytes} bytes are installed: correct the page of sizes by hand.`)
}

/** A platform with what it has started. */
interface Running {
  local: LocalPlatform
  isOver: () => boolean
  stop: () => Promise<void>
}

/** `npx tillwright start` in an empty folder, until it answers. */
export function startPlatform({
  folder,
  manager,
  env,
  shopUrl,
}: Pick<Place, 'folder' | 'manager' | 'env' | 'shopUrl'>): Promise<Running> {
  return startBy([...manager.once, 'tillwright', 'start', '--shop', shopUrl], { folder, env })
}

async function startBy(command: readonly string[], { folder, env }: Pick<Place, 'folder' | 'env'>): Promise<Running> {
  const [program = '', ...words] = command
  const child = spawn(program, words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  for (let waitedMs = 0; !printed.includes('Tillwright is running.'); waitedMs += 100) {
    if (child.exitCode !== null || waitedMs > PATIENCE_MS) {
      signal(child, 'SIGKILL')
      throw new Error(`${command.join(' ')}: ${printed}`)
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
  return { local, isOver: () => child.exitCode !== null, stop }
}

function signal({ pid, exitCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, name)
}

/** The client of servers, imported by an ES module and required by a CommonJS one, asks the platform for its store. */
async function callFromServer({ folder, manager, env, local }: Place): Promise<void> {
  await writeProject(folder, quickstartFiles('plain page'))
  await ended(manager.install, folder, env)
  for (const file of ['check.mjs', 'check.cjs']) {
    const said = await ended(['node', file], folder, { ...env, ...shopEnvironment(local) })
    if (!said.startsWith('The key opens the store ')) throw new Error(`${file} printed ${said}`)
  }
}

/** Installs and builds the project of a page of the documentation, starts it as the page says, and pays in it. */
async function payInPage(name: QuickstartName, place: Place): Promise<void> {
  const { folder, manager, env, browser, shopUrl, local } = place
  const files = quickstartFiles(name)
  await writeProject(folder, files)
  await ended(manager.install, folder, env)
  // Vite writes them into the page. Secret keys are where it is served, as on servers of one's own.
  const { TILLWRIGHT_PUBLISHABLE_KEY, TILLWRIGHT_VAULT_URL } = shopEnvironment(local)
  const publicEnv = name === 'Next.js' ? env : { ...env, TILLWRIGHT_PUBLISHABLE_KEY, TILLWRIGHT_VAULT_URL }
  if (files['package.json']?.includes('"build"') === true) await ended([...manager.script, 'build'], folder, publicEnv)
  // Next.js has scripts of its own in its pages, and renders them on the server.
  const isNext = name === 'Next.js'
  const url = isNext ? shopUrl : `http://localhost:${await freePort()}`
  const project = startProject(name, url, { folder, env: { ...env, ...shopEnvironment(local) } })
  try {
    await answers(url, isNext ? 'Pay $40.98</button>' : '</html>', project.isOver)
    const stopProxy = isNext ? async () => {} : await serveStrictly(shopUrl, url, local.vaultUrl)
    await payInQuickstart(browser, shopUrl)
      .then(() => project.hears('Ship order order_'))
      .finally(stopProxy)
  } finally {
    await project.stop()
  }
  if (manager.name === 'npm') await runAsPageSays(name, place)
}

/** The command of the page starts a platform and the project at the address that the text names, which has to be free. */
async function runAsPageSays(name: QuickstartName, { folder, env, browser }: Place): Promise<void> {
  const { page: ofProject } = quickstarts[name]
  const snippet = snippetsRunBy('rehearsal').find(({ page, language }) => page === ofProject && language === 'sh')
  if (snippet === undefined) return // of the plain page, which needs nothing from the registry
  const [npx = '', ...words] = snippet.code.trim().split(' ')
  const { isOver, stop } = await startBy([npx, '--yes', ...words], { folder, env })
  try {
    const url = words[words.indexOf('--shop') + 1] ?? ''
    await answers(url, '</html>', isOver)
    await payInQuickstart(browser, url)
  } finally {
    await stop()
  }
}

/** A project that serves its page. */
interface Project {
  isOver: () => boolean
  /** Resolves when the project has printed this. */
  hears: (wanted: string) => Promise<void>
  stop: () => Promise<void>
}

function startProject(name: QuickstartName, url: string, { folder, env }: Pick<Place, 'folder' | 'env'>): Project {
  const { port } = new URL(url)
  const child = spawn('node', serverOf(name, port), {
    cwd: folder,
    env: { ...env, PORT: port },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const isOver = () => child.exitCode !== null
  const hears: Project['hears'] = async (wanted) => {
    for (let waitedMs = 0; !printed.includes(wanted); waitedMs += 100) {
      if (waitedMs > PATIENCE_MS || isOver()) throw new Error(`"${wanted}" is not among what was printed: ${printed}`)
      await delay(100)
    }
  }
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (isOver()) return
    signal(child, 'SIGTERM')
    await gone
  }
  return { isOver, hears, stop }
}

/** Arguments of `node` that serve the project. */
function serverOf(name: QuickstartName, port: string): string[] {
  if (name === 'plain page' || name === 'Angular') return ['server.ts']
  if (name === 'Next.js') return ['node_modules/next/dist/bin/next', 'start', '-p', port]
  return ['node_modules/vite/bin/vite.js', 'preview', '--port', port, '--strictPort']
}

async function answers(url: string, wanted: string, isOver = () => false): Promise<void> {
  for (let tried = 0; ; tried++) {
    const page = await fetch(url).then((answer) => answer.text(), String)
    if (page.includes(wanted)) return
    if (tried * 100 > PATIENCE_MS || isOver()) throw new Error(`${url} shows no page: ${page.slice(0, 300)}`)
    await delay(100)
  }
}

/** As `tillwright start` passes it to a shop. */
function shopEnvironment(local: LocalPlatform): Record<string, string> {
  return {
    TILLWRIGHT_API_URL: local.apiUrl,
    TILLWRIGHT_VAULT_URL: local.vaultUrl,
    TILLWRIGHT_API_KEY: local.apiKey,
    TILLWRIGHT_PUBLISHABLE_KEY: local.publishableKey,
    TILLWRIGHT_STORE_ID: local.storeId,
    TILLWRIGHT_WEBHOOK_SECRET: local.webhookSecret,
  }
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
