import { contract } from '@tillwright/contract'
import { deployBody, deployPlugin } from './plugins/deploy-plugin.ts'
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
  'pluginManagement.list': async (platform) => {
    const { pluginId } = await deployPlugin(platform)
    return { query: { storeId: platform.local.storeId, pluginId, state: 'all', limit: '1' } }
  },
  'pluginManagement.view': async (platform) => ({ params: { deploymentId: await busyDeployment(platform) } }),
  'pluginManagement.activate': async (platform) => ({ params: { deploymentId: await formerDeployment(platform) } }),
  'pluginManagement.rollback': async (platform) => {
    const { pluginId, storeId } = await twoVersions(platform)
    return { body: { pluginId, storeId } }
  },
  'pluginManagement.remove': async (platform) => ({ params: { deploymentId: await formerDeployment(platform) } }),
  'pluginManagement.restore': async (platform) => {
    const deploymentId = await formerDeployment(platform)
    await platform.call(contract.pluginManagement.remove, { params: { deploymentId } })
    return { params: { deploymentId } }
  },
  'pluginManagement.takeOffline': async (platform) => ({ params: { deploymentId: await busyDeployment(platform) } }),
  'pluginManagement.bringOnline': async (platform) => {
    const deploymentId = await busyDeployment(platform)
    await platform.call(contract.pluginManagement.takeOffline, { params: { deploymentId } })
    return { params: { deploymentId } }
  },
  'pluginManagement.updatePreview': async (platform) => ({
    params: { deploymentId: await busyDeployment(platform) },
    body: {
      previewId: 'checkout-dark',
      status: 'ready',
      capturedAt: '2030-01-01T00:00:00.000Z',
      screenshotUrls: { mobile: '/previews/dark-390.png', desktop: 'https://img.example/dark-1280.png' },
    },
  }),
  'pluginManagement.plugins': async (platform) => {
    const { pluginId } = await twoVersions(platform)
    return { query: { storeId: platform.local.storeId, pluginId, limit: '1' } }
  },
  'pluginManagement.picture': async (platform) => {
    const sha256 = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'
    const assets = [{ sha256, size: 5, content: 'dGVzdAo=' }]
    await platform.call(contract.plugins.uploadAssets, { body: { assets } })
    const deploymentId = await busyDeployment(platform)
    const body = { previewId: 'checkout-dark', status: 'ready', screenshots: { mobile: sha256 } } as const
    await platform.call(contract.pluginManagement.updatePreview, { params: { deploymentId }, body })
    return { params: { deploymentId, sha256 } }
  },
  'pluginManagement.checkDomain': async ({ local }) => ({
    query: { storeId: local.storeId, hostname: 'shop.example.com' },
  }),
  'pluginManagement.aliases': async (platform) => {
    await busyDeployment(platform)
    return { query: { storeId: platform.local.storeId } }
  },
  'pluginManagement.setAlias': async (platform) => ({
    body: { storeId: platform.local.storeId, name: 'my-branch', pluginId: await newPlugin(platform) },
  }),
  'pluginManagement.removeAlias': async (platform) => {
    const { storeId } = platform.local
    const body = { storeId, name: 'going', deploymentId: (await deployPlugin(platform)).id }
    await platform.call(contract.pluginManagement.setAlias, { body })
    return { body: { storeId, name: 'going' } }
  },
  'pluginManagement.domains': async (platform) => {
    await busyDeployment(platform)
    return { query: { storeId: platform.local.storeId } }
  },
  'pluginManagement.removeDomain': async (platform) => {
    const { id: deploymentId, plugin } = await deployPlugin(platform, { manifest: { pluginId: undefined } })
    const customDomain = `going-${plugin.name.replace(' ', '-')}.example.com`
    await platform.call(contract.plugins.promoteToCustomDomain, {
      body: { deploymentId, customDomain, basePath: '/a' },
    })
    return { body: { storeId: platform.local.storeId, hostname: customDomain, path: '/a' } }
  },
  'pluginManagement.settings': async (platform) => ({ params: { deploymentId: await configuredDeployment(platform) } }),
  'pluginManagement.revisions': async (platform) => ({
    query: { deploymentId: await configuredDeployment(platform), limit: '1' },
  }),
  'pluginManagement.updateSettings': async (platform) => ({
    body: {
      deploymentId: await configuredDeployment(platform),
      presets: { dark: { colour: '#000000' } },
      templates: { winter: { headline: 'Last days' } },
      activePreset: 'dark',
    },
  }),
  'pluginManagement.restoreSettings': async (platform) => ({
    body: { deploymentId: await configuredDeployment(platform), revision: 1 },
  }),
}

/** A deployment with settings of two revisions. */
async function configuredDeployment(platform: TestPlatform): Promise<string> {
  const { id: deploymentId } = await deployPlugin(platform)
  for (const colour of ['#111111', '#222222']) {
    const body = { deploymentId, schema: { type: 'object' }, presets: { dark: { colour } } }
    await platform.call(contract.plugins.syncConfig, { body })
  }
  return deploymentId
}

/** A deployment with previews, an alias and a domain. */
async function busyDeployment(platform: TestPlatform): Promise<string> {
  const previews = [{ id: 'checkout-dark', metadata: { status: 'pending' } }]
  const { id, plugin } = await deployPlugin(platform, {
    manifest: { pluginId: undefined },
    demoPreviews: { pages: [{ path: '/checkout', previews }] },
    sourceData: { commit: '4f2a9c1' },
  })
  const { storeId } = platform.local
  await platform.call(contract.pluginManagement.setAlias, { body: { storeId, name: 'busy', deploymentId: id } })
  const customDomain = `${plugin.name.replace(' ', '-')}.example.com`
  await platform.call(contract.plugins.promoteToCustomDomain, { body: { deploymentId: id, customDomain } })
  return id
}

async function twoVersions(platform: TestPlatform) {
  const { pluginId, id } = await deployPlugin(platform)
  await deployPlugin(platform, { manifest: { pluginId, version: '2.0.0' } })
  return { pluginId, storeId: platform.local.storeId, former: id }
}

/** A deployment that is not active any more. */
async function formerDeployment(platform: TestPlatform): Promise<string> {
  return (await twoVersions(platform)).former
}

/** The id of a plugin of the account. */
export async function newPlugin(platform: TestPlatform): Promise<string> {
  return (await deployPlugin(platform)).pluginId
}
