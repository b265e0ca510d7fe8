import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database, Statement, WriteOutcome } from '../../src/storage/database.ts'

/** Operations on a row, which the model predicts. */
type Step =
  | { do: 'insert'; id: string; count: number }
  | { do: 'add'; id: string; count: number; guarded: boolean }
  | { do: 'delete'; id: string; guarded: boolean }

type Model = ReadonlyMap<string, number>

const id = fc.constantFrom('a', 'b', 'c', 'd')
const count = fc.integer({ min: -5, max: 5 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), id, count }),
  fc.record({ do: fc.constant('add' as const), id, count, guarded: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), id, guarded: fc.boolean() }),
)
const transactions = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })

/** Any transactions have the outcomes, and leave the rows, that a map in memory says. */
export function holdsLikeItsModel(given: () => Database): void {
  test('any transactions one after another do what they do to a map in memory', async () => {
    let run = 0
    const property = fc.asyncProperty(transactions, async (sequence) => {
      const account = `model${++run}`
      let model: Model = new Map()
      for (const steps of sequence) {
        const expected = apply(model, steps)
        const outcome = await given().write(steps.map((each) => statementOf(account, each)))
        expect(outcome).toEqual(expected.outcome)
        model = expected.model
      }
      expect(await contents(given(), account)).toEqual(new Map(model))
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('any transactions at once leave what some order of them leaves', async () => {
    let run = 0
    const moves = fc.array(fc.record({ from: id, to: id, amount: fc.integer({ min: 1, max: 8 }) }), { maxLength: 40 })
    const property = fc.asyncProperty(moves, async (batch) => {
      const account = `moves${++run}`
      const start = ['a', 'b', 'c', 'd'].map((name): Step => ({ do: 'insert', id: name, count: 10 }))
      await given().write(start.map((each) => statementOf(account, each)))
      const outcomes = await Promise.all(batch.map((move) => given().write(moveTransaction(account, move))))
      const expected = new Map([
        ['a', 10],
        ['b', 10],
        ['c', 10],
        ['d', 10],
      ])
      for (const [i, { from, to, amount }] of batch.entries()) {
        if (outcomes[i]?.outcome !== 'committed') continue
        expected.set(from, (expected.get(from) ?? 0) - amount)
        expected.set(to, (expected.get(to) ?? 0) + amount)
      }
      expect(await contents(given(), account)).toEqual(expected)
      expect([...expected.values()].every((left) => left >= 0)).toBe(true)
    })
    await fc.assert(property, { numRuns: 30 })
  })
}

function apply(model: Model, steps: readonly Step[]): { model: Model; outcome: WriteOutcome } {
  const next = new Map(model)
  for (const [statement, each] of steps.entries()) {
    const before = next.get(each.id)
    if (each.do === 'insert') {
      if (before !== undefined) return { model, outcome: { outcome: 'refused', statement, reason: 'duplicate' } }
      next.set(each.id, each.count)
    } else if (before === undefined) {
      if (each.guarded) return { model, outcome: { outcome: 'refused', statement, reason: 'expectation' } }
    } else if (each.do === 'add') next.set(each.id, before + each.count)
    else next.delete(each.id)
  }
  return { model: next, outcome: { outcome: 'committed', returned: steps.map(() => []) } }
}

function statementOf(account: string, each: Step): Statement {
  switch (each.do) {
    case 'insert':
      return { sql: 'INSERT INTO things (account, id, count) VALUES (?, ?, ?)', params: [account, each.id, each.count] }
    case 'add':
      return guard(each.guarded, {
        sql: 'UPDATE things SET count = count + ? WHERE account = ? AND id = ?',
        params: [each.count, account, each.id],
      })
    case 'delete':
      return guard(each.guarded, { sql: 'DELETE FROM things WHERE account = ? AND id = ?', params: [account, each.id] })
  }
}

function guard(guarded: boolean, statement: Statement): Statement {
  return guarded ? { ...statement, expect: 1 } : statement
}

function moveTransaction(
  account: string,
  { from, to, amount }: { from: string; to: string; amount: number },
): Statement[] {
  const change = 'UPDATE things SET count = count + ? WHERE account = ? AND id = ? AND count + ? >= 0'
  return [
    { sql: change, params: [-amount, account, from, -amount], expect: 1 },
    { sql: change, params: [amount, account, to, amount], expect: 1 },
  ]
}

async function contents(database: Database, account: string): Promise<ReadonlyMap<unknown, unknown>> {
  const rows = await database.read('SELECT id, count FROM things WHERE account = ? ORDER BY id', [account])
  return new Map(rows.map((row) => [row['id'], row['count']]))
}
