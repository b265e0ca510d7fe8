import { realpath } from 'node:fs/promises'
import { PLUGIN_FILE } from '@tillwright/contract'
import { hasErrors, objectOf, readJson } from '../json/index.ts'
import { type FileText, olderConfig, olderModes } from '../manifest/index.ts'
import { type Problem, sortProblems } from '../problem.ts'
import { importPages } from './pages.ts'
import { type Change, Rewriting } from './rewriting.ts'

/** The result of an import: files to write, a report of each change, and the errors that prevented it. */
export interface Import {
  /** Empty if the plugin is up to date. */
  files: FileText[]
  report: Change[]
  /** Errors in files that could not be read; in this case there are no files. */
  problems: Problem[]
}

/**
 * Updates an older plugin: features and requirements written as text, requirements with `from` or `params`, removed
 * modes, and settings that the manifest does not mention. Comments and order are kept. Nothing is written to disk.
 */
export async function importPlugin(folder: string): Promise<Import> {
  const root = await realpath(folder).catch(() => folder)
  const { document, findings } = await readJson(root, PLUGIN_FILE)
  if (document === null || document.root.type !== 'object' || hasErrors(findings)) {
    return { files: [], report: [], problems: sortProblems(findings.map(({ problem }) => problem)) }
  }
  const rewriting = new Rewriting(document)
  importMode(rewriting)
  importPages(rewriting)
  const files = await importConfig(root, rewriting)
  const changed = rewriting.text === document.text ? [] : [{ path: PLUGIN_FILE, text: rewriting.text }]
  return { files: [...changed, ...files], report: rewriting.report, problems: [] }
}

/**
 * Replaces an outdated mode. A plugin in an iframe was one application, which spa-mode serves on its own host; a
 * proxied one had a document per page, as in direct-mode.
 */
function importMode(rewriting: Rewriting): void {
  const { mode } = objectOf(rewriting.value)
  const now = typeof mode === 'string' && Object.hasOwn(olderModes, mode) ? olderModes[mode] : undefined
  if (now === undefined) return
  const meaning = now === 'spa-mode' ? 'one application on its own host, without an iframe' : 'a document per page'
  rewriting.set(['mode'], now, `The mode "${String(mode)}" is now "${now}": ${meaning}.`)
}

/**
 * Adds the settings files of an older plugin to its manifest. A wrapped preset gets a new file without the wrapper;
 * every other file stays where it is.
 *
 * @returns The new files.
 */
async function importConfig(root: string, rewriting: Rewriting): Promise<FileText[]> {
  if (objectOf(rewriting.value)['configuration'] !== undefined) return []
  const { schema, uiSchema, presets } = await olderConfig(root)
  if (schema === null && presets.size === 0) return []
  const read = await Promise.all([...presets].map(async ([name, file]) => importPreset(root, { name, file })))
  const paths = Object.fromEntries(read.map(({ name, path }) => [name, path]))
  const configuration = {
    ...(schema !== null && { schema }),
    ...(uiSchema !== null && { uiSchema }),
    ...(presets.size > 0 && { presets: paths }),
    ...(presets.has('default') && { defaultPreset: 'default' }),
  }
  const named = [schema, uiSchema, ...Object.values(paths)].filter((path) => path !== null)
  rewriting.set(['configuration'], configuration, `The manifest now names the settings: ${named.join(', ')}.`)
  for (const { file, path } of read) {
    if (file !== path) rewriting.record(path, [], `The settings of ${file}, without their wrapper.`)
  }
  return read.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
}

interface PresetFile {
  name: string
  file: string
}

interface ImportedPreset extends PresetFile {
  /** The file that contains the settings now. */
  path: string
  /** Its text if it is new, otherwise null. */
  text: string | null
}

async function importPreset(root: string, { name, file }: PresetFile): Promise<ImportedPreset> {
  const { document, findings } = await readJson(root, file)
  const settings = document === null || hasErrors(findings) ? null : unwrapped(document.value)
  if (settings === null) return { name, file, path: file, text: null }
  const path = `config/presets/${name.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}.json`
  return { name, file, path, text: `${JSON.stringify(settings, null, 2)}\n` }
}

/** Keys that may accompany wrapped settings. */
const wrapping: readonly string[] = ['$schema', 'id', 'name', 'title', 'description', 'version', 'meta']

/**
 * Settings without the wrapper of older files: `{ name, config: { ... } }`, or an adjacent `$schema`. The preset's name
 * and description become its `meta`. Null if nothing is wrapped.
 */
function unwrapped(value: unknown): Record<string, unknown> | null {
  const { $schema, ...settings } = objectOf(value)
  const [key] = ['config', 'settings', 'values'].filter((word) => word in settings)
  const others = Object.keys(settings).filter((word) => word !== key)
  if (key === undefined || !others.every((word) => wrapping.includes(word)) || typeof settings[key] !== 'object') {
    return $schema === undefined ? null : settings
  }
  const { [key]: inner, meta, version: _, ...about } = settings
  const presetMeta = { ...about, ...objectOf(meta) }
  return { ...objectOf(inner), ...(Object.keys(presetMeta).length > 0 && { meta: presetMeta }) }
}
