/*
 * The attacker, or an accident, takes the reader of the platform's log away, lets it stop reading, or fills its disk. The
 * platform must go on, and must stop when asked to: one that does not is killed, in the middle of payments.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Enough lines to fill the 64 KiB of a pipe. */
const REQUESTS = 600

/** Starts a platform with a shell's redirection; `unread` leaves its pipe to fill. */
async function start(redirection: string, reader: 'reads' | 'unread' | 'gone') {
  const home = await mkdtemp(join(tmpdir(), 'output-'))
  const child = spawn('sh', ['-c', `exec "$0" "$1" ${redirection}`, process.execPath, main], {
    env: {
      ...process.env,
      TILLWRIGHT_ENVIRONMENT: 'local',
      TILLWRIGHT_HOME: home,
      TILLWRIGHT_PORT: '0',
      TILLWRIGHT_VAULT_PORT: '0',
      TILLWRIGHT_LOG_LEVEL: 'trace',
      TILLWRIGHT_RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, name) => resolve(name ?? code)),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(home, { recursive: true, force: true })
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  if (reader === 'reads') child.stdout.resume()
  const file = join(home, 'local.json')
  await expect.poll(() => existsSync(file) || child.exitCode !== null).toBe(true)
  if (reader === 'gone') child.stdout.destroy()
  const { apiUrl }: { apiUrl: string } = JSON.parse(await readFile(file, 'utf8'))
  return { child, apiUrl, ended, complaints: () => complaints }
}

/** A device that Linux has. */
const full: [string, string, 'reads'] = ['is a full disk', '>/dev/full', 'reads']
const outputs: [what: string, redirection: string, reader: 'reads' | 'unread' | 'gone'][] = [
  ['is gone', '', 'gone'],
  ['does not read', '', 'unread'],
  ...(existsSync('/dev/full') ? [full] : []),
]
/** Most tests have the first of them. */
const others: typeof outputs = [
  ['is read', '', 'reads'],
  ['was closed from the beginning', '>&-', 'reads'],
]

test.for(soaks ? [...outputs, ...others] : outputs)(
  'a platform whose output %s answers, and ends at once when it is told to',
  async ([, redirection, reader]) => {
    const { child, apiUrl, ended, complaints } = await start(redirection, reader)
    for (let asked = 0; asked < REQUESTS; asked += 50) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const response = await fetch(`${apiUrl}/api/public/v1/auth/test`)
          await response.text()
          return response.status
        }),
      )
      expect(new Set(statuses)).toEqual(new Set([401]))
    }
    expect(await (await fetch(`${apiUrl}/readyz`)).json()).toMatchObject({ status: 'ready' })
    const ticks = await cpuTicks(child.pid)
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect(ticks).toBeLessThan(1_500)
    expect(complaints()).toBe('')
  },
)

/** CPU time of a process so far, in hundredths of a second; 0 where the system has no `/proc`. */
async function cpuTicks(pid = 0): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat
    .split(' ')
    .slice(13, 15)
    .reduce((sum, each) => sum + Number(each), 0)
}
