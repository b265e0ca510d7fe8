import { expect, test } from 'vitest'
import { translator } from './translate.ts'

test('parameters are numbered, and a question mark within quotes is left alone', () => {
  const { text } = translator()({ sql: `UPDATE "t?" SET a = ?, b = 'it''s ?' WHERE c = ?` })
  expect(text).toBe(`UPDATE "t?" SET a = $1, b = 'it''s ?' WHERE c = $2`)
})

test('a text keeps its name, and with another guard is another text', () => {
  const translate = translator()
  const sql = 'DELETE FROM t WHERE a = ?'
  const names = [{ sql }, { sql, expect: 1 }, { sql, expect: 2 }, { sql }].map((statement) => translate(statement).name)
  expect(names).toEqual(['s0', 's1', 's2', 's0'])
})

test('texts without end are not all kept prepared', () => {
  const translate = translator()
  const names = Array.from({ length: 1_100 }, (_, i) => translate({ sql: `SELECT ${i}` }).name)
  expect(names.filter((name) => name === '')).toHaveLength(100)
})
