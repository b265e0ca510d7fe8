import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { createClient, TillwrightError } from '@tillwright/client'
import type { Config, LocalFile } from '@tillwright/platform'
import { systemBrowsers } from '@tillwright/plugin-dev/system-browsers'
import { forwardingSeedFile } from '../events/forward.ts'
import { credentialsFile } from '../target/credentials.ts'
import { endingOf, sourceOf } from '../target/connect.ts'
import { checkedTarget, type Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/** Checks for a browser for screenshots: the one in CHROME_PATH, or an installed one. */
export function checkChromium(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Finding {
  const named = env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return ok(`there is a browser at ${named}`)
    return fail(`CHROME_PATH is ${named}, which does not exist`, 'correct it or unset it')
  }
  const found = systemBrowsers(env, platform).find((place) => existsSync(place))
  if (found !== undefined) return ok(`there is a browser at ${found}`)
  return warn('no Chromium, Chrome or Edge was found', 'install one for screenshots, or set CHROME_PATH')
}

/** Checks that the folder of the credentials, and each file with a secret, is accessible to its owner only. */
export async function checkConfigFolder(): Promise<Finding[]> {
  const file = credentialsFile()
  const wanted = [
    [dirname(file), '700'],
    [file, '600'],
    [forwardingSeedFile(), '600'],
  ] as const
  const findings = await Promise.all(wanted.map(([path, mode]) => checkMode(path, mode)))
  const found = findings.filter((finding) => finding !== null)
  return found.length > 0 ? found : [ok('no credentials are stored')]
}

async function checkMode(path: string, wanted: string): Promise<Finding | null> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return null
  // On Windows the mode says nothing, and a profile's folder belongs to its owner.
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return ok(`${path} is accessible to you only`)
  return fail(`${path} is readable by others (${(stats.mode & 0o777).toString(8)})`, `chmod ${wanted} ${path}`)
}

const ANSWER_MS = 5_000

/** Checks that the local platform responds, or that its ports are free if none is running. */
export async function checkLocal(local: LocalFile | null, config: Config): Promise<Finding[]> {
  if (local === null) return [ok('no local platform is running here'), ...(await checkPorts(config))]
  const { apiUrl, vaultUrl, pid } = local
  return Promise.all(
    [apiUrl, vaultUrl].map(async (url) => {
      if (await answers(url)) return ok(`the local platform responds at ${url}`)
      const fix = `stop process ${pid}, if it exists, and restart with "tillwright start"`
      return fail(`the local platform should be at ${url}, but nothing responds there`, fix)
    }),
  )
}

/** Any response counts: the origins have pages of their own. */
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
    const server = createServer((socket) => socket.destroy())
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (error === null) return ok(port === 0 ? `any free port (${name})` : `port ${port} is free`)
  const fix = `"tillwright start" uses the next free one; set ${name} for a fixed one`
  return warn(`port ${port} is not available (${error.code})`, fix)
}

/** The oldest supported version of Node: SQLite and TypeScript need it. */
const OLDEST = [22, 22, 2] as const

/** Checks the version of Node, given as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const at = OLDEST.findIndex((part, index) => part !== parts[index])
  const isOld = at !== -1 && (parts[at] ?? 0) < (OLDEST[at] ?? 0)
  if (!isOld) return ok(`Node ${version}`)
  return fail(`Node ${version} is too old`, `install Node ${OLDEST.join('.')} or newer, such as the LTS of nodejs.org`)
}

/** Webhook receivers refuse signatures more than five minutes old. Source: Standard Webhooks 1.0.0. */
const SKEW_FAIL_MS = 5 * 60_000
const SKEW_WARN_MS = 30_000
const TARGET_ANSWER_MS = 10_000

/** Checks that a platform responds, accepts its key, is in the expected environment, and has the right time. */
export async function checkTarget(target: Target): Promise<Finding[]> {
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

async function checkLogin(client: ReturnType<typeof createClient>, name: string, target: Target): Promise<Finding> {
  try {
    checkedTarget(target)
    const key = await client.accounts.testKey()
    const { environment, accountId, roles } = key
    if (environment !== target.name) {
      const login = `tillwright login --target ${environment} --url ${target.apiUrl}`
      return fail(`${name} is a ${environment} platform`, `log in with "${login}"`)
    }
    const ending = endingOf(key)
    if (ending !== null) return warn(`${name}: ${ending}`, sourceOf(target))
    return ok(`${name} accepts the key of ${accountId} (${roles.join(', ') || 'no roles'})`)
  } catch (error) {
    if (error instanceof CommandFailed) return fail(`${name}: ${error.message}`, sourceOf(target))
    if (!(error instanceof TillwrightError)) throw error
    const fix = 'make sure that it is running and that its address is correct'
    if (error.status === null) return fail(`${target.name}: ${error.message}`, fix) // which names the address
    return fail(`${name}: ${error.message}`, error.status >= 500 ? fix : sourceOf(target))
  }
}

/** @param skewMs How far our clock is ahead. A `Date` header has whole seconds only. */
export function checkSkew(skewMs: number, name: string): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const what = `${name}: this clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`
  const fix = 'enable NTP: webhooks are refused if the clocks differ by five minutes'
  if (Math.abs(skewMs) > SKEW_FAIL_MS) return fail(what, fix)
  return Math.abs(skewMs) > SKEW_WARN_MS ? warn(what, fix) : ok(`${name}: the clocks agree`)
}

/** The severity of a finding: as it should be, worth knowing, or a failure. */
export type Level = 'ok' | 'warn' | 'fail'

/** The result of a check. */
export interface Finding {
  level: Level
  what: string
  /** How to fix it; `null` if there is nothing to fix. */
  fix: string | null
}

/** A passed check. */
export function ok(what: string): Finding {
  return { level: 'ok', what, fix: null }
}

/** A finding that will affect some commands. */
export function warn(what: string, fix: string): Finding {
  return { level: 'warn', what, fix }
}

/** A failed check. */
export function fail(what: string, fix: string): Finding {
  return { level: 'fail', what, fix }
}
