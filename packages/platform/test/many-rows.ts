import { contract } from '@tillwright/contract'
import type { TestPlatform } from './test-platform.ts'

/**
 * Adds products to the local store, each so large that what is on its way between a server and a client does not hold
 * a file of them.
 */
export async function addProducts({ call, services, local }: TestPlatform, total: number): Promise<void> {
  const { data } = await call(contract.products.list, { query: { limit: 1 } })
  const inserts = Array.from({ length: total }, (_, index) => {
    const id = `prod_${String(index).padStart(22, '0')}`
    const resource = { ...data[0], id, description: 'A long text. '.repeat(600) }
    return {
      sql: `INSERT INTO products (account_id, id, store_id, active, archived, revision, resource, created_at)
        VALUES (?, ?, ?, 1, 0, 1, ?, ?)`,
      params: [local.accountId, id, local.storeId, JSON.stringify(resource), index],
    }
  })
  for (let at = 0; at < total; at += 250) await services.db.write(inserts.slice(at, at + 250))
}
