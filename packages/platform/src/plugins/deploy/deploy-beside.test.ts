import { hash } from 'node:crypto'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { deployBody, deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { deploy, deployments } = contract.plugins

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const versions = (pluginId: string) => ({
    async now() {
      const { storeId } = platform().local
      const listed = await platform().call(deployments, { body: { storeId } })
      const own = listed.deployments.filter((each) => each.pluginId === pluginId)
      return Object.fromEntries(own.map(({ version, active }) => [version, active]))
    },
  })

  test('a deployment that is not to be active waits next to the one that is', async () => {
    const { pluginId } = await deployPlugin(platform())
    const waiting = await deployPlugin(platform(), { manifest: { pluginId, version: '2.0.0' }, activate: false })
    expect(waiting.active).toBe(false)
    expect(await versions(pluginId).now()).toEqual({ '1.0.0': true, '2.0.0': false })
  })

  test('one that takes the place of the active one of its version is active all the same', async () => {
    const { pluginId } = await deployPlugin(platform())
    const inlineAssets = [{ path: 'index.html', content: 'other' }]
    const change = { manifest: { pluginId }, inlineAssets, overwrite: true, activate: false }
    expect(await deployPlugin(platform(), change)).toMatchObject({ active: true })
  })

  test('a dry run deploys nothing, and says what is missing', async () => {
    const sha256 = hash('sha256', `never stored on ${engine}`)
    const inlineAssets = [{ path: 'index.html', sha256, size: 10 }]
    const body = deployBody(platform().local.storeId, { inlineAssets, dryRun: true })
    const answer = await platform().call(deploy, { body })
    expect(answer).toMatchObject({ success: false, deployment: null, missing: [sha256] })
    const whole = deployBody(platform().local.storeId, { dryRun: true })
    expect(await platform().call(deploy, { body: whole })).toMatchObject({ success: false, missing: [] })
    expect(await versions(whole.manifest.pluginId ?? '').now()).toEqual({})
  })
})
