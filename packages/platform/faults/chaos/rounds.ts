import { setTimeout as delay } from 'node:timers/promises'
import { fraction, type Randomness } from '../../src/runtime/randomness.ts'
import { type Measured, type Purchase, startBuyers } from './buyers.ts'
import type { Fault } from './faults.ts'
import { judge, type Verdict } from './judge.ts'
import { type Site, untilServing } from './site.ts'

/** The longest that a client may wait for an answer, under any fault. */
export const ANSWER_MS = 10_000
/** The longest that an outcome may take from the end of a fault. */
const RECOVERY_MS = 10_000

/** One line of the table. */
export interface Line {
  fault: Fault
  rounds: number
  purchases: number
  requests: number
  unanswered: number
  lost: number
  doubled: number
  stuck: number
  wrong: number
  longestAnswerMs: number
  /** The request that waited so long. */
  slowest: string
  longestRecoveryMs: number
  /** From the end of the fault to the last outcome of what was asked before. */
  afterFaultMs: number
  webhooksMs: number
  /** Answers that were not final, and how often each came. */
  instead: Map<string, number>
  /** The final answers that refused a purchase. */
  refusals: string[]
  /** Everything that must not be, a sentence for each; empty when the line holds. */
  violations: string[]
}

/** How a fault is brought. */
export interface Rounds {
  rounds: number
  randomness: Randomness
  buyers: number
  /** How long buyers are at work before and after the fault. */
  aroundMs: number
}

/** Brings a fault so many times under load, and judges after each. */
export async function runRounds(fault: Fault, site: Site, terms: Rounds): Promise<Line> {
  const line: Line = {
    fault,
    rounds: 0,
    purchases: 0,
    requests: 0,
    unanswered: 0,
    lost: 0,
    doubled: 0,
    stuck: 0,
    wrong: 0,
    longestAnswerMs: 0,
    slowest: '',
    longestRecoveryMs: 0,
    afterFaultMs: 0,
    webhooksMs: 0,
    instead: new Map(),
    refusals: [],
    violations: [],
  }
  while (line.rounds < terms.rounds) {
    const { purchases, measured, mendedMs } = await runRound(fault, site, terms)
    const afterFaultMs = afterFault(measured, { fault, mendedMs })
    note(line, { purchases, measured, afterFaultMs, verdict: await judge(site, purchases) })
  }
  return line
}

const PAUSE_MS = 150
/** How many purchases meet a fault of the processor. */
const FAULTY_SHARE = 0.2

async function runRound(
  fault: Fault,
  site: Site,
  { randomness, buyers, aroundMs }: Rounds,
): Promise<Pick<RoundResult, 'purchases' | 'measured'> & { mendedMs: number }> {
  let isBroken = false
  const crowd = startBuyers(site.till, {
    buyers,
    pauseMs: PAUSE_MS,
    randomness,
    fault: () => (isBroken && fraction(randomness) < FAULTY_SHARE ? (fault.header ?? null) : null),
  })
  await delay(aroundMs * (0.5 + fraction(randomness)))
  isBroken = true
  const mend = await fault.begin(site, randomness)
  const [least, most] = fault.holdMs
  await delay(least + (most - least) * fraction(randomness))
  await mend()
  isBroken = false
  const mendedMs = performance.now()
  await untilServing(site.balancer)
  await delay(aroundMs)
  crowd.stop()
  await crowd.ended
  return { ...crowd, mendedMs }
}

/** A request that asks for a fault of its processor has its own, which ends when the processor answers. */
function afterFault({ steps }: Measured, { fault, mendedMs }: { fault: Fault; mendedMs: number }): number {
  const waits = steps.flatMap(({ begunMs, endedMs, isFaulty }) => {
    if (isFaulty) return [endedMs - Math.max(mendedMs, begunMs + (fault.lastsMs ?? 0))]
    return begunMs < mendedMs ? [endedMs - mendedMs] : []
  })
  return Math.max(0, ...waits)
}

interface RoundResult {
  purchases: readonly Purchase[]
  measured: Measured
  afterFaultMs: number
  verdict: Verdict
}

function note(line: Line, { purchases, measured, afterFaultMs, verdict }: RoundResult): void {
  line.rounds += 1
  line.purchases += purchases.length
  line.requests += measured.requests
  line.unanswered += measured.unanswered
  line.lost += verdict.lost.length
  line.doubled += verdict.doubled.length
  line.stuck += verdict.stuck.length
  line.wrong += verdict.wrong.length
  if (measured.longestAnswerMs > line.longestAnswerMs) line.slowest = measured.slowest
  line.longestAnswerMs = Math.max(line.longestAnswerMs, measured.longestAnswerMs)
  line.longestRecoveryMs = Math.max(line.longestRecoveryMs, measured.longestRecoveryMs)
  line.afterFaultMs = Math.max(line.afterFaultMs, afterFaultMs)
  line.webhooksMs = Math.max(line.webhooksMs, verdict.webhooksMs)
  for (const { kind, outcome, problems } of purchases) {
    if (outcome === 'refused') line.refusals.push(`${kind}: ${problems.join()}`)
  }
  for (const [what, times] of measured.instead) line.instead.set(what, (line.instead.get(what) ?? 0) + times)
  line.violations.push(
    ...verdict.lost.map((what) => `lost: ${what}`),
    ...verdict.doubled.map((what) => `doubled: ${what}`),
    ...verdict.stuck.map((what) => `stuck: ${what}`),
    ...verdict.wrong.map((what) => `wrong: ${what}`),
    ...tooSlow(measured),
    ...(afterFaultMs > RECOVERY_MS
      ? [`slow: an outcome came ${Math.round(afterFaultMs)} ms after the fault had ended`]
      : []),
    ...(line.fault.unnoticed === true ? noticed(purchases, measured) : []),
  )
}

function tooSlow({ longestAnswerMs, longestRetryAfterMs }: Measured): string[] {
  return [
    ...(longestAnswerMs > ANSWER_MS ? [`slow: a client waited ${Math.round(longestAnswerMs)} ms for an answer`] : []),
    ...(longestRetryAfterMs > ANSWER_MS ? [`slow: a client was told to wait ${longestRetryAfterMs} ms`] : []),
  ]
}

function noticed(purchases: readonly Purchase[], { instead }: Measured): string[] {
  return [
    ...[...instead].map(([what, times]) => `noticed: ${times} requests got ${what}`),
    ...purchases.filter(({ outcome }) => outcome === 'refused').map(({ problems }) => `noticed: ${problems.join()}`),
  ]
}
