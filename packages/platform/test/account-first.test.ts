import { expect, test } from 'vitest'
import { accountFirst } from './account-first.ts'
import { openEvents } from './events/open-events.ts'

test('a transaction of the platform that begins with another text than its account is named; one of a test is not', async () => {
  const { services, happen } = await openEvents()
  const watch = accountFirst()
  const database = watch.over(services.db)
  const rename = { sql: 'UPDATE stores SET name = ? WHERE account_id = ?', params: ['Bikes', 'acc_1'] }
  await database.write([rename])
  await happen()
  await services.db.write([
    { sql: 'UPDATE stores SET created_at = ? WHERE account_id = ?', params: [1, 'acc_1'] },
    rename,
  ])
  await services.db.write([{ sql: 'DELETE FROM stores WHERE created_at < ?', params: [1] }])
  expect(() => watch.end()).not.toThrow()
  await services.db.write([rename])
  expect(() => watch.end()).toThrow(rename.sql)
})

test('a transaction that touches two accounts is named', async () => {
  const { services } = await openEvents()
  const watch = accountFirst()
  const database = { ...services.db }
  watch.over(database)
  const of = (account: string) => ({ sql: 'UPDATE stores SET name = ? WHERE account_id = ?', params: [account, 'x'] })
  await database.write([of('acc_0000000000000000000001'), of('acc_0000000000000000000001')])
  expect(() => watch.end()).not.toThrow()
  await database.write([of('acc_0000000000000000000001'), of('acc_0000000000000000000002')])
  expect(() => watch.end()).toThrow('several accounts')
})
