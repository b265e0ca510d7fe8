import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Bound for a browser that never starts: it takes seconds where other programs have the machine. */
const START_MS = 60_000
const TRIES = 3

/** A program of a browser, with those that it starts itself. */
export interface Program {
  child: ChildProcess
  /** Everything that it has said on its standard error. */
  said(): string
  /** Ends it and all that it has started. */
  end(): Promise<void>
}

/** Whether a program is to be found. */
export function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}

/** Becomes the program. A watcher kills the group when its standard input ends: with this process, in any case. */
const LEASH = 'exec 9<&0; { read -r _ <&9; kill -9 0; } & exec "$@" 9<&- </dev/null'

/**
 * Starts a program in a group of its own, which ends with this process at the latest.
 *
 * @param path Its name, too, in what a failure says.
 * @param options `more`: its descriptors from the third on.
 */
export function startProgram(
  path: string,
  args: readonly string[],
  { env, more = [] }: { env: NodeJS.ProcessEnv; more?: readonly 'pipe'[] },
): Program {
  const stdio: StdioOptions = ['pipe', 'ignore', 'pipe', ...more]
  const child = spawn('/bin/sh', ['-c', LEASH, path, path, ...args], { env, stdio, detached: true })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (said += text))
  child.on('error', (error) => void (said += error.message))
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // No process of the group is left.
    }
  }
  process.on('exit', kill)
  return {
    child,
    said: () => said,
    async end() {
      const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
      const gone = isGone ? null : once(child, 'exit')
      kill()
      await gone
      process.off('exit', kill)
    },
  }
}

/** Waits until a program is ready. @throws {Error} With what it said, when it ends or is silent instead. */
export async function awaitReady<Result>(
  { child, said }: Program,
  ready: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const waiting = new AbortController()
  const { signal } = waiting
  const late = setTimeout(() => waiting.abort(), START_MS)
  child.once('exit', () => waiting.abort())
  const never = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`A browser did not start:\n${said()}`))
    if (child.exitCode !== null) fail()
    signal.addEventListener('abort', fail)
  })
  try {
    return await Promise.race([ready(signal), never])
  } finally {
    clearTimeout(late)
  }
}

/** Gives a browser an empty folder for its profile; what deletes it waits for what the browser still writes. */
export async function makeProfile(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-browser-'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) }
}

/** Starts a browser, and once more where that fails: a busy machine is no fault of the page. */
export async function withRetries<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await start()
    } catch (error) {
      if (left === 0) throw error
    }
  }
}
