import {
  checkNeeded,
  checkRequirements,
  type Plugin,
  type Problem,
  readEnvironment,
  readPlugin,
} from '@tillwright/plugin-build'
import { documentKeys } from '../serve/index.ts'

/** A plugin as it is served: the last one without errors, with the keys of its documents. */
export interface ServedPlugin {
  plugin: Plugin
  documents: Readonly<Record<string, string>>
}

/** The result of reading a plugin's folder; `served` is null if one of the problems is an error. */
export interface ServedPluginResult {
  served: ServedPlugin | null
  problems: Problem[]
}

/** Reads a plugin's folder, and what its documents would be. */
export async function readServedPlugin(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServedPluginResult> {
  const { plugin, problems } = await readPlugin(folder)
  if (plugin === null) return { served: null, problems }
  const { shown, problems: unreadable } = await readEnvironment(plugin.root, environment)
  const missing = unreadable.length > 0 ? unreadable : checkNeeded(plugin.environment, shown)
  if (missing.length > 0) return { served: null, problems: [...problems, ...missing] }
  // The page runs with another SDK too, so this is no reason not to show it.
  const unmet = (await checkRequirements(plugin)).map((problem) => ({ ...problem, severity: 'warning' as const }))
  return { served: { plugin, documents: await documentKeys(plugin) }, problems: [...problems, ...unmet] }
}

/** The kinds of difference between two reads, the smallest first. */
export type Difference = 'nothing' | 'settings' | 'documents' | 'pages'

/** The largest difference between two served plugins. */
export function differenceOf(before: ServedPlugin, after: ServedPlugin): Difference {
  if (changed(before, after, ({ plugin }) => [plugin.mode, plugin.pages, plugin.manifest.pages])) return 'pages'
  if (changed(before, after, ({ documents, plugin }) => [documents, plugin.publicFolder])) return 'documents'
  const said = ({ plugin }: ServedPlugin) => [plugin.file, plugin.configuration, plugin.templates]
  return changed(before, after, said) ? 'settings' : 'nothing'
}

function changed(a: ServedPlugin, b: ServedPlugin, said: (served: ServedPlugin) => unknown): boolean {
  return JSON.stringify(said(a)) !== JSON.stringify(said(b))
}
