import { execute, type BenchPlace } from './execute.ts'

/** Brings a store to so many products `bench_1`, `bench_2`, ..., each a copy of one of its own under another id. */
export async function fillProducts(
  rows: number,
  { place, storeId }: { place: BenchPlace; storeId: string },
): Promise<void> {
  const numbers =
    place.databaseUrl === undefined
      ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) `
      : `WITH numbers (n) AS (SELECT generate_series(1, ${rows})) `
  await execute(place, [
    `${numbers}
      INSERT INTO products (account_id, id, store_id, resource, created_at)
      SELECT p.account_id, 'bench_' || n, p.store_id, replace(p.resource, p.id, 'bench_' || n), p.created_at
      FROM numbers, (SELECT * FROM products WHERE store_id = '${storeId}' AND id NOT LIKE 'bench%' ORDER BY id LIMIT 1) p
      WHERE true
      ON CONFLICT DO NOTHING`,
    place.databaseUrl === undefined ? 'PRAGMA wal_checkpoint(TRUNCATE)' : 'VACUUM ANALYZE products',
  ])
}
