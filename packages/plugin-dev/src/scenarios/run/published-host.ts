import type { Plugin } from '@tillwright/plugin-build'
import { bindPlugin } from '../../binding/bind-plugin.ts'
import type { FindPlatform } from '../../dev-platform.ts'
import { pageAddress } from '../../serve/page-address.ts'
import { pageOf } from './dev-host.ts'
import type { ScenarioHost } from './scenario-host.ts'

/** A plugin that was deployed, and where. */
export interface PublishedPlugin {
  findPlatform: FindPlatform
  /** Where the deployment is served, without a slash at the end. */
  url: string
}

/** Shows a plugin's scenarios as its deployment is served. */
export async function publishedHost(plugin: Plugin, { findPlatform, url }: PublishedPlugin): Promise<ScenarioHost> {
  // Pages that are served by a platform have a key of their own.
  const find: FindPlatform = async () => ({ ...(await findPlatform()), makePublishableKey: async () => null })
  const binding = await bindPlugin(plugin, { findPlatform: find, origins: [], scenario: { name: 'Scenarios' } })
  const { presets, defaultPreset } = plugin.configuration
  return {
    async prepare(scenario) {
      const { token } = await binding.restart(plugin, scenario)
      const address = pageAddress(pageOf(plugin, scenario), scenario.params)
      const config = presets[scenario.preset ?? defaultPreset ?? ''] ?? {}
      return { url: `${url}${address}#tillwright-session=${token}`, config }
    },
    stop: async () => {},
  }
}
