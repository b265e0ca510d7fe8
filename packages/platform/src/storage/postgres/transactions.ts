import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseFenced, type Row, type Transaction, type WriteOutcome } from '../database.ts'
import { sharedStatements } from '../shared-statements.ts'
import { type Answer, type BatchResult, type BatchStatement, rowsOf } from './batch.ts'
import type { Link } from './connection.ts'
import { DIVISION_BY_ZERO, failureOf, isCutOff, serverCode, unavailable } from './failures.ts'
import type { GroupLimits, Waiting } from './groups.ts'
import type { Translate } from './translate.ts'

/** A transaction and its caller's promise. */
export interface WaitingTransaction extends Waiting {
  transaction: Transaction
  resolve(outcome: WriteOutcome): void
}

/**
 * The outcome of running a group. `undone`: transaction number `culprit` failed; `verdict` holds for it only if it is
 * the first. `cut off`: it took too long, wherever it stands, and is not tried again.
 */
type Attempt =
  | { outcome: 'committed'; answers: readonly Answer[] }
  | { outcome: 'transient' | 'unavailable'; error: Error }
  | { outcome: 'cut off'; culprit: number; error: Error }
  | { outcome: 'undone'; culprit: number; verdict: WriteOutcome | Error }

/**
 * How often a transaction is retried after transient failures; with the pauses in between, this takes just over a
 * second.
 */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 5

/**
 * Commits callers' transactions in as few database transactions as their outcomes allow, and settles each. Never
 * rejects.
 *
 * A transaction that fails rolls its whole group back. Those before it are run again as their own group, which is
 * likely to succeed; a transaction that fails as the first of its group gets its verdict; group sizes then start small
 * again. After a conflict with another database transaction, they are run one by one, which holds the fewest locks.
 */
export async function settleTransactions(
  link: Link,
  transactions: readonly WaitingTransaction[],
  options: SettleOptions,
): Promise<void> {
  let rest: readonly WaitingTransaction[] = transactions.toSorted((a, b) => byLockOrder(a.transaction, b.transaction))
  let size = transactions.length
  let growth = 2
  let attempts = 0
  while (rest.length > 0) {
    const group = rest.slice(0, size)
    const attempt = await tryGroup(link, group, options)
    if (attempt.outcome === 'transient' && ++attempts < MAX_ATTEMPTS && performance.now() < options.untilMs) {
      size = 1
      growth = 1
      await delay(pauseMs(attempts))
    } else if (attempt.outcome === 'cut off') {
      rest[attempt.culprit]?.reject(unavailable(attempt.error))
      rest = rest.toSpliced(attempt.culprit, 1)
    } else if (attempt.outcome === 'undone' && attempt.culprit > 0) {
      size = attempt.culprit
    } else {
      rest = rest.slice(settle(group, attempt))
      size = attempt.outcome === 'committed' ? size * growth : 1
      attempts = 0
    }
  }
}

async function tryGroup(
  link: Link,
  group: readonly WaitingTransaction[],
  { translate, untilMs, fence: { schema } }: SettleOptions,
): Promise<Attempt> {
  const transactions = group.map(({ transaction }) => transaction)
  const statements = [...transactions.flat().filter(({ shared }) => !shared), ...sharedStatements(transactions)]
  const batch = statements.map((statement) => ({ ...translate(statement), params: statement.params }))
  try {
    const result = await link.run([...batch, ...fenceOf(schema)], untilMs)
    if (result.outcome === 'done') return { outcome: 'committed', answers: result.answers.slice(0, batch.length) }
    if (schema !== null && result.statement === batch.length && serverCode(result.error) === DIVISION_BY_ZERO) {
      return { outcome: 'unavailable', error: new DatabaseFenced(schema) }
    }
    return judge(group, result)
  } catch (error) {
    return { outcome: 'unavailable', error: unavailable(error) }
  }
}

