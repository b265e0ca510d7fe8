import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { createClient, TillwrightError } from '@tillwright/client'
import type { Config, LocalFile } from '@tillwright/platform'
import { systemBrowsers } from '@tillwright/plugin-dev/system-browsers'
import { forwardingSeedFile } from '../events/forward.ts'
import { credentialsFile } from '../target/credentials.ts'
import { checkedTarget, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

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

/** Whether the folder of the credentials, and each file with a secret in it, is its owner's alone. */
export async function checkConfigFolder(env: NodeJS.ProcessEnv = process.env): Promise<Finding[]> {
  const file = credentialsFile(env)
  const wanted = [
    [dirname(file), '700'],
    [file, '600'],
    [forwardingSeedFile(env), '600'],
  ] as const
  const findings = await Promise.all(wanted.map(([path, mode]) => checkMode(path, mode)))
  const found = findings.filter((finding) => finding !== null)
  return found.length > 0 ? found : [ok('nothing is kept of logins')]
}

async function checkMode(path: string, wanted: string): Promise<Finding | null> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return null
  // On Windows the modes say nothing; there a profile's folder is its owner's.
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return ok(`${path} is yours alone`)
  return fail(`${path} can be read by others (${(stats.mode & 0o777).toString(8)})`, `chmod ${wanted} ${path}`)
}

const ANSWER_MS = 5_000

/** Whether the local platform answers, if one runs, and whether another could have its ports, if none does. */
export async function checkLocal(local: LocalFile | null, config: Config): Promise<Finding[]> {
  if (local === null) return [ok('no local platform runs here'), ...(await checkPorts(config))]
  const { apiUrl, vaultUrl, pid } = local
  return Promise.all(
    [apiUrl, vaultUrl].map(async (url) => {
      if (await answers(url)) return ok(`the local platform answers at ${url}`)
      const fix = `stop process ${pid}, if it is there, and start anew with "tillwright start"`
      return fail(`the local platform says that it is at ${url}, and nobody answers there`, fix)
    }),
  )
}

/** Any answer will do: the origins have pages of their own. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  )
}

async function checkPorts({ host, port, vaultPort }: Config): Promise<Finding[]> {
  const wanted = [
    [port, 'TILLWRIGHT_PORT'],
    [vaultPort, 'TILLWRIGHT_VAULT_PORT'],
  ] as const
  return Promise.all(wanted.map(async ([each, name]) => checkPort(host, { port: each, name })))
}

async function checkPort(host: string, { port, name }: { port: number; name: string }): Promise<Finding> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (error === null) return ok(port === 0 ? `any free port (${name})` : `port ${port} is free`)
  const fix = `"tillwright start" takes the next one that is free; name another with ${name} to have it stay the same`
  return warn(`port ${port} cannot be had (${error.code})`, fix)
}

/** The oldest Node that the platform runs on: its SQLite and its TypeScript need it. */
const OLDEST = [22, 22, 2] as const

/** Whether Node is new enough. `version` is as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const at = OLDEST.findIndex((part, index) => part !== parts[index])
  const isOld = at !== -1 && (parts[at] ?? 0) < (OLDEST[at] ?? 0)
  if (!isOld) return ok(`Node ${version}`)
  return fail(`Node ${version} is too old`, `install Node ${OLDEST.join('.')} or newer, such as the LTS of nodejs.org`)
}

/** Receivers of webhooks refuse what was signed more than five minutes ago. Source: Standard Webhooks 1.0.0. */
const SKEW_FAIL_MS = 5 * 60_000
const SKEW_WARN_MS = 30_000
const TARGET_ANSWER_MS = 10_000

/** Whether a platform answers, takes its key, is of the kind that it is kept as, and has the time that we have. */
export async function checkTarget(target: Pick<Target, 'name' | 'apiUrl' | 'apiKey'>): Promise<Finding[]> {
  let date: string | null = null
  const client = createClient({
    apiKey: target.apiKey,
    baseUrl: target.apiUrl,
    timeoutMs: TARGET_ANSWER_MS,
    maxRetries: 0,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      date = response.headers.get('date')
      return response
    },
  })
  const name = `${target.name}: ${target.apiUrl}`
  const key = await checkLogin(client, name, target)
  return date === null ? [key] : [key, checkSkew(Date.now() - Date.parse(date), name)]
}

async function checkLogin(
  client: ReturnType<typeof createClient>,
  name: string,
  target: Pick<Target, 'name' | 'apiKey' | 'apiUrl'>,
): Promise<Finding> {
  const again = `log in again with "tillwright login --target ${target.name} --url ${target.apiUrl}"`
  try {
    checkedTarget(target)
    const { environment, accountId, roles } = await client.accounts.testKey()
    if (environment !== target.name) return fail(`${name} is a ${environment} platform`, again)
    return ok(`${name} takes the key of ${accountId} (${roles.join(', ') || 'no roles'})`)
  } catch (error) {
    if (error instanceof CommandFailed) return fail(`${name}: ${error.message}`, again)
    if (!(error instanceof TillwrightError)) throw error
    const isAway = error.status === null || error.status >= 500
    return fail(`${name}: ${error.message}`, isAway ? 'see that it runs and that its address is right' : again)
  }
}

/** @param skewMs By how much we are ahead. A `Date` header tells whole seconds. */
export function checkSkew(skewMs: number, name: string): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const what = `${name}: this clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`
  const fix = 'let the machine set its clock by NTP: webhooks are refused whose time differs by five minutes'
  if (Math.abs(skewMs) > SKEW_FAIL_MS) return fail(what, fix)
  return Math.abs(skewMs) > SKEW_WARN_MS ? warn(what, fix) : ok(`${name}: the clocks agree`)
}

/** How something is: as it should be, worth knowing, or in the way. */
export type Level = 'ok' | 'warn' | 'fail'

/** What was looked at and found. */
export interface Finding {
  level: Level
  what: string
  /** What to do about it; `null` where nothing is to be done. */
  fix: string | null
}

/** Something that is as it should be. */
export function ok(what: string): Finding {
  return { level: 'ok', what, fix: null }
}

/** Something that some commands will trip over. */
export function warn(what: string, fix: string): Finding {
  return { level: 'warn', what, fix }
}

/** Something that does not work. */
export function fail(what: string, fix: string): Finding {
  return { level: 'fail', what, fix }
}
