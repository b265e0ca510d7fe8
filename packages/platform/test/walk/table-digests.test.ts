import { describe, expect, test } from 'vitest'
import { sharedPlatform, testableEngines } from '../test-platform.ts'
import { tableDigests, withoutWebhooks } from './table-digests.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('a row that is added, changed or deleted shows in the digest of its table and in no other', async () => {
    const { db } = platform().services
    await withoutWebhooks(db)
    let before = await tableDigests(db)
    for (const sql of [
      `INSERT INTO cards (account_id, id, fingerprint, sealed_key, sealed_card, brand, last4, bin, exp_month, exp_year, funding, segment, created_at)
        SELECT account_id, 'card_1', 'f', 's', 's', 'visa', '4242', '424242', 1, 2040, 'credit', 'consumer', 0 FROM stores`,
      `UPDATE cards SET exp_month = 2`,
      `DELETE FROM cards`,
    ]) {
      await db.write([{ sql, params: [] }])
      const after = await tableDigests(db)
      expect(
        Object.keys(after).filter((table) => after[table] !== before[table]),
        sql,
      ).toEqual(['cards'])
      before = after
    }
  })
})
