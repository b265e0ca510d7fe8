import type { Contract } from '@tillwright/contract'
import { moveSessions } from '../../members/index.ts'
import type { Handlers } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'

/** The clock of a local platform, which may be moved forward. */
export interface TestClock {
  /** How far it is ahead of the machine's own time, in milliseconds. */
  aheadMs(): number
  /**
   * Moves it, at once and for good.
   *
   * @throws {OperatorError} Where it cannot be that far ahead.
   */
  advance(byMs: number): Promise<void>
}

const AT_ONCE_MAX_MS = 3_653 * 86_400_000

/** @param given `null` on every platform that other people use: there these operations do not exist. */
export function testClock(given: TestClock | null): Handlers<Contract['testClock']> {
  const movable = (): TestClock => {
    if (given !== null) return given
    throw new ApiError('route_not_found', 'Only a local platform has a test clock; start one with "tillwright start".')
  }
  return {
    async get(_, { services: { clock } }) {
      const { aheadMs } = movable()
      return { body: shown(clock.now(), aheadMs()) }
    },
    async advance({ body: { to } }, { services: { clock }, caller: { accountId }, begin }) {
      const own = movable()
      const byMs = Date.parse(to) - clock.now()
      if (byMs <= 0 || byMs > AT_ONCE_MAX_MS) throw notThere(clock.now())
      // Before the clock moves: what ends sessions would be quicker.
      await begin([moveSessions(accountId, byMs)], {
        resource: { type: 'testClock', id: 'local' },
        after: shown(clock.now() + byMs, own.aheadMs() + byMs),
      })
      await own.advance(byMs).catch((error: unknown) => {
        throw new ApiError('state_conflict', String(Object(error).message), { cause: error })
      })
      return { body: shown(clock.now(), own.aheadMs()) }
    },
  }
}

function shown(nowMs: number, aheadMs: number) {
  return { now: new Date(nowMs).toISOString(), aheadMs: Math.round(aheadMs) }
}

function notThere(nowMs: number): ApiError {
  const now = new Date(nowMs).toISOString()
  return new ApiError('parameter_invalid', `to must be later than now, ${now}, and at most ten years later.`, {
    param: 'to',
  })
}
