import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBidi, type Bidi } from './bidi.ts'
import {
  type BrowserDocument,
  type BrowserPage,
  clicked,
  type Engine,
  heldKeys,
  type Protection,
  typedKeys,
} from './page.ts'
import { awaitReady, isInstalled, makeProfile, startProgram, withRetries } from './program.ts'

/** Firefox, driven by WebDriver BiDi, which it supports natively. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: isInstalled('firefox-esr') ? null : 'apt-get install firefox-esr',
  lacks: {},
  launch: (options = {}) =>
    withRetries(() =>
      launch({ ...quiet, ...(options.dark && dark), ...(options.protection && protections[options.protection]) }),
    ),
}

type Preferences = Readonly<Record<string, string | number | boolean>>

/** It makes no background requests and sends no telemetry. */
const quiet: Preferences = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
  'services.settings.server': 'data:,#none',
}
const dark: Preferences = { 'layout.css.prefers-color-scheme.content-override': 0 }

/** All windows are private ones. */
const privately: Preferences = { 'browser.privatebrowsing.autostart': true }

/** Preferences of Enhanced Tracking Protection at level "Strict". */
const strictly: Preferences = {
  'browser.contentblocking.category': 'strict',
  'network.cookie.cookieBehavior': 5,
  'privacy.trackingprotection.enabled': true,
  'privacy.trackingprotection.socialtracking.enabled': true,
  'privacy.fingerprintingProtection': true,
  'privacy.query_stripping.enabled': true,
  'network.http.referer.disallowCrossSiteRelaxingDefault': true,
}

/** "Custom", with cookies of all other sites refused instead of kept apart. */
const refusing: Preferences = { 'browser.contentblocking.category': 'custom', 'network.cookie.cookieBehavior': 1 }

const protections: Readonly<Record<Protection, Preferences>> = {
  default: {},
  private: privately,
  strict: strictly,
  'no third parties': refusing,
  strictest: { ...privately, ...strictly },
}

async function launch(preferences: Preferences) {
  const profile = await makeProfile()
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile.folder, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile.folder, '--remote-debugging-port', '0', 'about:blank']
  const env = { ...process.env, HOME: profile.folder, MOZ_CRASHREPORTER_DISABLE: '1' }
  const program = startProgram('firefox-esr', args, { env })
  const end = async () => {
    await program.end()
    await profile.remove()
  }
  try {
    const address = await awaitReady(program, () => addressOf(program.child.stderr, program.said))
    const bidi = await openBidi(`${address}/session`)
    // The answer's type is the standard's (WebDriver BiDi, "session.new").
    const session = (await bidi.call('session.new', { capabilities: {} })) as {
      capabilities: { browserVersion: string }
    }
    return { open: () => openPage(bidi, session.capabilities.browserVersion), close: end }
  } catch (error) {
    await end()
    throw error
  }
}

function addressOf(stderr: NodeJS.ReadableStream | null, said: () => string): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const [, address] = /WebDriver BiDi listening on (\S+)/.exec(said()) ?? []
      if (address !== undefined) resolve(address)
    }
    stderr?.on('data', look)
    look()
  })
}

async function openPage(bidi: Bidi, version: string): Promise<BrowserPage> {
  const { userContext } = await bidi.call('browser.createUserContext')
  const { context } = await bidi.call('browsingContext.create', { type: 'tab', userContext })
  const page = documentOf(bidi, async () => text(context))
  const perform = async (...actions: object[]) =>
    bidi.call('input.performActions', { context: await findKeyboard(bidi, text(context)), actions })
  return {
    ...page,
    version,
    async goto(url) {
      await bidi.call('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async resize(width, height) {
      await bidi.call('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    type: async (keys) => void (await perform(typedKeys(keys))),
    press: async (...keys) => void (await perform(heldKeys(keys))),
    async screenshot() {
      const { data } = await bidi.call('browsingContext.captureScreenshot', { context })
      return Buffer.from(text(data), 'base64')
    },
    close: async () => void (await bidi.call('browser.removeUserContext', { userContext })),
  }
}

/** Keys go to a document, and not on to a frame of another site in it, which is in another process: it is asked for. */
async function findKeyboard(bidi: Bidi, context: string): Promise<string> {
  const { value } = await bidi.run('() => document.activeElement?.contentWindow ?? null', context)
  return isWindow(value) ? findKeyboard(bidi, value.context) : context
}

/** A window is told by its browsing context (WebDriver BiDi, "script.WindowProxyProperties"). */
function isWindow(value: unknown): value is { context: string } {
  return typeof value === 'object' && value !== null && 'context' in value
}

function documentOf(bidi: Bidi, find: () => Promise<string>): BrowserDocument {
  return {
    async evaluate(run, ...given) {
      const functionDeclaration = `async () => JSON.stringify((await (${String(run)})(...${JSON.stringify(given)})) ?? null)`
      const answer = await bidi.run(functionDeclaration, await find())
      return JSON.parse(text(answer.value))
    },
    async click(selector) {
      const context = await find()
      const element = await bidi.locate(selector, context)
      await bidi.run('(element) => element.scrollIntoView({ block: "center" })', context, element)
      await bidi.call('input.performActions', { context, actions: [clicked({ type: 'element', element })] })
    },
    frame: (selector) =>
      documentOf(bidi, async () => {
        const parent = await find()
        const element = await bidi.locate(selector, parent)
        const { value } = await bidi.run('(frame) => frame.contentWindow', parent, element)
        if (!isWindow(value)) throw new Error(`${selector} holds no document.`)
        return value.context
      }),
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new Error(`Firefox answered ${JSON.stringify(value)} where the standard has a text.`)
}
