import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Finding } from './finding.ts'
import { atValue, type JsonDocument } from './json-document.ts'

/** The files of settings that older plugins keep beside a file that does not name them. */
export interface OlderConfig {
  schema: string | null
  uiSchema: string | null
  /** Each a set of settings, by the name that its file bears. */
  presets: ReadonlyMap<string, string>
}

/** At the root many tools keep a `<tool>.config.json`. */
const ofRoot = /^config\.schema\.json$|\.tgd\.json$/

/** Looks for the settings of older plugins: `config.schema.json` and `*.tgd.json` at the root, and whatever the folder `config` holds. */
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

/** An error when a plugin has such files, and its own file says nothing of a configuration. */
export async function checkOlderConfig(root: string, document: JsonDocument): Promise<Finding[]> {
  const { schema, presets } = await olderConfig(root)
  const [found] = [...(schema === null ? [] : [schema]), ...presets.values()]
  if (found === undefined) return []
  return [
    atValue(document, [], {
      code: 'older-shape',
      rule: `The file must say where its settings are, but it does not name ${found}, as older plugins have it.`,
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

/** The JSON files of a folder, at most three folders deep below `config`; sorted, so that every machine finds the same. */
async function jsonFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: folder !== root }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => path.split('/').length <= 5)
    .toSorted()
}
