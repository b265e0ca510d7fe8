import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scratch } from './scratch.ts'

/** A server in a process of its own. */
export interface Started {
  url: string
  home: string
  pid: number
  /** From the start of the process to its first answer. */
  startMs: number
  stop: () => Promise<void>
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const programs = {
  platform: [pathOf('../src/main.ts')],
  /** The platform as it is installed. */
  product: [pathOf('../../tillwright/dist/tillwright.mjs'), 'serve'],
  floor: [pathOf('./floor.ts')],
}
let nextPort = 4_700

/** Starts the platform or the floor on a fresh or a given home, and waits until it answers. */
export async function startProcess(
  program: keyof typeof programs,
  options: { home?: string; databaseUrl?: string; rateLimits?: 'off'; env?: Readonly<Record<string, string>> },
): Promise<Started> {
  const home = options.home ?? (await mkdtemp(join(scratch, 'home-')))
  const port = (nextPort += 2)
  const env = {
    ...process.env,
    TILLWRIGHT_ENVIRONMENT: 'local',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: String(port),
    TILLWRIGHT_VAULT_PORT: String(port + 1),
    TILLWRIGHT_RATE_LIMITS: options.rateLimits ?? 'on',
    DATABASE_URL: options.databaseUrl ?? '',
    ...options.env,
  }
  const startedAt = performance.now()
  const child = spawn(process.execPath, programs[program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  // A bench that fails leaves nothing behind that would answer the next one on the same port.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://localhost:${port}`
  while (!(await answers(`${url}/healthz`))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    await delay(2)
  }
  const startMs = performance.now() - startedAt
  while (program !== 'floor' && !existsSync(join(home, 'local.json'))) await delay(2)
  return {
    url,
    home,
    startMs,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      process.off('exit', kill)
    },
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
