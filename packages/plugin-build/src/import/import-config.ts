import type { FileText } from '../read/fix-plugin.ts'
import { hasErrors } from '../read/finding.ts'
import { olderConfig } from '../read/older-config.ts'
import { objectOf } from '../read/plain.ts'
import { readJson } from '../read/read-json.ts'
import type { Rewriting } from './rewriting.ts'

/**
 * Names the settings that an older plugin keeps in files which its own file does not name. A preset that is wrapped in
 * something of its own gets a file without the wrapping; every other file stays where it is.
 *
 * @returns The files that are new.
 */
export async function importConfig(root: string, rewriting: Rewriting): Promise<FileText[]> {
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
  rewriting.set(['configuration'], configuration, `The settings are now named: ${named.join(', ')}.`)
  for (const { file, path } of read) {
    if (file !== path) rewriting.tell(path, [], `The settings of ${file}, without what was wrapped around them.`)
  }
  return read.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
}

interface PresetFile {
  name: string
  file: string
}

interface ImportedPreset extends PresetFile {
  /** The file that holds the settings now. */
  path: string
  /** Its text where it is new, or null. */
  text: string | null
}

async function importPreset(root: string, { name, file }: PresetFile): Promise<ImportedPreset> {
  const { document, findings } = await readJson(root, file)
  const settings = document === null || hasErrors(findings) ? null : unwrapped(document.value)
  if (settings === null) return { name, file, path: file, text: null }
  const path = `config/presets/${name.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}.json`
  return { name, file, path, text: `${JSON.stringify(settings, null, 2)}\n` }
}

/** What may stand beside settings that are wrapped. */
const wrapping: readonly string[] = ['$schema', 'id', 'name', 'title', 'description', 'version', 'meta']

/**
 * Settings out of what older files wrap around them: `{ name, config: { ... } }`, or a `$schema` beside them. What names
 * the preset becomes its `meta`. Null where nothing is wrapped.
 */
function unwrapped(value: unknown): Record<string, unknown> | null {
  const { $schema, ...settings } = objectOf(value)
  const [key] = ['config', 'settings', 'values'].filter((word) => word in settings)
  const others = Object.keys(settings).filter((word) => word !== key)
  if (key === undefined || !others.every((word) => wrapping.includes(word)) || typeof settings[key] !== 'object') {
    return $schema === undefined ? null : settings
  }
  const { [key]: inner, meta, version: _, ...about } = settings
  const told = { ...about, ...objectOf(meta) }
  return { ...objectOf(inner), ...(Object.keys(told).length > 0 && { meta: told }) }
}
