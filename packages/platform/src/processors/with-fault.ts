import type { Clock, FaultOf } from '../runtime/index.ts'
import type { Driver } from './driver.ts'

/** How long a slow answer takes: long enough to be seen, and well within the patience of whoever waits. */
export const SLOW_MS = 2_000
/** How long a late answer takes: whoever waits gives up after 30 s. Much longer would only keep a process from ending. */
export const LATE_MS = 31_000

/**
 * A driver whose way to the processor is disturbed. What the processor did meanwhile is not: `query` tells it.
 *
 * - `outage`: no request gets through, and it is known that none did.
 * - `timeout_before`: no request gets through, and there is no answer. `timeout_after`: it does, and there is none.
 * - `slow`: each answer takes 2 s. `late`: 31 s.
 * - `duplicate`: each request arrives twice, at the same time.
 */
export function withFault(driver: Driver, fault: FaultOf<'processor'> | null, clock: Clock): Driver {
  if (fault === null) return driver
  const pass = disturbance(fault, clock)
  const unavailable = { outcome: 'refused', reason: 'unavailable' } as const
  const unreachable = {
    outcome: 'refused_before_acceptance',
    reason: 'The processor cannot be reached, as the request wanted it.',
  } as const
  return {
    authorise: (authorisation) => pass(() => driver.authorise(authorisation), unreachable),
    capture: (capture) => pass(() => driver.capture(capture), unavailable),
    refund: (refund) => pass(() => driver.refund(refund), unavailable),
    void: (voiding) => pass(() => driver.void(voiding), unavailable),
    query: (facts) => driver.query(facts),
  }
}

/** Sends a request, or does not, and does with its answer what the fault says. */
type Pass = <Outcome>(send: () => Promise<Outcome>, refused: Outcome) => Promise<Outcome>

function disturbance(fault: FaultOf<'processor'>, clock: Clock): Pass {
  const lost = () => new Error('The processor gave no answer, as the request wanted it.')
  const wait = (ms: number) => clock.until(clock.now() + ms, new AbortController().signal)
  switch (fault) {
    case 'processor=outage':
      return async (_send, refused) => refused
    case 'processor=timeout_before':
      return () => Promise.reject(lost())
    case 'processor=timeout_after':
      return async (send) => (await send(), Promise.reject(lost()))
    case 'processor=slow':
      return async (send) => answerAfter(send, () => wait(SLOW_MS))
    case 'processor=late':
      return async (send) => answerAfter(send, () => wait(LATE_MS))
    case 'processor=duplicate':
      return async (send) => (await Promise.all([send(), send()]))[0]
  }
}

async function answerAfter<Outcome>(send: () => Promise<Outcome>, wait: () => Promise<void>): Promise<Outcome> {
  const outcome = await send()
  await wait()
  return outcome
}
