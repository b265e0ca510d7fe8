import { type Clock, steadyClock, systemClock } from '../runtime/index.ts'
import { type Database, int, type Query, pick, type Row, rowReader } from '../storage/index.ts'
import { sharedTimeTable } from './tables.ts'

/**
 * How far the database's clock may seem to have gone back before it has: a statement that waited for the row's lock read
 * the clock before the statement that it waited for.
 */
const WAITED_MAX_MS = 1_000

/** While the shared time is ahead of the database's clock, it loses one part in this many. */
const LOSES_ONE_IN = 20

/** The row exists from the first process on. */
export const beginSharedTime: Query = {
  sql: `INSERT INTO shared_time (id, at, ahead) VALUES (1, {now}, 0) ON CONFLICT (id) DO NOTHING`,
  params: [],
}

const before = 'shared_time.at - shared_time.ahead'
const lost = `CASE WHEN (machine.t - (${before})) / ${LOSES_ONE_IN} < shared_time.ahead
  THEN (machine.t - (${before})) / ${LOSES_ONE_IN} ELSE shared_time.ahead END`

/**
 * Advances the shared time to what the database's clock says now. It is stored, so it never goes back: when the database's
 * clock does, because it was set or because another server has taken over, the shared time continues from where it was,
 * `ahead` of that clock by the difference, and loses a second in twenty until the two agree again.
 */
export const advanceSharedTime: Query = {
  sql: `UPDATE shared_time SET
      at = CASE WHEN machine.t < ${before} THEN shared_time.at ELSE machine.t + shared_time.ahead - (${lost}) END,
      ahead = CASE WHEN machine.t < ${before} - ${WAITED_MAX_MS} THEN shared_time.at - machine.t
        WHEN machine.t < ${before} THEN shared_time.ahead ELSE shared_time.ahead - (${lost}) END
    FROM (SELECT {now} AS t) AS machine WHERE shared_time.id = 1
    RETURNING shared_time.at, shared_time.ahead`,
  params: [],
}

const readTime = rowReader(pick(sharedTimeTable, 'at', 'ahead'))

/** A measurement of the shared time, by one exchange with the database. */
export interface TimeMeasured {
  /** How far the machine's clock is ahead of the database's, in milliseconds. */
  machineOffsetMs: number
  /** How far this process is ahead of the shared time after the correction, in milliseconds: 0 unless it cannot follow. */
  lagMs: number
  /** From sending the question to its answer, in milliseconds: half of it is how exact the rest is. */
  roundTripMs: number
}

/**
 * Corrects the clock by the answer to `advanceSharedTime`. The database is taken to have looked at its clock in the
 * middle of the exchange.
 *
 * @param sentMs When the question was sent, by `performance.now()`.
 */
export function followSharedTime(clock: Clock, rows: readonly Row[], sentMs: number): TimeMeasured {
  const [time] = readTime(rows)
  if (time === undefined) throw new Error('The row of the shared time is missing.')
  const nowMs = performance.now()
  const roundTripMs = nowMs - sentMs
  const sinceMs = roundTripMs / 2
  const measured = { sharedMs: time.at + sinceMs, aheadMs: time.ahead, uncertainMs: roundTripMs / 2 }
  const lagMs = clock.align?.(measured) ?? 0
  const machineOffsetMs = Math.round(Date.now() - (time.at - time.ahead + sinceMs))
  return { machineOffsetMs, lagMs, roundTripMs }
}

const selectTime = 'SELECT at, ahead, {now} AS machine FROM shared_time WHERE id = 1'
const readSharedTime = rowReader({ ...pick(sharedTimeTable, 'at', 'ahead'), machine: int })

/**
 * A clock for a command, which is no member: it begins with the shared time, whatever this machine's clock says. What
 * others check against their own clocks (`machineNow`) is this machine's. Without any process yet there is no other time.
 *
 * @throws {DatabaseUnavailable}
 */
export async function sharedClock(db: Database): Promise<Clock> {
  const clock = steadyClock()
  const sentMs = performance.now()
  const [time] = readSharedTime(await db.read(selectTime, []))
  const uncertainMs = (performance.now() - sentMs) / 2
  if (time !== undefined) {
    const sharedMs = Math.max(time.at, time.machine + time.ahead) + uncertainMs
    clock.align?.({ sharedMs, aheadMs: time.ahead, uncertainMs })
  }
  return { ...clock, machineNow: () => systemClock.machineNow() }
}
