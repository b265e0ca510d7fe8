import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../../.ci/free-port.ts'
import {
  type BrowserDocument,
  type BrowserPage,
  clicked,
  type Engine,
  heldKeys,
  type InputSource,
  type RunningBrowser,
  typedKeys,
} from './page.ts'
import { awaitReady, isInstalled, makeProfile, type Program, startProgram, withRetries } from './program.ts'

const [miniBrowser = ''] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')

/** WebKit for GTK in its own small browser, driven by WebDriver on a virtual display. */
export const webkit: Engine = {
  name: 'WebKit',
  missing:
    miniBrowser !== '' && isInstalled('WebKitWebDriver') && isInstalled('Xvfb')
      ? null
      : 'apt-get install webkit2gtk-driver xvfb',
  lacks: { default: 'its driver opens private windows alone' },
  launch: ({ dark = false, protection } = {}) => {
    const prevents = protection === 'strict' || protection === 'strictest' // Intelligent Tracking Prevention
    return withRetries(() => launch([...(dark ? ['--dark-mode'] : []), ...(prevents ? ['--enable-itp'] : [])]))
  },
}

/** So that its window may be as narrow as a telephone: the bar above the page keeps it at 447 pixels otherwise. */
const NARROW_BAR =
  '* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px; -gtk-icon-transform: scale(0) }'

/** Environment and processes of one page: a driver has one page, and ends with it. */
interface Stage {
  env: NodeJS.ProcessEnv
  args: readonly string[]
  programs: Set<Program>
}

async function launch(args: readonly string[]): Promise<RunningBrowser> {
  const profile = await makeProfile()
  const programs = new Set<Program>()
  const close = async () => {
    await Promise.all([...programs].map((program) => program.end()))
    await profile.remove()
  }
  try {
    await mkdir(join(profile.folder, '.config/gtk-3.0'), { recursive: true })
    await writeFile(join(profile.folder, '.config/gtk-3.0/gtk.css'), NARROW_BAR)
    const display = startProgram('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      env: process.env,
      more: ['pipe'],
    })
    programs.add(display)
    const DISPLAY = await awaitReady(display, () => nameOf(display))
    const env = { ...process.env, HOME: profile.folder, DISPLAY, GDK_BACKEND: 'x11' }
    return { open: () => withRetries(() => openPage({ env, args, programs })), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPage({ env, args, programs }: Stage): Promise<BrowserPage> {
  const port = await freePort()
  const driver = startProgram('WebKitWebDriver', [`--port=${port}`], { env })
  programs.add(driver)
  const end = async () => {
    await driver.end()
    programs.delete(driver)
  }
  try {
    const call = caller(`http://127.0.0.1:${port}`)
    await awaitReady(driver, (signal) => untilReady(call, signal))
    const wanted = { 'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation', ...args] } }
    const session = await call('POST', '/session', { capabilities: { alwaysMatch: wanted } })
    // WebDriver, "New Session".
    const { sessionId, capabilities } = session as { sessionId: string; capabilities: { browserVersion: string } }
    const inSession: Call = (method, path, body) => call(method, `/session/${sessionId}${path}`, body)
    return { ...pageOf(inSession), version: capabilities.browserVersion, close: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** The number of the display that it took, which it writes to the descriptor that it was given. */
async function nameOf({ child }: Program): Promise<string> {
  const numbers = child.stdio[3]
  if (!numbers) throw new Error('Xvfb was given no descriptor.')
  const [number] = await once(numbers, 'data')
  return `:${String(number).trim()}`
}

async function untilReady(call: Call, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isReady = await call('GET', '/status').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await delay(20)
  }
}

/** Asks the driver. @throws {Error} With its words, when it refuses. */
type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** Source: https://www.w3.org/TR/webdriver2/ */
function caller(url: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`WebKit refused ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}

function pageOf(call: Call): Omit<BrowserPage, 'version' | 'close'> {
  const perform = async (path: readonly string[], source: InputSource) => {
    await enter(call, path)
    await call('POST', '/actions', { actions: [source] })
  }
  return {
    ...documentOf(call, []),
    async goto(url) {
      await enter(call, [])
      await call('POST', '/url', { url })
    },
    async resize(widthPx, heightPx) {
      await enter(call, [])
      await call('POST', '/window/rect', { width: widthPx, height: heightPx })
      const inner = await execute(call, 'return innerHeight')
      await call('POST', '/window/rect', { width: widthPx, height: 2 * heightPx - Number(inner) })
    },
    type: (text) => perform([], typedKeys(text)),
    press: (...keys) => perform([], heldKeys(keys)),
    async screenshot() {
      await enter(call, [])
      return Buffer.from(String(await call('GET', '/screenshot')), 'base64')
    },
  }
}

/** @param path The selectors of the frames around the document, from the outermost. */
function documentOf(call: Call, path: readonly string[]): BrowserDocument {
  return {
    async evaluate(run, ...given) {
      const isInside = path.length > 0
      const keyboard = isInside && (await findKeyboard(call))
      await enter(call, path)
      const script = `return (async () => JSON.stringify((await (${String(run)})(...${JSON.stringify(given)})) ?? null))()`
      try {
        return JSON.parse(String(await execute(call, script)))
      } finally {
        if (isInside) await bringBack(call, keyboard)
      }
    },
    async click(selector) {
      await enter(call, path)
      const element = await find(call, selector)
      await execute(call, 'arguments[0].scrollIntoView({ block: "center" })', element)
      await call('POST', '/actions', { actions: [clicked(element)] })
    },
    frame: (selector) => documentOf(call, [...path, selector]),
  }
}

/**
 * The frame of the page that has the keyboard: the driver takes the keyboard along into every frame that it enters, as no
 * buyer would. Of frames in each other it is the outer one, since the way to the inner one is such a step already.
 *
 * @returns Its number, or `null` where the page itself has the keyboard.
 */
async function findKeyboard(call: Call): Promise<unknown> {
  await enter(call, [])
  const active = 'document.activeElement?.contentWindow'
  return execute(call, `return [...Array(frames.length).keys()].find((n) => frames[n] === ${active}) ?? null`)
}

async function bringBack(call: Call, frame: unknown): Promise<void> {
  await enter(call, [])
  if (frame === null) return void (await execute(call, 'window.focus()'))
  await call('POST', '/frame', { id: frame })
  await execute(call, 'return null')
}

function execute(call: Call, script: string, ...args: readonly object[]): Promise<unknown> {
  return call('POST', '/execute/sync', { script, args })
}

async function enter(call: Call, path: readonly string[]): Promise<void> {
  await call('POST', '/frame', { id: null })
  for (const selector of path) await call('POST', '/frame', { id: await find(call, selector) })
}

/** @returns A reference to the first element that matches (WebDriver, "Find Element"). */
async function find(call: Call, value: string): Promise<object> {
  return (await call('POST', '/element', { using: 'css selector', value })) as object
}
