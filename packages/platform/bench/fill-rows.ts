import { execute, type BenchPlace } from './execute.ts'

/** Tables that can be filled: those of resources that are stored as JSON under their id. */
export type FilledTable = 'products' | 'payment_flows' | 'funnels'

/** The columns of each table that a copy takes over as they are, in the order of its insert. */
const copied: Record<FilledTable, readonly string[]> = {
  products: ['account_id', 'store_id', 'active', 'created_at'],
  payment_flows: ['account_id', 'created_at'],
  funnels: ['account_id', 'store_id', 'revision', 'created_at'],
}

/** Brings a table to so many rows `bench_1`, `bench_2`, ..., each a copy of one that was there, under another id. */
export async function fillRows(table: FilledTable, rows: number, place: BenchPlace): Promise<void> {
  const columns = copied[table].join(', ')
  const numbers =
    place.databaseUrl === undefined
      ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) `
      : `WITH numbers (n) AS (SELECT generate_series(1, ${rows})) `
  await execute(place, [
    `${numbers}
      INSERT INTO ${table} (${columns}, id, resource)
      SELECT ${columns}, 'bench_' || n, replace(resource, id, 'bench_' || n)
      FROM numbers, (SELECT * FROM ${table} WHERE id NOT LIKE 'bench%' ORDER BY id LIMIT 1) AS one
      WHERE true
      ON CONFLICT DO NOTHING`,
    place.databaseUrl === undefined ? 'PRAGMA wal_checkpoint(TRUNCATE)' : `VACUUM ANALYZE ${table}`,
  ])
}
