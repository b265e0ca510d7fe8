import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { AuthorError } from '../author-error.ts'
import { systemBrowsers } from './system-browsers.ts'

const quiet = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--hide-scrollbars',
  '--font-render-hinting=none', // so that text is as wide on every machine
]

/**
 * Starts the browser that scenarios are seen in. The caller closes it.
 *
 * @throws {ToolMissing} Where Playwright or a browser is not installed.
 */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new ToolMissing('Scenarios are seen by Playwright: install it with "npm install --save-dev playwright-core".')
  })
  const { env, platform } = process
  const executablePath = findBrowser({ env, platform, ownPath: chromium.executablePath() })
  // Chromium refuses to run as root with its sandbox; everybody else keeps it.
  return chromium.launch({ executablePath, args: quiet, chromiumSandbox: process.getuid?.() !== 0 })
}

/** Where to look for a browser. */
export interface BrowserPlaces {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** Where Playwright keeps its own. */
  ownPath: string
}

/**
 * The path of a Chromium, Chrome or Edge: that of `CHROME_PATH`, else Playwright's own, else the system's.
 *
 * @throws {ToolMissing} Where there is none.
 */
export function findBrowser({ env, platform, ownPath }: BrowserPlaces): string {
  const named = env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new ToolMissing(`CHROME_PATH names ${named}, which does not exist: correct it or unset it.`)
  }
  const found = [ownPath, ...systemBrowsers(env, platform)].find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new ToolMissing('No Chromium, Chrome or Edge was found: install one, or name it in CHROME_PATH.')
}

/** A tool that scenarios need is not installed; the message says how to get it. */
export class ToolMissing extends AuthorError {
  override readonly name = 'ToolMissing'
}