/**
 * The schema that this process knows, once it is to be held to it.
 *
 * Whether a newer version has gone beyond it is asked last in each group, when the group has written: a process that
 * shuts this one out afterwards sees that the group is still open, and waits for it.
 */
export interface Fence {
  schema: number | null
}

function fenceOf(schema: number | null): readonly BatchStatement[] {
  if (schema === null) return []
  const text = 'SELECT 1 / (oldest <= $1::bigint)::int FROM schema_state WHERE id = 1'
  return [{ name: 'fence', text, params: [schema] }]
}

interface SettleOptions extends GroupLimits {
  translate: Translate
  fence: Fence
}

/** Finds the transaction at which a batch failed, and the consequence. */
function judge(group: readonly WaitingTransaction[], result: Extract<BatchResult, { outcome: 'failed' }>): Attempt {
  const { error } = result
  const { culprit, statement, guarded } = findFailed(group, result.statement)
  if (isCutOff(error) && statement !== null) return { outcome: 'cut off', culprit, error }
  const failure = failureOf(error, guarded)
  switch (failure) {
    case 'read-only': // nothing was changed, and the link looks for another server
    case 'transient':
      return { outcome: 'transient', error }
    case 'unavailable':
      return { outcome: 'unavailable', error }
    case 'mistake':
      return { outcome: 'undone', culprit, verdict: error }
    case 'expectation':
    case 'duplicate':
      if (statement === null) return { outcome: 'undone', culprit, verdict: error }
      return { outcome: 'undone', culprit, verdict: { outcome: 'refused', statement, reason: failure } }
  }
}

/**
 * The transaction of the group at which a batch failed, and the index of the failed statement unless it is a shared
 * one.
 */
interface FailedStatement {
  culprit: number
  statement: number | null
  guarded: boolean
}

/**
 * Finds the statement that was sent as number `sent`. A shared statement may have failed because of any transaction, so
 * the middle one is blamed: this halves the group until a transaction fails alone.
 */
function findFailed(group: readonly WaitingTransaction[], sent: number): FailedStatement {
  let before = 0
  for (const [culprit, { transaction }] of group.entries()) {
    for (const [statement, { shared, expect }] of transaction.entries()) {
      if (shared) continue
      if (before === sent) return { culprit, statement, guarded: expect !== undefined }
      before += 1
    }
  }
  return { culprit: Math.floor(group.length / 2), statement: null, guarded: false }
}

/** @returns How many transactions of the group are now settled. */
function settle(group: readonly WaitingTransaction[], attempt: Exclude<Attempt, { outcome: 'cut off' }>): number {
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
  for (const { transaction, resolve, reject } of group) {
    const its = transaction.map(({ shared }) => (shared ? undefined : answers[next++]))
    try {
      resolve({ outcome: 'committed', returned: transaction.map(({ expect }, i) => rowsReturned(its[i], expect)) })
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** A guarded statement returns the row of its guard instead. */
function rowsReturned(answer: Answer | undefined, expect: number | undefined): readonly Row[] {
  return answer === undefined || expect !== undefined ? [] : rowsOf(answer)
}

/** Jitter separates transactions that collided. Not from the platform's randomness, whose sequence must not shift. */
function pauseMs(attempts: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.5 + Math.random())
}

/**
 * Sorts a group's transactions by their first text parameter, the account; shared statements run after all others and
 * do not count. Every process thereby locks the busy rows of accounts (budgets, counters) in the same order, which
 * prevents deadlocks. Without it, ten busy accounts slow three processes from 33,000 transactions a second down to 200.
 */
function byLockOrder(a: Transaction, b: Transaction): number {
  const keyOfA = lockKey(a)
  const keyOfB = lockKey(b)
  if (keyOfA === keyOfB) return 0
  return keyOfA < keyOfB ? -1 : 1
}

function lockKey(transaction: Transaction): string {
  const first = transaction.find(({ shared }) => !shared)
  for (const param of first?.params ?? []) if (typeof param === 'string') return param
  return ''
}
