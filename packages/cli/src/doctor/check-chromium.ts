import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, ok, warn, type Finding } from './finding.ts'

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge']
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const windowsApps = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/** Whether there is a browser for screenshots: CHROME_PATH's, or one that is installed. */
export function checkChromium(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Finding {
  const named = env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return ok(`a browser is at ${named}`)
    return fail(`CHROME_PATH names ${named}, which does not exist`, 'correct it or unset it')
  }
  const found = places(env, platform).find((place) => existsSync(place))
  if (found !== undefined) return ok(`a browser is at ${found}`)
  return warn('no Chromium, Chrome or Edge was found', 'install one for screenshots, or name it in CHROME_PATH')
}

function places(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  if (platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => env[name] ?? [])
    return roots.flatMap((root) => windowsApps.map((app) => join(root, app)))
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}
