import { contract } from '@tillwright/contract'
import type { Plugin } from '@tillwright/plugin-build'
import { bindPlugin, callSession, type FindPlatform } from '../binding/index.ts'
import { type DevOptions, startDev } from '../dev/index.ts'
import { pageAddress, pageOf } from '../pages.ts'
import { type Scenario, settingsOf } from '../scenarios/index.ts'

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
    url,
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
      // The document carries the same settings, for pages that do not read their session.
      return { url: await prepare(scenario), config: settingsOf(plugin.configuration, scenario) }
    },
    prepareLive: async () => ({ url: await prepare(live), config: null }),
    stop: async () => {},
  }
}

/** The scenario of `prepareLive`. */
const live: Scenario = { name: 'Preview' }

/** Options of a dev server for scenarios. */
export type DevHostOptions = Pick<DevOptions, 'findPlatform' | 'environment' | 'tell'>

/** Serves a plugin's scenarios as `tillwright dev` does, on a port of its own and without the tools of an author. */
export async function devHost(plugin: Plugin, options: DevHostOptions): Promise<ScenarioHost> {
  const dev = await startDev({ ...options, folder: plugin.root, port: 0, toolbar: 'none' })
  return {
    async prepare(scenario) {
      await dev.restart(scenario)
      return { url: dev.url + pageAddress(pageOf(plugin, scenario), scenario.params), config: null }
    },
    stop: dev.stop,
  }
}

/** A scenario whose session has begun, and whose page can be opened. */
export interface PreparedScenario {
  /** With everything that the page is to be opened with. */
  url: string
  /** Settings to replace those of the document; `null` to keep them. */
  config: Readonly<Record<string, unknown>> | null
}

/** Where the pages of scenarios come from. */
export interface ScenarioHost {
  /** Begins a session for a scenario. The next one ends it, so that one is looked at at a time. */
  prepare: (scenario: Scenario) => Promise<PreparedScenario>
  stop: () => Promise<void>
}
