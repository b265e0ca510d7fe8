import { expect, test } from 'vitest'
import type { Transaction, WriteOutcome } from '../database.ts'
import type { BatchResult, BatchStatement } from './batch.ts'
import type { Link } from './connection.ts'
import { settleTransactions } from './transactions.ts'
import { translator } from './translate.ts'

/** A server on which the given transaction always fails, and which notes the size of each transaction. */
function serverRefusing(account: string): { link: Link; sizes: number[] } {
  const sizes: number[] = []
  const run = async (statements: readonly BatchStatement[]): Promise<BatchResult> => {
    sizes.push(statements.length)
    const statement = statements.findIndex(({ params }) => params[0] === account)
    const answers = statements.map(() => ({ columns: [], lines: [] }))
    if (statement < 0) return { outcome: 'done', answers }
    const error = Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505' })
    return { outcome: 'failed', answers: answers.slice(0, statement), statement, error }
  }
  return { link: { run, close: async () => {} }, sizes }
}

async function settleAll(link: Link, accounts: readonly string[]): Promise<readonly WriteOutcome[]> {
  const outcomes: WriteOutcome[] = []
  const waiting = accounts.map((account) => {
    const transaction: Transaction = [{ sql: 'INSERT INTO t VALUES (?)', params: [account] }]
    const reject = (error: Error) => expect.unreachable(error.message)
    return { transaction, reject, resolve: (outcome: WriteOutcome) => void outcomes.push(outcome) }
  })
  await settleTransactions(link, waiting, { translate: translator(), fence: { schema: null }, untilMs: Infinity })
  return outcomes
}

test('one refused write among sixteen costs a few transactions, not sixteen', async () => {
  const { link, sizes } = serverRefusing('08')
  const outcomes = await settleAll(
    link,
    Array.from({ length: 16 }, (_, i) => String(i).padStart(2, '0')),
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 16 }, (_, i) => (i === 8 ? 'refused' : 'committed')),
  )
  expect(sizes).toEqual([16, 8, 8, 1, 2, 4])
})

test('a group runs in the order of its accounts, whatever the order of arrival', async () => {
  const seen: unknown[] = []
  const run = async (statements: readonly BatchStatement[]): Promise<BatchResult> => {
    seen.push(...statements.map(({ params }) => params[0]))
    return { outcome: 'done', answers: statements.map(() => ({ columns: [], lines: [] })) }
  }
  await settleAll({ run, close: async () => {} }, ['c', 'a', 'b'])
  expect(seen).toEqual(['a', 'b', 'c'])
})
