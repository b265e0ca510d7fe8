import { delimiter, join } from 'node:path'

/** Debian's Chromium without windows shows the same pages for less of a processor: nothing here opens a window. */
const windowless = 'chromium-headless-shell'
const programs = [windowless, 'google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge']
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsApps = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/**
 * Where a system may have a Chrome, Chromium or Edge, the likeliest place first. Apart from `browser.ts`, so that the
 * command line can look for them without Playwright.
 */
export function systemBrowsers(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string[] {
  if (platform === 'darwin') return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  if (platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => env[name] ?? [])
    return roots.flatMap((root) => windowsApps.map((app) => join(root, app)))
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)))
}
