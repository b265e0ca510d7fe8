import type { Plugin } from '@tillwright/plugin-build'
import type { DevOptions } from '../../dev-options.ts'
import { pageAddress } from '../../serve/page-address.ts'
import { startDev } from '../../start-dev.ts'
import type { Scenario } from '../scenario.ts'
import type { ScenarioHost } from './scenario-host.ts'

/** What a dev server for scenarios is told. */
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

/**
 * The page that a scenario is about.
 *
 * @throws {Error} Where the plugin has no page at all, which none without errors has.
 */
export function pageOf({ pages }: Pick<Plugin, 'pages'>, { page }: Pick<Scenario, 'page'>): Plugin['pages'][number] {
  const found = pages.find(({ id }) => id === page) ?? pages.find(({ isDefault }) => isDefault) ?? pages[0]
  if (found !== undefined) return found
  throw new Error('The plugin has no page.')
}
