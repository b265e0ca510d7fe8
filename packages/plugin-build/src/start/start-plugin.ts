import { basename, resolve } from 'node:path'
import { kindOf } from '../read/folder.ts'
import type { FileText } from '../read/fix-plugin.ts'
import { findModules, type Modules } from './find-modules.ts'
import { ignoredFiles, typescriptSettings } from './project-files.ts'
import { starterConfiguration, starterModule } from './starter-module.ts'

/** What a new plugin is to be. */
export interface WantedPlugin {
  /** What people read. */
  name: string
  /** What fits the modules that are there, unless given. */
  mode?: 'direct-mode' | 'spa-mode' | undefined
}

/** What makes a folder a plugin. */
export interface PluginStart {
  pluginId: string
  mode: 'direct-mode' | 'spa-mode'
  pages: { id: string; path: string }[]
  /** Only files that are not there yet; the manifest first. */
  files: FileText[]
}

/** Where editors find the rules of the file: the local platform has them. */
const SCHEMA = 'http://localhost:4400/schemas/plugin.json'
/** What a folder has that holds somebody's project already. */
const signsOfProject = ['package.json', 'tsconfig.json', 'src']

/**
 * What is missing in a folder to be a plugin: `plugin.manifest.json`; where it has no module for a page, one that shows
 * a setting; and in a folder without a project, TypeScript's settings. It needs no package. Nothing is written.
 *
 * @param folder It need not exist.
 */
export async function startPlugin(folder: string, { name, mode: wanted }: WantedPlugin): Promise<PluginStart> {
  const modules = await findModules(folder)
  const mode = wanted ?? (modules.hasApp && modules.pages.length === 0 ? 'spa-mode' : 'direct-mode')
  const found = pagesOf(modules, mode)
  const pages = found ?? [{ id: 'home', path: '/' }]
  const hasModule = mode === 'spa-mode' ? modules.hasApp : found !== null
  const pluginId = pluginIdOf(name)
  const settings = hasModule ? {} : { configuration: starterConfiguration }
  const manifest = { $schema: SCHEMA, pluginId, name, version: '0.1.0', mode, pages, ...settings }
  const files = [
    { path: 'plugin.manifest.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    ...(hasModule ? [] : [starterModule(mode)]),
    ...((await isProject(folder)) ? [] : [typescriptSettings, ignoredFiles]),
  ]
  const present = await Promise.all(files.map(async ({ path }) => (await kindOf(folder, path)) !== 'nothing'))
  return { pluginId, mode, pages, files: files.filter((_, index) => present[index] !== true) }
}

/** A name for the plugin of a folder: `one-page_checkout` is "One page checkout". */
export function pluginNameOf(folder: string): string {
  const words = basename(resolve(folder))
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .slice(0, 64)
  return words === '' ? 'Plugin' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The id that a name becomes; of a name in another script, `plugin`. */
function pluginIdOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const id = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
  return id === '' ? 'plugin' : id
}

/** The pages whose modules there are, or null. */
function pagesOf({ pages }: Modules, mode: PluginStart['mode']): PluginStart['pages'] | null {
  return mode === 'spa-mode' || pages.length === 0 ? null : pages.map((id) => ({ id, path: pathOf(id) }))
}

function pathOf(id: string): string {
  return id === 'home' || id === 'index' ? '/' : `/${id}`
}

async function isProject(folder: string): Promise<boolean> {
  const kinds = await Promise.all(signsOfProject.map(async (name) => kindOf(folder, name)))
  return kinds.some((kind) => kind !== 'nothing')
}
