import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { openOperator } from '../src/operator/operator.ts'
import { readConfig } from '../src/config.ts'
import { sealAll } from '../src/audit/seal.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

/**
 * The attacker works for the operator and can write to the database, but has no key of the platform. They have made a change that
 * they want to hide, and take its entry out of the log, change who made it, or cut the log off.
 */
describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const sql = (text: string, ...params: (string | number)[]) => platform().services.db.write([{ sql: text, params }])

  async function verified(heads?: string) {
    const operator = await openOperator(readConfig(platform().settings))
    try {
      return (await operator.audit.verify(heads === undefined ? {} : { heads })).flatMap(({ problems }) => problems)
    } finally {
      await operator.close()
    }
  }

  async function change(name: string): Promise<string> {
    const { storeId } = platform().local
    const prices = [{ currencyOptions: { USD: { amount: 900 } } }]
    const body = { storeId, name, variants: [{ name, prices }] }
    const { productId } = await platform().call(contract.products.create, { body })
    const { services } = platform()
    await sealAll({ ...services, announce: async () => [] })
    return productId
  }

  test('an entry that is taken out, changed, or cut off with the end is named by `audit verify`', async () => {
    const { db } = platform().services
    const [first, second] = [await change('Mug'), await change('Tote')]
    expect(await verified()).toEqual([])
    const operator = await openOperator(readConfig(platform().settings))
    const heads = JSON.stringify(await operator.audit.heads())
    await operator.close()
    const [entry] = await db.read('SELECT id, actor_id FROM audit_entries WHERE resource_id = ?', [first])
    const id = String(entry?.['id'])

    await sql('UPDATE audit_entries SET actor_id = ? WHERE id = ?', 'key_of_another', id)
    expect(await verified()).toMatchObject([{ entryId: id, problem: 'this entry was changed' }])
    await sql('UPDATE audit_entries SET actor_id = ? WHERE id = ?', String(entry?.['actor_id']), id)
    expect(await verified()).toEqual([])

    await sql('DELETE FROM audit_entries WHERE resource_id = ?', second)
    expect(await verified()).toMatchObject([{ problem: 'this entry was removed' }])
    const { accountId } = platform().local
    for (const table of ['audit_entries', 'audit_seals', 'audit_chains', 'audit_unsealed']) {
      await sql(`DELETE FROM ${table} WHERE account_id = ?`, accountId)
    }
    expect(await verified(heads)).toMatchObject([
      { accountId, problem: expect.stringContaining('the whole log was removed') },
    ])
  })
})
