import type { Browser } from 'playwright-core'
import { findBrowser } from './find-browser.ts'
import { ToolMissing } from './tool-missing.ts'

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
