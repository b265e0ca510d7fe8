import { deployBody, deployPlugin } from '../plugins/testing/deploy-plugin.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** A request that each operation of plugins answers with success. */
export const pluginRequests: HappyRequests = {
  'plugins.deploy': async ({ local }) => ({ body: deployBody(local.storeId, { manifest: { pluginId: undefined } }) }),
  'plugins.uploadAssets': async () => ({
    body: {
      assets: [
        { sha256: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2', size: 5, content: 'dGVzdAo=' },
      ],
    },
  }),
  'plugins.syncConfig': async (platform) => ({
    body: {
      deploymentId: (await deployPlugin(platform)).id,
      presets: { dark: { colour: '#111111', meta: { title: 'Dark' } } },
      schema: { type: 'object' },
      uiSchema: { colour: { 'ui:widget': 'color' } },
    },
  }),
  'plugins.syncTemplates': async (platform) => ({
    body: { deploymentId: (await deployPlugin(platform)).id, templates: { winter: { colour: '#224466' } } },
  }),
  'plugins.deployments': async (platform) => {
    await deployPlugin(platform)
    return { body: { storeId: platform.local.storeId } }
  },
  'plugins.promoteToCustomDomain': async (platform) => {
    const { id, plugin } = await deployPlugin(platform, { manifest: { pluginId: undefined } })
    const customDomain = `${plugin.name.replace(' ', '-')}.example.com`
    return { body: { deploymentId: id, customDomain, basePath: '/shop' } }
  },
}

/** The id of a plugin of the account. */
export async function newPlugin(platform: TestPlatform): Promise<string> {
  return (await deployPlugin(platform)).pluginId
}
