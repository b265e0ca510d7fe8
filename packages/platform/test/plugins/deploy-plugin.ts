import { type CallOf, contract, type PluginDeployment } from '@tillwright/contract'
import type { TestPlatform } from '../test-platform.ts'

/** The body of a deployment. */
export type DeployBody = CallOf<typeof contract.plugins.deploy>['body']

let plugins = 0

/** The body of a deployment of one page, of a new plugin unless `manifest` says which. */
export function deployBody(
  storeId: string,
  { manifest, ...more }: Partial<Omit<DeployBody, 'manifest'>> & { manifest?: Partial<DeployBody['manifest']> } = {},
): DeployBody {
  plugins += 1
  return {
    storeId,
    manifest: {
      pluginId: `plugin-${plugins}`,
      name: `Plugin ${plugins}`,
      version: '1.0.0',
      pages: [{ id: 'checkout', path: '/checkout', features: [{ type: 'checkout' }] }],
      ...manifest,
    },
    inlineAssets: [{ path: 'index.html', content: '<!doctype html><title>Checkout</title>' }],
    ...more,
  }
}

/** A deployment to the local store. */
export async function deployPlugin(
  platform: TestPlatform,
  change?: Parameters<typeof deployBody>[1],
): Promise<PluginDeployment> {
  const body = deployBody(platform.local.storeId, change)
  const { deployment } = await platform.call(contract.plugins.deploy, { body })
  if (deployment === null) throw new Error('Its assets are missing.')
  return deployment
}
