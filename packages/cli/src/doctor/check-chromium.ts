import { existsSync } from 'node:fs'
import { systemBrowsers } from '@tillwright/plugin-dev/system-browsers'
import { fail, ok, warn, type Finding } from './finding.ts'

/** Whether there is a browser for screenshots: CHROME_PATH's, or one that is installed. */
export function checkChromium(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Finding {
  const named = env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return ok(`a browser is at ${named}`)
    return fail(`CHROME_PATH names ${named}, which does not exist`, 'correct it or unset it')
  }
  const found = systemBrowsers(env, platform).find((place) => existsSync(place))
  if (found !== undefined) return ok(`a browser is at ${found}`)
  return warn('no Chromium, Chrome or Edge was found', 'install one for screenshots, or name it in CHROME_PATH')
}
