import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { personalTables } from './declarations.ts'
import { impersonalTables } from './impersonal.ts'
import { retention } from './retention.ts'

const schema = readFileSync(join(import.meta.dirname, '../storage/schema/sqlite.sql'), 'utf8')
const personal = personalTables({ status: 409, body: '{}' })
const words = (text: string) => text.split(' ').filter((word) => word !== '')

/** Every table of the schema, with its columns. */
const tables = Object.fromEntries(
  [...schema.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\) STRICT(?:, WITHOUT ROWID)?;/g)].map(
    ([, name = '', body = '']) => {
      const columns = [...body.matchAll(/(?:^|,)\s*([a-z_0-9]+) (?:TEXT|INTEGER)/g)]
      return [name, columns.map(([, column = '']) => column).toSorted()]
    },
  ),
)

test('every column of every table is declared as personal, with what becomes of it, or as not personal', () => {
  expect(Object.keys(tables).length).toBeGreaterThan(70)
  const declared = [
    ...personal.map(({ table, columns, others }) => [table, [...Object.keys(columns), ...words(others)].toSorted()]),
    ...impersonalTables.map(({ table, others }) => [table, words(others).toSorted()]),
  ]
  expect(declared.length).toBe(new Set(declared.map(([table]) => table)).size)
  expect(Object.fromEntries(declared)).toEqual(tables)
})

test('what an erasure looks for has an index that begins with the account', () => {
  const indexed = [
    ...schema.matchAll(
      /(?:INDEX \w+\s+ON|CREATE TABLE) (\w+) \(([\s\S]*?)\)(?: STRICT(?:, WITHOUT ROWID)?)?(?: WHERE[^;]*)?;/g,
    ),
  ]
  const begins = indexed.flatMap(([, table = '', body = '']) => {
    const key = /PRIMARY KEY \(([^)]*)\)/.exec(body)?.[1] ?? body
    return [`${table}: ${key}`]
  })
  const sought = personal.flatMap(({ table, customer, by }) =>
    [customer, by].flatMap((name) => (name ? [[table, name]] : [])),
  )
  const missing = sought.filter(([table, name]) => {
    const keys = begins.filter((each) => each.startsWith(`${table}: account_id, `))
    return !keys.some((key) => new RegExp(`: account_id, (?:resource, )?${name}\\b`).test(key))
  })
  expect(missing).toEqual([])
})

test('what is replaced stays as it is when it is replaced once more', () => {
  const samples = ['', '{}', '{"email":"ada@example.com","billingAddress":{"city":"Dublin","country":"IE"}}']
  for (const { table, columns } of personal) {
    for (const [column, rule] of Object.entries(columns)) {
      if (rule.rule !== 'replace') continue
      for (const sample of column === 'status' || column.endsWith('_at')
        ? [7, null]
        : samples.slice(table === 'cards' ? 0 : 1)) {
        const row = { id: 'x', [column]: sample }
        const once = rule.value(sample, row, 1)
        expect([table, column, rule.value(once, { ...row, [column]: once }, 2)]).toEqual([table, column, once])
      }
    }
  }
})

test('how long each table with personal data is kept is in the table of apps/docs/pages/security/privacy.md', () => {
  expect(retention.flatMap(({ tables: names }) => names).toSorted()).toEqual(
    personal.map(({ table }) => table).toSorted(),
  )
  const page = readFileSync(join(import.meta.dirname, '../../../../apps/docs/pages/security/privacy.md'), 'utf8')
  const rows = retention.map(({ data, tables: names, days, from, setting }) => {
    const kept = days === null ? 'until the customer is erased' : `${days} ${days === 1 ? 'day' : 'days'} after ${from}`
    const chosen = setting === undefined ? '-' : `\`${setting.name}\`, ${setting.min} to ${setting.max}`
    return `| ${data} | ${names.map((name) => `\`${name}\``).join(', ')} | ${kept} | ${chosen} |`
  })
  expect(page).toContain(`|---|---|---|---|\n${rows.join('\n')}\n`)
})
