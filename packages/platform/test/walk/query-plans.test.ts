import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Operation } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { happyRequests } from '../happy-requests.ts'
import { sharedPlatform } from '../test-platform.ts'
import { operations } from './operations.ts'
import { sendTo } from './send-to.ts'

const platform = sharedPlatform({ engine: 'sqlite', env: { TILLWRIGHT_METRICS_PORT: '0' } })

/** Of these an account has few (`w` are joined endpoints), so that reading all that it has is no matter; the last are made within a query. */
const FEW = [
  'accounts',
  'members',
  'refund_limits',
  'processors',
  'payment_flows',
  'webhook_endpoints',
  // One row.
  'statistics_folds',
  'w',
  // Other keys of an account, where one is revoked.
  'others',
  // One row, of parameters.
  'owner',
  'vault_keys',
  // One of each kind; those of all accounts are read once in ten minutes, for a metric.
  'wallets',
  'threeds_providers',
  'processes',
  'migrations',
  'sqlite_schema',
  'waiting',
  'pieces',
  'due',
  'latest',
  'counted',
  'owner',
  // At most 2,000 rows, by the LIMIT within.
  'scanned',
]

/** The test clock of a local platform takes all sessions of the account along. */
const MOVES_SESSIONS = 'UPDATE member_sessions SET last_used_at = last_used_at + ?'

test('no request takes longer the more rows there are: each statement finds its own by a whole key', async () => {
  const { folder, statements, metricsUrl } = platform()
  for (const { id, operation } of operations) {
    await sendTo(platform(), operation, (await happyRequests[id]?.(platform())) ?? {})
  }
  for (const { operation } of operations.filter(({ operation: { list } }) => list !== undefined)) {
    for (const query of listQueries(operation)) await sendTo(platform(), operation, { query })
  }
  expect((await fetch(metricsUrl ?? '')).status).toBe(200)
  expect([...statements].filter((sql) => sql.includes('AS since FROM payment'))).toHaveLength(2)
  expect(statements.size).toBeGreaterThan(60)

  const db = new DatabaseSync(join(folder, 'tillwright.db'), { readOnly: true })
  const plain = [...statements].filter((sql) => !/\{\w+\}/.test(sql) && !sql.startsWith(MOVES_SESSIONS)) // without the engines' own words
  const wasteful = plain.flatMap((sql) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(sql.match(/\?/g) ?? []).map(() => null))
    const details = plan.map(({ detail }) => String(detail))
    return isPage(sql, details) ? [] : details.filter(readsEverything).map((detail) => `${detail}: ${sql}`)
  })
  db.close()
  expect(wasteful).toEqual([])
})

/** Whether it takes the first rows of an index that has their order, and ends with them. */
function isPage(sql: string, details: readonly string[]): boolean {
  return /ORDER BY [\w., ]+ LIMIT (\?|\d+)/.test(sql) && !details.some((detail) => detail.includes('TEMP B-TREE'))
}

/** Each filter of a list alone, and all of them together. */
function listQueries({ query }: Operation): Record<string, string>[] {
  const filters = Object.entries(listFilters).filter(([name]) => query !== undefined && name in query.shape)
  const each = filters.flatMap(([name, values]) => values.map((value) => ({ [name]: value })))
  return [{}, { order: 'asc' }, ...each, Object.fromEntries(filters.map(([name, [value = '']]) => [name, value]))]
}

/** Values that list filters are tried with, in turn. */
const listFilters: Readonly<Record<string, readonly string[]>> = {
  status: ['open', 'paid', 'succeeded', 'active'],
  kind: ['chargeback'],
  storeId: ['store_1'],
  customerId: ['cus_1'],
  orderId: ['order_1'],
  paymentId: ['pay_1'],
  resourceId: ['product_1'],
  actorId: ['mem_1', 'key_1'],
  active: ['true'],
  enabled: ['false'],
  metadata: ['campaign=spring', 'campaign'],
  createdFrom: ['2020-01-01T00:00:00Z'],
  createdBefore: ['2040-01-01T00:00:00Z'],
  amountFrom: ['1'],
  amountTo: ['1000000'],
  currency: ['USD'],
  q: ['ada@example.com', 'ada byrne', '4242', 'visa 4242', '19.99', 'order_0X', 'pay_0X', 'cus_0X'],
}

/** A table scanned, or searched by nothing but the account. */
function readsEverything(detail: string): boolean {
  const [, table = ''] = /^(?:SCAN|SEARCH) (\w+)/.exec(detail) ?? []
  if (FEW.includes(table)) return false
  return /^SCAN (?!CONSTANT|json_each|\d+-ROW VALUES)/.test(detail) || detail.endsWith(' (account_id=?)')
}
