import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newFunnel } from '../../../test/new-funnel.ts'
import { deployBody } from '../../../test/plugins/deploy-plugin.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const { deploy } = contract.plugins

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  async function deployTo(funnelId: string, change: { stepType?: string; isPreview?: boolean } = {}) {
    const { local, request } = platform()
    const autoInstantiate = { funnelId, stepType: 'upsell', ...change }
    const pages = [
      { id: 'pay', path: '/pay', features: [{ type: 'checkout' }] },
      { id: 'more', path: '/more', name: 'One more?', features: [{ type: 'upsell' }] },
    ]
    const body = deployBody(local.storeId, { manifest: { pages }, autoInstantiate })
    return { body, answer: await request('POST', deploy.path, { body }) }
  }

  const readFunnel = (funnelId: string) => platform().call(contract.funnels.get, { params: { funnelId } })

  test('a deployment can bring its own step to the end of a funnel', async () => {
    const funnel = await newFunnel(platform())
    const { body, answer } = await deployTo(funnel.id, { isPreview: true })
    expect(answer.status, answer.text).toBe(201)
    const { steps } = await readFunnel(funnel.id)
    expect(steps.slice(0, -1)).toEqual(funnel.steps)
    expect(steps.at(-1)).toMatchObject({
      type: 'upsell',
      name: 'One more?',
      path: '/upsell',
      isEntry: false,
      pluginId: body.manifest.pluginId,
      pageId: 'more',
      previewOnly: true,
    })
  })

  test('the next version of the plugin finds its step there and adds no other', async () => {
    const { local, call } = platform()
    const funnel = await newFunnel(platform())
    const { body } = await deployTo(funnel.id)
    const before = await readFunnel(funnel.id)
    await call(deploy, { body: { ...body, storeId: local.storeId, manifest: { ...body.manifest, version: '2.0.0' } } })
    expect(await readFunnel(funnel.id)).toEqual(before)
  })

  test('a step whose type no page serves shows the default page, at a path that is free', async () => {
    const funnel = await newFunnel(platform(), {
      steps: [{ type: 'custom', name: 'Taken', path: '/gift_wrap' }],
    })
    await deployTo(funnel.id, { stepType: 'gift_wrap' })
    expect((await readFunnel(funnel.id)).steps.at(-1)).toMatchObject({ pageId: 'pay', path: '/gift_wrap-2' })
  })

  test('a funnel that the store does not have is a 404, and nothing is deployed', async () => {
    const { body, answer } = await deployTo('funnel_none')
    expect([answer.status, answer.error.param]).toEqual([404, 'autoInstantiate.funnelId'])
    const { deployments } = await platform().call(contract.plugins.deployments, { body: { storeId: body.storeId } })
    expect(deployments.map(({ pluginId }) => pluginId)).not.toContain(body.manifest.pluginId)
  })

  test('a full funnel is a 409', async () => {
    const steps = Array.from({ length: 50 }, (_, index) => ({ type: 'custom', name: 'Step', path: `/${index}` }))
    const { answer } = await deployTo((await newFunnel(platform(), { steps })).id)
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([
      409,
      'state_conflict',
      'autoInstantiate.funnelId',
    ])
  })

  it('deployments at the same time each bring their step', async () => {
    const funnel = await newFunnel(platform())
    const deployed = await Promise.all([1, 2, 3].map(() => deployTo(funnel.id)))
    expect(deployed.map(({ answer }) => answer.status)).toEqual([201, 201, 201])
    const brought = (await readFunnel(funnel.id)).steps.slice(2).map(({ pluginId }) => pluginId)
    expect(brought.toSorted()).toEqual(deployed.map(({ body }) => body.manifest.pluginId).toSorted())
  })
})
