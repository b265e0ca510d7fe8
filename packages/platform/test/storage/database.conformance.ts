import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, type Statement } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { holdsLikeItsModel } from './database-model.conformance.ts'
import { sharesStatements } from './shared-statements.conformance.ts'

/** A table for the tests. Each test uses an account of its own, so all share one database. */
const MIGRATION = {
  id: '0001-things',
  statements: [
    'CREATE TABLE things (account {text}, id {text}, count {int} NOT NULL, note {text}, PRIMARY KEY (account, id)) {strict}',
  ],
}

/**
 * Conformance tests of every engine.
 *
 * @param open Opens a new, empty database. The suite closes it.
 */
export function databaseConformance(name: string, open: () => Promise<Database>): void {
  describe(`a database in ${name}`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
      await migrate(database, [MIGRATION])
    })
    afterAll(() => database.close())
    const given = () => database
    unitsAreWhole(given)
    unitsInParallel(given)
    valuesComeBack(given)
    mistakesStayAlone(given)
    sharesStatements(given)
    holdsLikeItsModel(given)
    closing(open)
  })
}

function unitsAreWhole(given: () => Database): void {
  test('all statements of a transaction take effect', async () => {
    const outcome = await given().write([insert('whole', 'a', 1), insert('whole', 'b', 2)])
    expect(outcome).toEqual({ outcome: 'committed', returned: [[], []] })
    expect(await ids(given(), 'whole')).toEqual(['a', 'b'])
  })

  test('a broken guard undoes its transaction and is named', async () => {
    await given().write([insert('guard', 'a', 1)])
    const outcome = await given().write([
      insert('guard', 'b', 1),
      set('guard', 'a', 7),
      { ...set('guard', 'c', 7), expect: 1 },
    ])
    expect(outcome).toEqual({ outcome: 'refused', statement: 2, reason: 'expectation' })
    expect(await given().read('SELECT id, count FROM things WHERE account = ?', ['guard'])).toEqual([
      { id: 'a', count: 1 },
    ])
  })

  test('a guard can ask for no row or for several', async () => {
    await given().write([insert('several', 'a', 1), insert('several', 'b', 1)])
    const all: Statement = { sql: 'UPDATE things SET count = 5 WHERE account = ?', params: ['several'], expect: 2 }
    const none: Statement = {
      sql: 'DELETE FROM things WHERE account = ? AND count < 5',
      params: ['several'],
      expect: 0,
    }
    expect(await given().write([all, none])).toEqual({ outcome: 'committed', returned: [[], []] })
  })

  test('a guard can be a question, which sees what its transaction has changed and changes nothing', async () => {
    const holds = (count: number, expected: number): Statement => ({
      sql: 'SELECT id FROM things WHERE account = ? AND count = ?',
      params: ['question', count],
      expect: expected,
    })
    await given().write([insert('question', 'a', 1)])
    const outcome = await given().write([set('question', 'a', 2), holds(2, 1)])
    expect(outcome).toEqual({ outcome: 'committed', returned: [[], []] })
    const refused = await given().write([set('question', 'a', 3), holds(2, 1)])
    expect(refused).toEqual({ outcome: 'refused', statement: 1, reason: 'expectation' })
  })

  test('a duplicate undoes its transaction and is named', async () => {
    await given().write([insert('twice', 'a', 1)])
    const outcome = await given().write([insert('twice', 'b', 1), insert('twice', 'a', 1)])
    expect(outcome).toEqual({ outcome: 'refused', statement: 1, reason: 'duplicate' })
    expect(await ids(given(), 'twice')).toEqual(['a'])
  })

  test('an insert that meets a row and does nothing breaks its guard', async () => {
    const claim: Statement = { ...insert('claim', 'a', 1), expect: 1 }
    const gentle = { ...claim, sql: `${claim.sql} ON CONFLICT DO NOTHING` }
    expect(await given().write([gentle])).toMatchObject({ outcome: 'committed' })
    expect(await given().write([gentle])).toEqual({ outcome: 'refused', statement: 0, reason: 'expectation' })
  })

  test('the rows of a RETURNING come back at their statement', async () => {
    const returning = { ...insert('rows', 'b', 2), sql: `${insert('rows', 'b', 2).sql} RETURNING id, count` }
    const outcome = await given().write([insert('rows', 'a', 1), returning, { ...set('rows', 'a', 3), expect: 1 }])
    expect(outcome).toEqual({ outcome: 'committed', returned: [[], [{ id: 'b', count: 2 }], []] })
  })
}

