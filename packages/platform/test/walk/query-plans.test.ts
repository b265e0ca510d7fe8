import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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
  'processors',
  'payment_flows',
  'webhook_endpoints',
  'w',
  'vault_keys',
  'processes',
  'migrations',
  'sqlite_schema',
  'waiting',
  'pieces',
  'due',
  'latest',
  'counted',
]

test('no request takes longer the more rows there are: each statement finds its own by a whole key', async () => {
  const { folder, statements, metricsUrl } = platform()
  for (const { id, operation } of operations) {
    await sendTo(platform(), operation, (await happyRequests[id]?.(platform())) ?? {})
  }
  expect((await fetch(metricsUrl ?? '')).status).toBe(200)
  expect([...statements].filter((sql) => sql.includes('unsettled'))).toHaveLength(2)
  expect(statements.size).toBeGreaterThan(60)

  const db = new DatabaseSync(join(folder, 'tillwright.db'), { readOnly: true })
  const plain = [...statements].filter((sql) => !/\{\w+\}/.test(sql)) // without the engines' own words
  const wasteful = plain.flatMap((sql) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => null))
      .map(({ detail }) => String(detail))
      .filter(readsEverything)
      .map((detail) => `${detail}: ${sql}`),
  )
  db.close()
  expect(wasteful).toEqual([])
})

/** A table scanned, or searched by nothing but the account. */
function readsEverything(detail: string): boolean {
  const [, table = ''] = /^(?:SCAN|SEARCH) (\w+)/.exec(detail) ?? []
  if (FEW.includes(table)) return false
  return /^SCAN (?!CONSTANT|json_each|\d+-ROW VALUES)/.test(detail) || detail.endsWith(' (account_id=?)')
}
