import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { systemBrowsers } from '../packages/plugin-dev/src/runs/system-browsers.ts'

const NO_SERVICES = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A bound for what never comes: Playwright's own 30 seconds can pass where other programs take the machine. */
const PATIENCE_MS = 60_000

/**
 * Starts a Chromium for a test or a screenshot, with an empty profile of its own. The caller closes it.
 *
 * @param more Options of the command line beyond the usual.
 * @param path The executable, if not that of {@link chromiumPath}.
 */
export async function launchChromium(more: readonly string[] = [], path?: string): Promise<Browser> {
  return launch({ args: [...NO_SERVICES, ...more], executablePath: path ?? (await chromiumPath()) })
}

/** Starts a Chromium whose scrollbars take room next to the page, as they do with a mouse on Windows and Linux. */
export async function launchWithScrollbars(): Promise<Browser> {
  const args = [...NO_SERVICES, '--disable-features=OverlayScrollbar']
  return launch({ args, executablePath: await chromiumPath(), ignoreDefaultArgs: ['--hide-scrollbars'] })
}

async function launch(settings: LaunchOptions): Promise<Browser> {
  // Chromium refuses to run as root with its sandbox; everybody else keeps it.
  const browser = await chromium.launch({ ...settings, chromiumSandbox: process.getuid?.() !== 0 })
  launched.add(browser)
  browser.on('disconnected', () => launched.delete(browser))
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return browser
}

const launched = new Set<Browser>()

/** The browsers that this process has launched and not closed. */
export function openBrowsers(): readonly Browser[] {
  return [...launched]
}

let shared: Promise<Browser> | undefined

/**
 * The one Chromium of all test files that this process runs one after the other. What must be apart stands in contexts,
 * whose cookies, storage and permissions are their own; a file closes its contexts and leaves the browser, which ends with
 * the process.
 */
export async function sharedChromium(): Promise<Browser> {
  const browser = await (shared ??= launchChromium())
  if (browser.isConnected()) return browser
  shared = launchChromium() // a crash is a fault of one file, not of those behind it
  return shared
}

/** Ends what a test file has opened in the browser that it shares. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/**
 * Finds a Chromium, or installs Debian's where that can be done without asking. The order: `CHROME_PATH`, Playwright's
 * own, the system's headless shell, Chrome, Chromium or Edge, `@sparticuz/chromium` if someone has added it, `apt-get` as root.
 *
 * @returns The executable's path.
 * @throws {Error} One line that says what to type, when there is none.
 */
export async function chromiumPath(): Promise<string> {
  const named = process.env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH names ${named}, which does not exist: correct it or unset it.`)
  }
  const path = [chromium.executablePath(), ...systemBrowsers()].find((candidate) => existsSync(candidate))
  const found = path ?? (await npmChromium()) ?? installDebianChromium()
  if (found !== undefined) return found
  throw new Error(`No Chromium, Chrome or Edge found: ${advice()}, or set CHROME_PATH to one.`)
}

/** A browser with all that Chrome adds to pages, such as the filling in of forms; `undefined` if only a headless shell is there. */
export function wholeChromium(): string | undefined {
  const named = process.env['CHROME_PATH'] ?? ''
  const places = named === '' ? [chromium.executablePath(), ...systemBrowsers()] : [named]
  return places.find((path) => existsSync(path) && !basename(path).includes('headless-shell'))
}

async function npmChromium(): Promise<string | undefined> {
  const name = '@sparticuz/chromium'
  try {
    import.meta.resolve(name)
  } catch {
    return undefined // not installed, which is the usual case
  }
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x' // makes it bring its own shared libraries
  // The package is none of our dependencies; this much of its interface is in its README.
  const bundled = (await import(name)) as { default: { executablePath(): Promise<string> } }
  return bundled.default.executablePath()
}

function installDebianChromium(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('No browser found: installing Chromium with apt-get (about half a minute, once)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation']
  const attempts = [install, ['update', '-qq'], install] // the package list of a fresh image is empty or old
  for (const args of attempts) {
    const { status } = spawnSync('apt-get', ['-y', '-o', 'DPkg::Lock::Timeout=300', ...args], { env, stdio: 'ignore' })
    if (status === 0 && existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  }
  return undefined
}

function advice(): string {
  if (process.platform === 'darwin') return 'type `brew install --cask google-chrome`'
  if (process.platform === 'win32') return 'type `winget install Google.Chrome`'
  return 'type `sudo apt-get install chromium`'
}