function unitsInParallel(given: () => Database): void {
  test('of 64 transactions that take one of ten, exactly ten commit', async () => {
    await given().write([insert('stock', 'shirt', 10)])
    const take: Statement = {
      sql: 'UPDATE things SET count = count - 1 WHERE account = ? AND id = ? AND count > 0',
      params: ['stock', 'shirt'],
      expect: 1,
    }
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, i) => given().write([insert('stock', `order${i}`, 1), take])),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'committed')).toHaveLength(10)
    expect(await ids(given(), 'stock')).toHaveLength(11)
    expect(await given().read('SELECT count FROM things WHERE account = ? AND id = ?', ['stock', 'shirt'])).toEqual([
      { count: 0 },
    ])
  })

  test('of 100 transactions with one key, exactly one commits', async () => {
    const transactions = Array.from({ length: 100 }, (_, i) => [
      insert('key', 'same', i),
      insert('key', `effect${i}`, i),
    ])
    const outcomes = await Promise.all(transactions.map((transaction) => given().write(transaction)))
    const refused = { outcome: 'refused', statement: 0, reason: 'duplicate' }
    expect(outcomes.filter((outcome) => outcome.outcome === 'refused')).toEqual(
      Array.from({ length: 99 }, () => refused),
    )
    expect(await ids(given(), 'key')).toHaveLength(2)
  })

  test('refused and mistaken transactions leave those beside them alone', async () => {
    await given().write([insert('beside', 'taken', 0)])
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => {
        const mine = insert('beside', `mine${i}`, i)
        if (i % 5 === 1) return given().write([mine, insert('beside', 'taken', 1)])
        if (i % 5 === 3) return given().write([mine, { sql: 'UPDATE nowhere SET x = 1', params: [] }])
        return given().write([mine])
      }),
    )
    const kinds = outcomes.map((result) => (result.status === 'rejected' ? 'rejected' : result.value.outcome))
    const expected = ['committed', 'refused', 'committed', 'rejected', 'committed']
    expect(kinds).toEqual(Array.from({ length: 8 }, () => expected).flat())
    expect(await ids(given(), 'beside')).toHaveLength(1 + 24)
  })

  test('a read that starts after a commit sees it', async () => {
    const seen = Array.from({ length: 50 }, async (_, i) => {
      await given().write([insert('seen', `${i}`, i)])
      return given().read('SELECT count FROM things WHERE account = ? AND id = ?', ['seen', `${i}`])
    })
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 50 }, (_, i) => [{ count: i }]))
  })
}

