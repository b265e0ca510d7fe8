import { setTimeout as delay } from 'node:timers/promises'
import type { Row, Transaction, WriteOutcome } from '../database.ts'
import { sharedStatements } from '../shared-statements.ts'
import { type Answer, type BatchResult, type BatchStatement, failureOf, rowsOf, unavailable } from './batch.ts'
import type { Link } from './connection.ts'
import type { Translate } from './translate.ts'

/** A unit whose caller waits for the outcome. */
export interface WaitingTransaction {
  unit: Transaction
  resolve(outcome: WriteOutcome): void
  reject(error: Error): void
}

/** Result of committing a group. `undone`: unit number `culprit` failed; `verdict` applies to it if it came first. */
type Attempt =
  | { outcome: 'committed'; answers: readonly Answer[] }
  | { outcome: 'transient' | 'unavailable'; error: Error }
  | { outcome: 'undone'; culprit: number; verdict: WriteOutcome | Error }

const BEGIN: BatchStatement = { name: 'begin', text: 'BEGIN', params: [] }
const COMMIT: BatchStatement = { name: 'commit', text: 'COMMIT', params: [] }

/** How often a unit is tried that fails by bad luck; with the pauses between, over about a second. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 5

/**
 * Commits units in as few transactions as their outcomes allow, and settles each. Never rejects.
 *
 * A unit that fails takes its whole transaction with it. Those before it are then run as a group of their own, which is
 * likely to succeed; one that fails as the first of its group has its verdict; behind it groups start small again. After
 * a collision with another transaction the units go one by one, which holds the fewest locks.
 */
export async function settleUnits(
  link: Link,
  units: readonly WaitingTransaction[],
  translate: Translate,
): Promise<void> {
  let rest: readonly WaitingTransaction[] = units.toSorted((a, b) => byLockOrder(a.unit, b.unit))
  let size = units.length
  let growth = 2
  let attempts = 0
  while (rest.length > 0) {
    const group = rest.slice(0, size)
    const attempt = await tryGroup(link, group, translate)
    if (attempt.outcome === 'transient' && ++attempts < MAX_ATTEMPTS) {
      size = 1
      growth = 1
      await delay(pauseMs(attempts))
    } else if (attempt.outcome === 'undone' && attempt.culprit > 0) {
      size = attempt.culprit
    } else {
      rest = rest.slice(settle(group, attempt))
      size = attempt.outcome === 'committed' ? size * growth : 1
      attempts = 0
    }
  }
}

async function tryGroup(link: Link, group: readonly WaitingTransaction[], translate: Translate): Promise<Attempt> {
  const units = group.map(({ unit }) => unit)
  const statements = [...units.flat().filter(({ shared }) => !shared), ...sharedStatements(units)]
  const batch = statements.map((statement) => ({ ...translate(statement), params: statement.params }))
  try {
    const result = await link.run([BEGIN, ...batch, COMMIT])
    return result.outcome === 'done'
      ? { outcome: 'committed', answers: result.answers.slice(1, -1) }
      : judge(group, result)
  } catch (error) {
    return { outcome: 'unavailable', error: unavailable(error) }
  }
}

/** Finds the unit that a batch failed at, and what that means. */
function judge(group: readonly WaitingTransaction[], result: Extract<BatchResult, { outcome: 'failed' }>): Attempt {
  const { error } = result
  const { culprit, statement, guarded } = findFailed(group, result.statement - 1) // BEGIN is none of theirs
  const failure = failureOf(error, guarded)
  switch (failure) {
    case 'transient':
    case 'unavailable':
      return { outcome: failure, error }
    case 'mistake':
      return { outcome: 'undone', culprit, verdict: error }
    case 'expectation':
    case 'duplicate':
      if (statement === null) return { outcome: 'undone', culprit, verdict: error }
      return { outcome: 'undone', culprit, verdict: { outcome: 'refused', statement, reason: failure } }
  }
}

/** Where a batch failed: at which unit of the group, and at which of its statements if it was its own. */
interface FailedStatement {
  culprit: number
  statement: number | null
  guarded: boolean
}

/**
 * Finds the statement that was sent as number `sent`. One that is shared may be anybody's: the unit in the middle stands
 * for it, so that the group is halved until a unit answers alone.
 */
function findFailed(group: readonly WaitingTransaction[], sent: number): FailedStatement {
  let before = 0
  for (const [culprit, { unit }] of group.entries()) {
    for (const [statement, { shared, expect }] of unit.entries()) {
      if (shared) continue
      if (before === sent) return { culprit, statement, guarded: expect !== undefined }
      before += 1
    }
  }
  return { culprit: Math.floor(group.length / 2), statement: null, guarded: false }
}

/** @returns How many units of the group have their outcome now. */
function settle(group: readonly WaitingTransaction[], attempt: Attempt): number {
  switch (attempt.outcome) {
    case 'committed':
      confirm(group, attempt.answers)
      return group.length
    case 'unavailable':
      for (const { reject } of group) reject(unavailable(attempt.error))
      return group.length
    case 'transient':
      group[0]?.reject(unavailable(attempt.error))
      return 1
    case 'undone':
      if (attempt.verdict instanceof Error) group[0]?.reject(attempt.verdict)
      else group[0]?.resolve(attempt.verdict)
      return 1
  }
}

function confirm(group: readonly WaitingTransaction[], answers: readonly Answer[]): void {
  let next = 0
  for (const { unit, resolve, reject } of group) {
    const its = unit.map(({ shared }) => (shared ? undefined : answers[next++]))
    try {
      resolve({ outcome: 'committed', returned: unit.map(({ expect }, i) => rowsReturned(its[i], expect)) })
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** Returns no rows for a guarded statement: the only row it yields belongs to its guard. */
function rowsReturned(answer: Answer | undefined, expect: number | undefined): readonly Row[] {
  return answer === undefined || expect !== undefined ? [] : rowsOf(answer)
}

/** The jitter parts transactions that collided. It is not the platform's randomness, whose draws must not shift. */
function pauseMs(attempts: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.5 + Math.random())
}

/**
 * The order in which a group runs its units: by the first text parameter of each, which is the account; what is shared
 * runs behind them all and does not count. All groups of all processes so lock the busy rows of accounts (budgets,
 * counters) in one order and none waits for one that waits for it. Without it ten busy accounts bring three processes
 * from 33,000 units a second down to 200.
 */
function byLockOrder(a: Transaction, b: Transaction): number {
  const keyOfA = lockKey(a)
  const keyOfB = lockKey(b)
  if (keyOfA === keyOfB) return 0
  return keyOfA < keyOfB ? -1 : 1
}

function lockKey(unit: Transaction): string {
  const first = unit.find(({ shared }) => !shared)
  for (const param of first?.params ?? []) if (typeof param === 'string') return param
  return ''
}
