import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, watch } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { LocalFile } from '../src/local/start-local.ts'
import { type Over, type Place, settingsOf } from './place.ts'

/** How a process ended, and all that it wrote. `code` is `null` when a signal ended it. */
export interface Ended {
  code: number | null
  output: string
}

/** A platform in a process of its own, as an operator starts it. */
export interface PlatformProcess {
  local: LocalFile
  /** From the start of the process until everything answered. */
  startMs: number
  /** `kill -9`: the process gets to do nothing more. */
  killNine(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Ended>
  ended: Promise<Ended>
}

/**
 * How a platform is started other than plainly: `through` stands before the command, `preload` runs first in each
 * thread, `settings` are environment variables in addition to the place's own.
 */
export interface StartOptions {
  through?: readonly string[]
  preload?: URL
  settings?: Readonly<Record<string, string>>
  /** The program; the platform's own unless given. */
  main?: URL
  /** Ends it when the work is over, as that of a test unless given. */
  over?: Over
}

/**
 * Starts a platform at a place. It is gone when the test is over.
 *
 * @throws When it ends before it answers; the message holds what it wrote.
 */
export async function startProcess(place: Place, options: StartOptions = {}): Promise<PlatformProcess> {
  await rm(join(place.home, 'local.json'), { force: true }) // that of a process which was killed
  const begun = performance.now()
  const { child, ended } = run(place, options)
  const local = await announced(place.home, ended)
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    // Under a tracer the platform is not the child; it says itself who it is.
    if (child.exitCode === null && child.signalCode === null) process.kill(local.pid, name)
    return ended
  }
  return {
    local,
    startMs: performance.now() - begun,
    killNine: async () => void (await signal('SIGKILL')),
    stop: () => signal('SIGTERM'),
    ended,
  }
}

/** Starts a platform that must refuse to start, and waits for its end. */
export function startRefused(place: Place): Promise<Ended> {
  return run(place, {}).ended
}

/** Starts a platform and kills it so many milliseconds later, whatever it is at. */
export async function startKilled(place: Place, afterMs: number): Promise<void> {
  const { child, ended } = run(place, {})
  await delay(afterMs)
  child.kill('SIGKILL')
  await ended
}

/** The platform: its bundle where `bundle-once.ts` has made one, which starts in three fifths of the time of its source. */
export const platformProgram: string =
  process.env['BUNDLED_PLATFORM'] ?? fileURLToPath(new URL('../src/main.ts', import.meta.url))

function run(
  place: Place,
  { through = [], preload, settings = {}, main, over = onTestFinished }: StartOptions,
): { child: ChildProcess; ended: Promise<Ended> } {
  const [command, ...args] = [...through, process.execPath, main ? fileURLToPath(main) : platformProgram]
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    TILLWRIGHT_ENVIRONMENT: 'local',
    ...settingsOf(place),
    ...settings,
    ...(preload && { NODE_OPTIONS: `--import ${preload.href}` }),
  }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  over(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
  return { child, ended }
}

/** Resolves when the platform says that everything answers. */
function announced(home: string, ended: Promise<Ended>): Promise<LocalFile> {
  return new Promise((resolve, reject) => {
    const file = join(home, 'local.json')
    const watcher = watch(home, look)
    function look(): void {
      if (!existsSync(file)) return
      watcher.close()
      resolve(JSON.parse(readFileSync(file, 'utf8')))
    }
    look()
    void ended.then(({ output }) => {
      watcher.close()
      reject(new Error(`The platform ended before it answered:\n${output}`))
    }, reject)
  })
}
