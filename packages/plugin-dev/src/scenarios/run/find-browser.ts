import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ToolMissing } from './tool-missing.ts'

/** Where to look for a browser. */
export interface BrowserPlaces {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** Where Playwright keeps its own. */
  ownPath: string
}

const programs = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge']
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsApps = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

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
  const found = [ownPath, ...systemPaths(env, platform)].find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new ToolMissing('No Chromium, Chrome or Edge was found: install one, or name it in CHROME_PATH.')
}

function systemPaths(env: BrowserPlaces['env'], platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  if (platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => env[name] ?? [])
    return roots.flatMap((root) => windowsApps.map((app) => join(root, app)))
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)))
}
