import { contract } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import { bindPlugin } from '../../binding/bind-plugin.ts'
import { callSession } from '../../binding/call-session.ts'
import type { FindPlatform } from '../../dev-platform.ts'
import { pageAddress } from '../../serve/page-address.ts'
import { pageOf } from './dev-host.ts'
import type { Scenario } from '../scenario.ts'
import { settingsOf } from '../settings-of.ts'
import type { PreparedScenario, ScenarioHost } from './scenario-host.ts'

/** A plugin that was deployed, and where. */
export interface PublishedPlugin {
  findPlatform: FindPlatform
  /** Where the deployment is served, without a slash at the end. */
  url: string
}

/** Shows a plugin as its deployment is served. */
export interface PublishedHost extends ScenarioHost {
  /** Begins a session with the settings that are live in the store. */
  prepareLive: () => Promise<PreparedScenario>
}

/** Shows a plugin's scenarios as its deployment is served. */
export async function publishedHost(plugin: Plugin, { findPlatform, url }: PublishedPlugin): Promise<PublishedHost> {
  // Pages that are served by a platform have a key of their own.
  const find: FindPlatform = async () => ({ ...(await findPlatform()), makePublishableKey: async () => null })
  const binding = await bindPlugin(plugin, {
    findPlatform: find,
    origins: [],
    scenario: live,
    configOf: (scenario) => (scenario === live ? null : settingsOf(plugin.configuration, scenario)),
  })
  const prepare = async (scenario: Scenario) => {
    const { token } = await binding.restart(plugin, scenario)
    const address = pageAddress(pageOf(plugin, scenario), scenario.params)
    // The last thing before it is opened, because a code lives for a minute.
    const { code } = await callSession(contract.session.handOver, { apiUrl: binding.platform.apiUrl, token })
    return `${url}${address}#tillwright-code=${code}`
  }
  return {
    async prepare(scenario) {
      // A page that does not ask for its session is told the same in its document.
      return { url: await prepare(scenario), config: settingsOf(plugin.configuration, scenario) }
    },
    prepareLive: async () => ({ url: await prepare(live), config: null }),
    stop: async () => {},
  }
}

/** What is seen without a scenario. */
const live: Scenario = { name: 'Preview' }
