import { type CallOf, contract, type NewFunnelInput } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newFunnel } from '../../test/new-funnel.ts'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { findEntry } from './funnel-rows.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  const entryOf = (pluginId: string, pageId: string) => {
    const { services, local } = platform()
    return findEntry({ accountId: local.accountId, storeId: local.storeId, pluginId, pageId }, services.db)
  }
  const step = (id: string, pluginId: string | null, pageId: string | null) => {
    return { id, type: 'custom', name: id, path: `/${id}`, pluginId, pageId, settings: {}, previewOnly: false }
  }
  const newer = (change: Partial<NewFunnelInput>) => {
    platform().clock.advance(1)
    return newFunnel(platform(), change)
  }
  const update = (funnelId: string, body: CallOf<typeof contract.funnels.update>['body']) =>
    platform().call(contract.funnels.update, { params: { funnelId }, body })

  test('a page is entered in the newest active funnel that has a step of it', async () => {
    const { pluginId } = await deployPlugin(platform())
    expect(await entryOf(pluginId, 'checkout')).toBeNull()
    const older = await newer({ steps: [step('a', null, null), step('b', pluginId, 'checkout')] })
    expect(await entryOf(pluginId, 'checkout')).toEqual({ id: older.id, stepId: 'b' })
    expect(await entryOf(pluginId, 'other')).toBeNull()
    const latest = await newer({ steps: [step('x', pluginId, 'checkout'), step('y', pluginId, 'checkout')] })
    expect(await entryOf(pluginId, 'checkout')).toEqual({ id: latest.id, stepId: 'x' })
    await update(latest.id, { active: false })
    expect(await entryOf(pluginId, 'checkout')).toEqual({ id: older.id, stepId: 'b' })
    await update(older.id, { steps: [step('c', null, null)] })
    expect(await entryOf(pluginId, 'checkout')).toBeNull()
  })

  test('a step that names no page is that of any, and one for previews of none', async () => {
    const { pluginId } = await deployPlugin(platform())
    const steps = [
      { ...step('draft', pluginId, 'checkout'), previewOnly: true },
      step('any', pluginId, null),
      step('own', pluginId, 'pay'),
    ]
    const { id } = await newer({ steps })
    expect(await entryOf(pluginId, 'checkout')).toEqual({ id, stepId: 'any' })
    expect(await entryOf(pluginId, 'pay')).toEqual({ id, stepId: 'own' })
    const { id: latest } = await newer({ steps: [step('all', pluginId, null)] })
    expect(await entryOf(pluginId, 'pay')).toEqual({ id: latest, stepId: 'all' })
  })
})
