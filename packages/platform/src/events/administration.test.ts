import { contract, namedEventTypes } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('keys, members, endpoints and hooks tell of their changes, to those alone who name them', async () => {
    const { call, local, services } = platform()
    const url = 'http://localhost:1'
    const { endpoint: all } = await call(contract.webhookEndpoints.create, { body: { url, eventTypes: '*' } })
    const own = { url, eventTypes: ['s_member_invited' as const] }
    const { endpoint: named } = await call(contract.webhookEndpoints.create, { body: own })

    const key = await call(contract.apiKeys.create, { body: { kind: 'secret', name: 'Till' } })
    const rolled = await call(contract.apiKeys.roll, { params: { keyId: key.apiKey.id }, body: {} })
    await call(contract.apiKeys.revoke, { params: { keyId: rolled.apiKey.id } })
    const { member } = await call(contract.members.invite, {
      body: { email: `ada@${engine}.example`, role: 'support' },
    })
    const ofMember = { params: { memberId: member.id } }
    for (const role of ['developer', 'developer'] as const)
      await call(contract.members.update, { ...ofMember, body: { role } })
    await call(contract.members.remove, ofMember)
    const ofHook = { params: { storeId: local.storeId, kind: 'tax' } }
    await call(contract.hooks.set, { ...ofHook, body: { url, onFailure: 'continue' } })
    await call(contract.hooks.remove, ofHook)
    const { revision, threedsProvider } = await call(contract.accounts.get, {})
    await call(contract.accounts.update, { body: { revision, threedsProvider, name: `Ada ${engine}` } })
    const { id: deploymentId, pluginId } = await deployPlugin(platform())
    const { storeId } = local
    await call(contract.pluginManagement.setAlias, { body: { storeId, name: 'spring', deploymentId } })
    await call(contract.pluginManagement.removeAlias, { body: { storeId, name: 'spring' } })

    const { data } = await call(contract.eventLog.list, { query: { limit: 100 } })
    const events = data.map(({ eventType, properties }) => [eventType, properties])
    expect(events).toEqual(
      expect.arrayContaining([
        ['s_webhook_endpoint_created', { webhookEndpointId: named.id }],
        ['s_api_key_created', { apiKeyId: key.apiKey.id, name: 'Till', kind: 'secret' }],
        ['s_api_key_rolled', expect.objectContaining({ apiKeyId: key.apiKey.id, replacedBy: rolled.apiKey.id })],
        ['s_api_key_revoked', { apiKeyId: rolled.apiKey.id, name: 'Till' }],
        ['s_member_invited', { memberId: member.id, role: 'support' }],
        ['s_member_removed', { memberId: member.id, role: 'developer' }],
        ['s_hook_updated', expect.objectContaining({ kind: 'tax' })],
        ['s_hook_removed', expect.objectContaining({ kind: 'tax' })],
        ['s_account_updated', { accountId: local.accountId, changed: ['name'] }],
        ['s_plugin_alias_created', { name: 'spring', pluginId, deploymentId, follows: 'deployment' }],
        ['s_plugin_alias_deleted', { name: 'spring', pluginId, deploymentId, follows: 'deployment' }],
      ]),
    )
    const changes = data.filter(({ eventType }) => eventType === 's_member_updated')
    expect(changes.map(({ properties }) => Object(properties).changed)).toEqual([['role']])

    const sql = `SELECT e.event_type AS type FROM webhook_deliveries d
      JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id WHERE d.endpoint_id = ?`
    const typesTo = async (id: string) => (await services.db.read(sql, [id])).map(({ type }) => String(type))
    expect(await typesTo(named.id)).toEqual(['s_member_invited'])
    const toAll = await typesTo(all.id)
    expect(toAll).toContain('s_plugin_alias_deleted')
    expect(toAll.filter((type) => namedEventTypes.includes(type))).toEqual([])
  })
})
