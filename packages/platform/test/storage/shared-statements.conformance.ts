import { expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, type Statement } from '../../src/storage/database.ts'

/** Conformance tests of statements that transactions share, and of the placeholders for the engines' own words. */
export function sharesStatements(given: () => Database): void {
  test('what transactions share takes effect with each of them that commits, and with no other', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, i) => given().write([note(`taken${i % 40}`), shared(count, i % 2)])),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'committed')).toHaveLength(40)
    const even = outcomes.filter(({ outcome }, i) => outcome === 'committed' && i % 2 === 0).length
    expect(await counters(given())).toEqual([
      { id: 'shared0', count: even },
      { id: 'shared1', count: 40 - even },
    ])
  })

  test('rows come back at their statements, and a guard is named by its place, next to shared statements', async () => {
    const read: Statement = { ...note('row'), sql: `${note('row').sql} RETURNING id` }
    const done = await given().write([shared(count, 2), read, shared(count, 2)])
    expect(done).toEqual({ outcome: 'committed', returned: [[], [{ id: 'row' }], []] })
    const refused = await given().write([shared(count, 2), { ...change('nowhere'), expect: 1 }])
    expect(refused).toEqual({ outcome: 'refused', statement: 1, reason: 'expectation' })
    expect(await counters(given())).toContainEqual({ id: 'shared2', count: 2 })
  })

  test('a mistake in what is shared rejects the transactions that share it, and them alone', async () => {
    const mistaken = (i: number) => given().write([note(`mistaken${i}`), shared('INSERT INTO nowhere SELECT ?', 3)])
    const right = (i: number) => given().write([note(`right${i}`), shared(count, 3)])
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => (i % 4 === 1 ? mistaken(i) : right(i))),
    )
    const kinds = results.map(({ status }) => status)
    expect(kinds).toEqual(results.map((_, i) => (i % 4 === 1 ? 'rejected' : 'fulfilled')))
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).not.toBeInstanceOf(DatabaseUnavailable)
    }
    expect(await counters(given())).toContainEqual({ id: 'shared3', count: 9 })
    expect(await given().read("SELECT id FROM things WHERE account = 'notes' AND id = 'mistaken1'", [])).toEqual([])
  })

  test('rows that are shared one by one arrive as the values that they were', async () => {
    const row = (id: string, count: number, text: string | null): Statement => ({
      sql: insertEach,
      params: [count, id, text],
      shared: true,
    })
    await Promise.all([
      given().write([row('each1', 2 ** 53 - 1, '{"a":"\\"?\\u2028"}'), note('each'), row('each2', -1, null)]),
      given().write([row('each3', 0, '')]),
      given().write([note('each-refused'), { ...change('nowhere'), expect: 1 }, row('each4', 0, '')]),
    ])
    const rows = await given().read("SELECT id, count, note FROM things WHERE account = 'each' ORDER BY id", [])
    expect(rows).toEqual([
      { id: 'each1', count: 2 ** 53 - 1, note: '{"a":"\\"?\\u2028"} each1' },
      { id: 'each2', count: -1, note: null },
      { id: 'each3', count: 0, note: ' each3' },
    ])
  })
}

/** Takes its parameters in another order, and one of them twice. */
const insertEach = `INSERT INTO things (account, id, count, note)
  SELECT 'each', item.value ->> 1, CAST(item.value ->> 0 AS BIGINT), item.value ->> 2 || ' ' || (item.value ->> 1) FROM {each}`

/** Each text is an item's number; equal ones are added up, and each writer has a row of its own for each. */
const count = `INSERT INTO things (account, id, count, note)
  SELECT 'counters ' || {writer}, 'shared' || (item.value ->> 0), count(*), NULL FROM {items} WHERE true GROUP BY 1, 2
  ON CONFLICT (account, id) DO UPDATE SET count = things.count + excluded.count`

function shared(sql: string, item: number): Statement {
  return { sql, params: [`[${item}]`], shared: true }
}

function note(id: string): Statement {
  return { sql: "INSERT INTO things (account, id, count) VALUES ('notes', ?, 0)", params: [id] }
}

function change(id: string): Statement {
  return { sql: "UPDATE things SET count = 1 WHERE account = 'notes' AND id = ?", params: [id] }
}

function counters(database: Database): Promise<readonly unknown[]> {
  const sql = "SELECT id, sum(count) AS count FROM things WHERE id > 'shared' AND id < 'sharee' GROUP BY id ORDER BY id"
  return database.read(sql, [])
}
