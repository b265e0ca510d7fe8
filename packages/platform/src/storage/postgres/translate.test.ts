import { expect, test } from 'vitest'
import { translator } from './translate.ts'

test('parameters are numbered, and a question mark within quotes is left alone', () => {
  const { text } = translator()({ sql: `UPDATE "t?" SET a = ?, b = 'it''s ?' WHERE c = ?` })
  expect(text).toBe(`UPDATE "t?" SET a = $1, b = 'it''s ?' WHERE c = $2`)
})

test('a text has the same name in every process, and with another guard is another text', () => {
  const translate = translator()
  const sql = 'DELETE FROM t WHERE a = ?'
  const names = [{ sql }, { sql, expect: 1 }, { sql, expect: 2 }, { sql }].map((statement) => translate(statement).name)
  expect(names[3]).toBe(names[0])
  expect(new Set(names).size).toBe(3)
  expect(translator()({ sql }).name).toBe(names[0])
})

test('texts without end are not all kept prepared', () => {
  const translate = translator()
  const names = Array.from({ length: 1_100 }, (_, i) => translate({ sql: `SELECT ${i}` }).name)
  expect(names.filter((name) => name === '')).toHaveLength(100)
})
