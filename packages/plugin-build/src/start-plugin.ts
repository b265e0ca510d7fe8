import { readdir } from 'node:fs/promises'
import { basename, join, parse, resolve } from 'node:path'
import { kindOf } from './json/index.ts'
import type { FileText } from './manifest/index.ts'

/** Options of a new plugin. */
export interface WantedPlugin {
  /** The display name. */
  name: string
  /** By default the mode that matches the modules in the folder. */
  mode?: 'direct-mode' | 'spa-mode' | undefined
}

/** The files that turn a folder into a plugin. */
export interface PluginStart {
  pluginId: string
  mode: 'direct-mode' | 'spa-mode'
  pages: { id: string; path: string }[]
  /** Only files that do not exist yet; the manifest first. */
  files: FileText[]
}

/** The JSON Schema for editors, in the installed command line. */
const SCHEMA = './node_modules/@tillwright/cli/dist/plugin.schema.json'
/** Files that mark a folder as an existing project. */
const signsOfProject = ['package.json', 'tsconfig.json', 'src']

/**
 * The files that a folder needs to become a plugin: `plugin.manifest.json`; a starter module if no page has one; and a
 * TypeScript configuration if it is not a project yet. No packages are needed. Nothing is written.
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
  // Without a package.json nothing is installed in the folder, and editors would complain of a missing schema.
  const schema = (await kindOf(folder, 'package.json')) === 'nothing' ? {} : { $schema: SCHEMA }
  const manifest = { ...schema, pluginId, name, version: '0.1.0', mode, pages, ...settings }
  const files = [
    { path: 'plugin.manifest.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    ...(hasModule ? [] : [starterModule(mode)]),
    ...((await isProject(folder)) ? [] : [typescriptSettings, ignoredFiles]),
  ]
  const present = await Promise.all(files.map(async ({ path }) => (await kindOf(folder, path)) !== 'nothing'))
  return { pluginId, mode, pages, files: files.filter((_, index) => present[index] !== true) }
}

/** Derives a plugin's name from its folder: `one-page_checkout` is "One page checkout". */
export function pluginNameOf(folder: string): string {
  const words = basename(resolve(folder))
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .slice(0, 64)
  return words === '' ? 'Plugin' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Derives the plugin's id from its name; `plugin` for a name in another script. */
function pluginIdOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const id = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
  return id === '' ? 'plugin' : id
}

/** The pages with existing modules, or null. */
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

/** The settings used by the starter module. */
const starterConfiguration = {
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      headline: { type: 'string', title: 'Headline', default: 'Hello' },
      colour: { type: 'string', format: 'color', title: 'Headline colour', default: '#224466' },
    },
  },
  presets: { standard: { headline: 'Hello', colour: '#224466' } },
}

const text = `// The platform writes the data of a page into its document; a page that is opened from a file has none.
const data = document.getElementById('tillwright-data')?.textContent
const config: Tillwright.Config = data ? JSON.parse(data).config : {}

const headline = document.createElement('h1')
headline.textContent = config.headline ?? 'Hello'
headline.style.color = config.colour ?? '#224466'
document.getElementById('app')?.append(headline)
`

/** The starter module of a plugin: it shows a setting and needs no packages. */
function starterModule(mode: 'direct-mode' | 'spa-mode'): FileText {
  return { path: mode === 'spa-mode' ? 'src/app.ts' : 'src/pages/home.ts', text }
}

const settings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['src', 'plugin-env.d.ts'],
}

/** Compiler options that match how the bundler treats modules. */
const typescriptSettings: FileText = { path: 'tsconfig.json', text: `${JSON.stringify(settings, null, 2)}\n` }

/** Files to ignore in Git. */
const ignoredFiles: FileText = {
  path: '.gitignore',
  text: ['node_modules/', 'dist/', '.env*', '.tillwright/', ''].join('\n'),
}

/** The modules of a project that are where a plugin's would be. */
interface Modules {
  /** Whether `src/app` exists. */
  hasApp: boolean
  /** Page ids from `src/pages/<id>`: home first, then by name. */
  pages: string[]
}

/** Finds modules in a folder that need not exist. */
async function findModules(folder: string): Promise<Modules> {
  const [src, pages] = await Promise.all([moduleNames(join(folder, 'src')), moduleNames(join(folder, 'src/pages'))])
  const ids = pages.filter((name) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
  const distinct = [...new Map(ids.map((id) => [addressOf(id), id])).values()]
  return { hasApp: src.includes('app'), pages: distinct.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)) }
}

/** Ids that differ only in case would be the same file, and `index` is at the address of `home`. */
function addressOf(id: string): string {
  return id.toLowerCase() === 'index' ? 'home' : id.toLowerCase()
}

function rank(id: string): number {
  return addressOf(id) === 'home' ? 0 : 1
}

async function moduleNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
  return files.map(({ name }) => parse(name)).flatMap(({ name, ext }) => (/^\.[jt]sx?$/.test(ext) ? [name] : []))
}
