import { mkdtemp, rm } from 'node:fs/promises'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Columns } from './define-table.ts'
import { openDatabase } from './open-database.ts'

const src = join(import.meta.dirname, '..')

test('every table in a tables.ts has the columns of the schema, with their types and NULLs', async () => {
  const defined = await definedTables()
  const schema = await schemaOf(Object.keys(defined))
  expect(defined).toEqual(schema)
})

test('no file reads a row past the columns of its table', () => {
  const files = globSync('**/*.ts', { cwd: src, exclude: ['**/*.test.ts', 'storage/**'] })
  expect(files.length).toBeGreaterThan(200)
  expect(
    files.flatMap((file) => unreadRows(readFileSync(join(src, file), 'utf8')).map((at) => `${file}: ${at}`)),
  ).toEqual([])
})

test('what that would look like is found', () => {
  expect(unreadRows("String(row['id'])")).toEqual(["row['id']"])
  expect(unreadRows("Number(row?.['amount'] ?? 0)")).toEqual(["row?.['amount']"])
  expect(unreadRows("outcome.returned[0]?.[0]?.['folded']")).toEqual(["]?.['folded']"])
  expect(unreadRows('fromRow(row as PaymentRow)')).toEqual(['as PaymentRow'])
  expect(unreadRows("type Kind = RowOf<typeof table>['kind']")).toEqual([])
})

/** Variables that are read with brackets but are not rows. */
const others = new Set(['env', 'headers', 'headersDistinct', 'params', 'asset', 'item', 'value'])

function unreadRows(source: string): string[] {
  const named = [...source.matchAll(/\b([a-z]\w*)\??\.?\['[a-z_0-9]+'\]/g)].filter(([, name = '']) => !others.has(name))
  const indexed = source.matchAll(/\]\?\.\['[a-z_0-9]+'\]/g)
  const cast = source.matchAll(/\bas (?:\w*Row|Record<string, Value>)\b/g)
  return [...named, ...indexed, ...cast].map(([text]) => text)
}

type Described = Record<string, Record<string, string>>

async function definedTables(): Promise<Described> {
  const described: Described = {}
  for (const file of globSync('*/tables.ts', { cwd: src })) {
    const exported: Record<string, Columns> = await import(join(src, file))
    for (const columns of Object.values(exported)) {
      const table = Object.values(columns)[0]?.place?.split('.')[0] ?? file
      const entries = Object.entries(columns).map(([name, column]) => [
        name,
        `${column.sqlType}${column.isNullable ? ' or NULL' : ''}`,
      ])
      described[table] = Object.fromEntries(entries)
    }
  }
  return described
}

async function schemaOf(tables: readonly string[]): Promise<Described> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  const database = await openDatabase({ folder })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  const described: Described = {}
  for (const table of tables) {
    const rows = await database.read('SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)', [table])
    const entries = rows.map((row) => [
      String(row['name']),
      `${row['type'] === 'TEXT' ? 'text' : 'int'}${row['required'] === 0 && row['pk'] === 0 ? ' or NULL' : ''}`,
    ])
    described[table] = Object.fromEntries(entries)
  }
  return described
}
