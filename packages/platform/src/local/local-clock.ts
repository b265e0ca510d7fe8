import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { TestClock } from '../http/index.ts'
import { aheadClock, type Clock, OperatorError, steadyClock, systemClock } from '../runtime/index.ts'

/** How often a running platform looks whether its clock was moved. */
const LOOK_EVERY_MS = 200

/** The farthest that a clock may be ahead: a hundred years. */
const AHEAD_MAX_MS = 100 * 365 * 24 * 60 * 60 * 1_000

/** The time on the local platform's clock. */
export interface LocalTime {
  /** Unix time in milliseconds. */
  nowMs: number
  /** Milliseconds ahead of the system clock. */
  aheadMs: number
}

/** The clock of a local platform, as a developer has moved it. */
export async function localTime(config: Pick<Config, 'environment' | 'home'>): Promise<LocalTime> {
  requireLocal(config)
  const aheadMs = await readAhead(config.home)
  return { nowMs: systemClock.now() + aheadMs, aheadMs }
}

/**
 * Moves the clock of a local platform forward: at once where it runs, else from its next start on. It stays moved.
 *
 * @param byMs More than 0.
 * @throws {OperatorError} Outside `local`, where there is no local platform, and beyond a hundred years.
 */
export async function advanceLocalTime(config: Pick<Config, 'environment' | 'home'>, byMs: number): Promise<LocalTime> {
  requireLocal(config)
  const aheadMs = (await readAhead(config.home)) + byMs
  if (aheadMs > AHEAD_MAX_MS) {
    throw new OperatorError('The clock can be a hundred years ahead at most; delete clock.json to begin anew.')
  }
  const file = fileIn(config.home)
  try {
    await writeFile(`${file}.new`, `${JSON.stringify({ aheadMs })}\n`)
  } catch (error) {
    const why = `There is no local platform in ${config.home}; start it once with "tillwright start", or name its folder with TILLWRIGHT_HOME.`
    throw new OperatorError(why, { cause: error })
  }
  await rename(`${file}.new`, file)
  return { nowMs: systemClock.now() + aheadMs, aheadMs }
}

/** A clock that follows its folder, and what moves both. */
export interface FollowedClock {
  clock: Clock
  /** Absent outside `local`. */
  testClock?: TestClock
  /** Ends the looking. */
  stop: () => void
}

/** A clock that is as far ahead as its folder says, and jumps when that is changed. */
export async function followLocalClock(config: Pick<Config, 'environment' | 'home'>): Promise<FollowedClock> {
  const { home, environment } = config
  let aheadMs = await readAhead(home)
  const clock = aheadClock(steadyClock(), aheadMs)
  const jumpTo = (nextMs: number) => {
    aheadMs = Math.max(aheadMs, nextMs)
    clock.jumpTo(nextMs)
  }
  const stopping = new AbortController()
  void follow(home, jumpTo, stopping.signal)
  const testClock = {
    aheadMs: () => aheadMs,
    advance: async (byMs: number) => jumpTo((await advanceLocalTime(config, byMs)).aheadMs),
  }
  return { clock, ...(environment === 'local' && { testClock }), stop: () => stopping.abort() }
}

async function follow(home: string, jumpTo: (aheadMs: number) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Waits by the machine's own time, and keeps no process alive that has nothing else to do.
    await delay(LOOK_EVERY_MS, undefined, { ref: false, signal }).catch(() => {})
    jumpTo(await readAhead(home))
  }
}

/** 0 if the clock was never moved, or if the file is invalid. */
async function readAhead(home: string): Promise<number> {
  try {
    const { aheadMs }: { aheadMs?: unknown } = JSON.parse(await readFile(fileIn(home), 'utf8'))
    return typeof aheadMs === 'number' && aheadMs > 0 && aheadMs <= AHEAD_MAX_MS ? aheadMs : 0
  } catch {
    return 0
  }
}

function fileIn(home: string): string {
  return join(home, 'clock.json')
}

function requireLocal({ environment }: Pick<Config, 'environment'>): void {
  if (environment === 'local') return
  throw new OperatorError(`Only the clock of a local platform can be moved; this one is "${environment}".`)
}
