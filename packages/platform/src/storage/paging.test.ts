import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import type { Database, Row } from './database.ts'
import { newestFirst, readCursor, readPage, readRows, writeCursor } from './paging.ts'

const { key } = newestFirst

test('a position is read back from its cursor', () => {
  const positions = fc.tuple(fc.maxSafeNat(), fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/))
  fc.assert(
    fc.property(positions, (position) => {
      expect(readCursor(writeCursor(position), key)).toEqual(position)
    }),
  )
})

test('any other text is refused', () => {
  const other = ['', 'x', writeCursor([-1, 'a']), writeCursor([1, 'a\0']), writeCursor([1]), writeCursor([1, 'a', 'b'])]
  const tooLate = Buffer.from('9999999999999999 a').toString('base64url')
  for (const cursor of [...other, tooLate]) expect(() => readCursor(cursor, key), cursor).toThrow(ApiError)
})

const list = { sql: 'SELECT created_at, id FROM things WHERE account_id = ?', params: ['acc_1'], ...newestFirst }

/** A database that answers each read with at most as many of the rows as it asks for. */
function databaseOf(rows: readonly Row[]) {
  const asked: { sql: string; params: readonly unknown[] }[] = []
  const db: Pick<Database, 'read'> = {
    read(sql, params) {
      asked.push({ sql: sql.replaceAll(/\s+/g, ' '), params })
      return Promise.resolve(sql.endsWith('LIMIT ?') ? rows.slice(0, Number(params.at(-1))) : rows)
    },
  }
  return { db: db as Database, asked } // nothing else of it is used
}

test('a page reads one row more than it has, and its cursor leads behind its last row', async () => {
  const { db, asked } = databaseOf([
    { created_at: 30, id: 'c' },
    { created_at: 20, id: 'b' },
    { created_at: 10, id: 'a' },
  ])
  const read = (rows: readonly Row[]) => rows.map((row) => row['id'])
  const first = await readPage({ ...list, read }, { limit: 2 }, db)
  expect(first).toEqual({ data: ['c', 'b'], hasMore: true, nextCursor: writeCursor([20, 'b']) })
  await readPage({ ...list, read }, { limit: 3, after: writeCursor([20, 'b']) }, db)
  expect(asked).toEqual([
    { sql: `${list.sql} ORDER BY created_at DESC, id DESC LIMIT ?`, params: ['acc_1', 3] },
    {
      sql: `${list.sql} AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`,
      params: ['acc_1', 20, 'b', 4],
    },
  ])
})

test('the last page has no cursor, not even when it is full', async () => {
  const { db } = databaseOf([{ created_at: 30, id: 'c' }])
  const page = await readPage({ ...list, read: () => ['c'] }, { limit: 1 }, db)
  expect(page).toEqual({ data: ['c'], hasMore: false, nextCursor: null })
})

test('without a limit all rows are read', async () => {
  const { db, asked } = databaseOf([{ id: 'a' }, { id: 'b' }])
  const ids = { ...list, key: [{ name: 't.id', type: 'text' }], order: 'ascending' } as const
  expect(await readRows(ids, { after: ['0'], limit: undefined }, db)).toMatchObject({ rows: [{}, {}], next: null })
  expect(asked).toEqual([{ sql: `${list.sql} AND (t.id) > (?) ORDER BY t.id`, params: ['acc_1', '0'] }])
})

test('a list that does not select its key is refused where a cursor would be made of it', async () => {
  const { db } = databaseOf([{ id: 'a' }, { id: 'b' }])
  await expect(readRows(list, { after: null, limit: 1 }, db)).rejects.toThrow('must select created_at')
})