function valuesComeBack(given: () => Database): void {
  test('text is ordered by its bytes, so that a keyset page ends where the next begins', async () => {
    const sorted = ['A', 'B', 'Z', '_', 'a', 'b', 'ä', '日']
    await given().write(sorted.toReversed().map((id) => insert('order', id, 0)))
    expect(await ids(given(), 'order')).toEqual(sorted)
    const page = 'SELECT id FROM things WHERE account = ? AND id > ? ORDER BY id LIMIT ?'
    expect(await given().read(page, ['order', 'Z', 2])).toEqual([{ id: '_' }, { id: 'a' }])
  })

  test.each([0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'the number %d comes back',
    async (count) => {
      await given().write([insert('number', `${count}`, count)])
      const sql = 'SELECT count, count / 2 AS half FROM things WHERE account = ? AND count = ?'
      const half = Number(BigInt(count) / 2n)
      expect(await given().read(sql, ['number', count])).toEqual([{ count, half }])
    },
  )

  test('a number is a whole number in SQL too', async () => {
    await given().write([insert('division', 'a', 7)])
    const sql = 'SELECT count / ? AS quotient FROM things WHERE account = ?'
    expect(await given().read(sql, [2, 'division'])).toEqual([{ quotient: 3 }])
  })

  test('a number too large for JavaScript is an error, not another number', async () => {
    await given().write([insert('large', 'a', Number.MAX_SAFE_INTEGER)])
    const next = given().read('SELECT count + 1 AS next FROM things WHERE account = ?', ['large'])
    await expect(next).rejects.not.toBeInstanceOf(DatabaseUnavailable)
  })

  test.each([null, '', 'it\'s ? "quoted" \\', 'Ünïcödé 日本語 👩‍👩‍👧', 'x'.repeat(1_000_000)])(
    'text comes back: %.20s',
    async (note) => {
      const insertNote = 'INSERT INTO things (account, id, count, note) VALUES (?, ?, 0, ?)'
      const id = `${note?.length}`
      await given().write([{ sql: insertNote, params: ['text', id, note] }])
      expect(await given().read('SELECT note FROM things WHERE account = ? AND id = ?', ['text', id])).toEqual([
        { note },
      ])
    },
  )

  test('a question mark within quotes is text', async () => {
    const sql = `SELECT '?' AS "what?", id FROM things WHERE account = ? AND note IS NULL AND '''?' <> id`
    await given().write([insert('quotes', 'a', 1)])
    expect(await given().read(sql, ['quotes'])).toEqual([{ 'what?': '?', id: 'a' }])
  })
}

function mistakesStayAlone(given: () => Database): void {
  test('a mistake in the SQL rejects its read, and it alone', async () => {
    const count = 'SELECT count(*) AS n FROM things WHERE account = ?'
    const reads = ['SELECT count(*) AS n FROM nowhere WHERE x = ?', count, 'SELEC ?', count]
    const results = await Promise.allSettled(reads.map((sql) => given().read(sql, ['nobody'])))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toEqual({ status: 'fulfilled', value: [{ n: 0 }] })
  })

  test('a broken rule of a table that is no unique key rejects the transaction', async () => {
    const transaction = [
      insert('rule', 'a', 1),
      { sql: 'INSERT INTO things (account, id) VALUES (?, ?)', params: ['rule', 'b'] },
    ]
    const error = await given()
      .write(transaction)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(DatabaseUnavailable)
    expect(await ids(given(), 'rule')).toEqual([])
  })

  test('a read cannot write', async () => {
    const { sql, params } = insert('reader', 'a', 1)
    await expect(given().read(sql, params)).rejects.toThrow()
    expect(await ids(given(), 'reader')).toEqual([])
  })
}

function closing(open: () => Promise<Database>): void {
  test('closing waits for what was written, and nothing is served afterwards', async () => {
    const database = await open()
    await migrate(database, [MIGRATION])
    const writes = Array.from({ length: 20 }, (_, i) => database.write([insert('last', `${i}`, i)]))
    await Promise.all([database.close(), database.close()])
    expect((await Promise.all(writes)).every(({ outcome }) => outcome === 'committed')).toBe(true)
    await expect(database.read('SELECT 1', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(database.write([insert('last', 'late', 1)])).rejects.toBeInstanceOf(DatabaseUnavailable)
  })
}

function insert(account: string, id: string, count: number): Statement {
  return { sql: 'INSERT INTO things (account, id, count) VALUES (?, ?, ?)', params: [account, id, count] }
}

function set(account: string, id: string, count: number): Statement {
  return { sql: 'UPDATE things SET count = ? WHERE account = ? AND id = ?', params: [count, account, id] }
}

async function ids(database: Database, account: string): Promise<readonly unknown[]> {
  const rows = await database.read('SELECT id FROM things WHERE account = ? ORDER BY id', [account])
  return rows.map(({ id }) => id)
}
