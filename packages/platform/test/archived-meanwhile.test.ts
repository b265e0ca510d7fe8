import { contract, type Operation } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { customers } from '../src/customers/customers.ts'
import { hooks } from '../src/hooks/hooks.ts'
import { commit } from '../src/http/operations/commit.ts'
import { activate } from '../src/plugins/deployments/activation.ts'
import { setAlias } from '../src/plugins/domains/aliases.ts'
import { restoreSettings } from '../src/plugins/settings/edit.ts'
import { lateEdits } from '../src/plugins/settings/late-edits.ts'
import { promotions } from '../src/promotions/promotions.ts'
import type { Handler, RequestContext } from '../src/request-context.ts'
import { keyCall } from './key-call.ts'
import { deployPlugin } from './plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform } from './test-platform.ts'

describe.each(ruleEngines())('on %s, a store that is archived between the look at it and the commit', (engine) => {
  const platform = sharedPlatform({ engine })
  const pluginsUrl = 'http://plugins.localhost'

  function contextOf(): RequestContext {
    const { services, local } = platform()
    const begin = () => Promise.reject(new Error('It begins nothing.'))
    return { ...keyCall(services, { accountId: local.accountId }), begin }
  }

  async function move(to: 'archive' | 'unarchive'): Promise<void> {
    const params = { storeId: platform().local.storeId }
    const { revision } = await platform().call(contract.stores.get, { params })
    await platform().call(contract.stores[to], { params, body: { revision } })
  }

  async function race<Op extends Operation>(handler: Handler<Op>, request: Parameters<Handler<Op>>[0]): Promise<void> {
    const reply = await handler(request, contextOf())
    if (!('writes' in reply) || reply.writes === undefined) throw new Error('It has nothing to write.')
    const { writes } = reply
    await move('archive')
    const refused = await commit(writes, platform().services).catch((error: unknown) => error)
    await move('unarchive')
    expect(refused).toMatchObject({ code: 'state_conflict', message: expect.stringContaining('archived') })
    await commit(writes, platform().services)
  }

  test('gets no customer', async () => {
    const { storeId } = platform().local
    const body = contract.customers.create.body.parse({ storeId, email: 'late@example.com' })
    await race<typeof contract.customers.create>(customers.create, { params: undefined, query: undefined, body })
  })

  test('gets no hook, and none that it has is changed', async () => {
    const params = { storeId: platform().local.storeId, kind: 'tax' }
    const body = contract.hooks.set.body.parse({ url: 'http://127.0.0.1:9/', onFailure: 'refuse' })
    await race<typeof contract.hooks.set>(hooks.set, { params, query: undefined, body })
    await race<typeof contract.hooks.set>(hooks.set, { params, query: undefined, body: { ...body, active: false } })
  })

  test('gets no promotion', async () => {
    const { storeId } = platform().local
    const body = contract.promotions.create.body.parse({ storeId, name: 'Late', code: 'LATE', actions: [] })
    await race<typeof contract.promotions.create>(promotions.create, { params: undefined, query: undefined, body })
  })

  test('gets no alias, shows no other deployment, and keeps its settings', async () => {
    const { storeId } = platform().local
    const first = await deployPlugin(platform())
    const alias = contract.pluginManagement.setAlias.body.parse({ storeId, name: 'late', deploymentId: first.id })
    const none = { params: undefined, query: undefined }
    await race<typeof contract.pluginManagement.setAlias>(setAlias(pluginsUrl), { ...none, body: alias })
    await deployPlugin(platform(), { manifest: { pluginId: first.pluginId, version: '2.0.0' } })
    const { params, query, body: noBody } = { ...none, params: { deploymentId: first.id }, body: undefined }
    await race<typeof contract.pluginManagement.activate>(activate(pluginsUrl, lateEdits), {
      params,
      query,
      body: noBody,
    })
    const templates = { front: { title: 'Now' } }
    await platform().call(contract.plugins.syncTemplates, { body: { deploymentId: first.id, templates } })
    const body = contract.pluginManagement.restoreSettings.body.parse({ deploymentId: first.id, revision: 0 })
    await race<typeof contract.pluginManagement.restoreSettings>(restoreSettings, { ...none, body })
  })
})
