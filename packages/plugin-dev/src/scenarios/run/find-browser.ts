import { existsSync } from 'node:fs'
import { systemBrowsers } from './system-browsers.ts'
import { ToolMissing } from './tool-missing.ts'

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
