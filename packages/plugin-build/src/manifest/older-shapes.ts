import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { atValue, type Finding, type JsonDocument, type JsonPath, listOf, objectOf, pathText } from '../json/index.ts'

/** The modes of older plugins, and their current equivalents. */
export const olderModes: Readonly<Record<string, 'direct-mode' | 'spa-mode'>> = {
  'iframe-bridge': 'spa-mode',
  'iframe-mode': 'spa-mode',
  'proxy-mode': 'direct-mode',
}

/** An error for every part of the manifest that was once valid and that an import updates. */
export function olderShapes(document: JsonDocument): Finding[] {
  return olderPaths(document.value).map(({ path, was }) =>
    atValue(document, path, {
      code: 'older-shape',
      rule: `${pathText(path)} is ${was}, an outdated format.`,
      fix: 'Run `tillwright import`, which updates the plugin and reports every change.',
    }),
  )
}

/** An outdated part of a manifest. */
export interface OlderPart {
  path: JsonPath
  /** A noun phrase for messages. */
  was: string
}

/** The outdated parts of a manifest. */
function olderPaths(value: unknown): OlderPart[] {
  const { mode, pages } = objectOf(value)
  return [
    ...(typeof mode === 'string' && Object.hasOwn(olderModes, mode) ? [{ path: ['mode'], was: `"${mode}"` }] : []),
    ...listOf(pages).flatMap((page, index) => inPage(page, ['pages', index])),
  ]
}

function inPage(page: unknown, path: JsonPath): OlderPart[] {
  return listOf(objectOf(page)['features']).flatMap((feature, index) => {
    const inner = [...path, 'features', index]
    if (typeof feature === 'string') return [{ path: inner, was: 'a feature written as text' }]
    return listOf(objectOf(feature)['requirements']).flatMap((one, number) =>
      inRequirement(one, [...inner, 'requirements', number]),
    )
  })
}

function inRequirement(requirement: unknown, path: JsonPath): OlderPart[] {
  if (typeof requirement === 'string') return [{ path, was: 'a requirement written as text' }]
  const { from, params } = objectOf(requirement)
  if (from === undefined && params === undefined) return []
  return [{ path, was: `a requirement with "${from === undefined ? 'params' : 'from'}"` }]
}

/** The settings files of an older plugin, which its manifest does not name. */
export interface OlderConfig {
  schema: string | null
  uiSchema: string | null
  /** Settings files by preset name, taken from the file name. */
  presets: ReadonlyMap<string, string>
}

/** Only these at the root, where many tools keep a `<tool>.config.json`. */
const ofRoot = /^config\.schema\.json$|\.tgd\.json$/

/**
 * Finds the settings of older plugins: `config.schema.json` and `*.tgd.json` at the root, and everything in the folder
 * `config`.
 */
export async function olderConfig(root: string): Promise<OlderConfig> {
  const atRoot = (await jsonFiles(root, root)).filter((file) => ofRoot.test(file))
  const files = [...atRoot, ...(await jsonFiles(root, join(root, 'config')))]
  const named = (pattern: RegExp) => files.find((file) => pattern.test(file)) ?? null
  return {
    schema: named(/(?:^|\/)config\.schema\.json$/) ?? named(/^config\/(?:.*\/)?schema\.json$/),
    uiSchema: named(/(?:^|\/)config\.ui-?schema\.json$/i) ?? named(/^config\/(?:.*\/)?ui-?schema\.json$/i),
    presets: presetsAmong(files),
  }
}

/** An error if a plugin has such files, and its manifest has no configuration. */
export async function checkOlderConfig(root: string, document: JsonDocument): Promise<Finding[]> {
  const { schema, presets } = await olderConfig(root)
  const [found] = [...(schema === null ? [] : [schema]), ...presets.values()]
  if (found === undefined) return []
  return [
    atValue(document, [], {
      code: 'older-shape',
      rule: `The manifest must name its settings, but it does not name ${found}, an outdated layout.`,
      fix: 'Run `tillwright import`, or write "configuration": {} if the plugin has no settings.',
    }),
  ]
}

function presetsAmong(files: readonly string[]): Map<string, string> {
  const presets = new Map<string, string>()
  for (const file of files) {
    const [, base, kind] = /([^/]+)\.(preset|config|tgd)\.json$/.exec(file) ?? []
    if (base !== undefined) presets.set(presets.has(base) ? free(presets, `${base}-${kind}`) : base, file)
  }
  return presets
}

function free(taken: ReadonlyMap<string, string>, name: string): string {
  return taken.has(name) ? free(taken, `${name}-2`) : name
}

/** The JSON files of a folder, at most three levels deep below `config`, sorted for reproducibility. */
async function jsonFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: folder !== root }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => path.split('/').length <= 5)
    .toSorted()
}
