import { readEnvironment, checkNeeded, readPlugin, type Plugin, type Problem } from '@tillwright/plugin-build'
import { documentKeys } from '../serve/documents.ts'

/** A plugin as it is served: the last one without errors, with the keys of its documents. */
export interface ServedPlugin {
  plugin: Plugin
  documents: Readonly<Record<string, string>>
}

/** What a look at a plugin's folder has brought; `served` is null if one of the problems is an error. */
export interface Look {
  served: ServedPlugin | null
  problems: Problem[]
}

/** Reads a plugin's folder, and what its documents would be. */
export async function lookAtPlugin(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Look> {
  const { plugin, problems } = await readPlugin(folder)
  if (plugin === null) return { served: null, problems }
  const missing = checkNeeded(plugin.environment, readEnvironment(plugin.root, environment).shown)
  if (missing.length > 0) return { served: null, problems: [...problems, ...missing] }
  return { served: { plugin, documents: await documentKeys(plugin) }, problems }
}

/** What differs between two looks, in the order of how much has to be done about it. */
export type Difference = 'nothing' | 'settings' | 'documents' | 'pages'

/** What has changed from one served plugin to the next. */
export function differenceOf(before: ServedPlugin, after: ServedPlugin): Difference {
  if (changed(before, after, ({ plugin }) => [plugin.mode, plugin.pages, plugin.manifest.pages])) return 'pages'
  if (changed(before, after, ({ documents, plugin }) => [documents, plugin.publicFolder])) return 'documents'
  const said = ({ plugin }: ServedPlugin) => [plugin.file, plugin.configuration, plugin.templates]
  return changed(before, after, said) ? 'settings' : 'nothing'
}

function changed(a: ServedPlugin, b: ServedPlugin, said: (served: ServedPlugin) => unknown): boolean {
  return JSON.stringify(said(a)) !== JSON.stringify(said(b))
}
