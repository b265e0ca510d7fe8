import { realpath } from 'node:fs/promises'
import {
  type DefaultPreset,
  deploymentManifest,
  PLUGIN_FILE,
  type PluginFile,
  type PluginManifest,
  stepTypes,
} from '@tillwright/contract'
import { type Configuration, readConfiguration } from '../configuration/index.ts'
import {
  atValue,
  type Finding,
  hasErrors,
  type JsonDocument,
  kindOf,
  nearMiss,
  pathText,
  readJson,
} from '../json/index.ts'
import { fileError, type Problem, sortProblems } from '../problem.ts'
import { findEntries, type PageEntry } from './entries.ts'
import { checkFile } from './file-check.ts'
import { findNoFiles } from './no-files.ts'
import { checkOlderConfig, olderShapes } from './older-shapes.ts'
import { unknownKeys } from './unknown-keys.ts'

/** A plugin without errors, with everything a build and a deployment need. */
export interface Plugin {
  /** The real path of its folder; all other paths are relative to it, with `/` as the separator. */
  root: string
  /** `plugin.manifest.json`, with its defaults. */
  file: PluginFile
  /** The manifest that a deployment sends. */
  manifest: PluginManifest
  mode: PluginFile['mode']
  pages: PageEntry[]
  /** The folder whose files are deployed unchanged; null if there is none. */
  publicFolder: string | null
  budgets: NonNullable<PluginFile['budgets']>
  /** The names of variables that the build requires; all start with `PUBLIC_`. */
  environment: readonly string[]
  configuration: Configuration
  templates: Record<string, Record<string, unknown>>
  /** The files it was read from. */
  sources: readonly string[]
}

/** A plugin, and all that is wrong with it, by file and position. */
export interface ReadPlugin {
  /** `null` exactly if one of the problems is an error. */
  plugin: Plugin | null
  problems: Problem[]
  /** The subset of `problems` that `fixPlugin` fixes. */
  fixable: Problem[]
}

/**
 * Reads a plugin's folder: `plugin.manifest.json`, its configuration, and whether the entries that it names exist.
 * Nothing is written.
 */
export async function readPlugin(root: string): Promise<ReadPlugin> {
  const { plugin, findings } = await examinePlugin(root)
  const fixable = findings.flatMap(({ problem, repair }) => (repair === undefined ? [] : [problem]))
  return {
    plugin,
    problems: sortProblems(findings.map(({ problem }) => problem)),
    fixable: sortProblems(fixable),
  }
}

/** A plugin and its problems, with the edits that fix them. */
export interface Examined {
  plugin: Plugin | null
  findings: Finding[]
}

/** Like `readPlugin`, with the edits that fix the problems. */
export async function examinePlugin(folder: string): Promise<Examined> {
  const root = await realpath(folder).catch(() => null)
  if (root === null) return { plugin: null, findings: [noFolder(folder)] }
  const { document, findings } = await readJson(root, PLUGIN_FILE)
  if (document === null) return { plugin: null, findings: findings.map((each) => inAnotherFolder(each, root)) }
  const noFiles = await findNoFiles(root)
  if (noFiles.length > 0) return { plugin: null, findings: [...findings, ...noFiles] }
  const examined = await examineDocument(root, document)
  const all = [...findings, ...examined.findings]
  return { plugin: hasErrors(all) ? null : examined.plugin, findings: all }
}

function noFolder(folder: string): Finding {
  const rule = `The plugin's folder must exist, but there is none at ${folder}.`
  const fix = 'Pass the folder that contains plugin.manifest.json.'
  return { problem: fileError(PLUGIN_FILE, { code: 'file-missing', rule, fix }) }
}

/** Whoever has no manifest is in another folder, and need not create one by hand. */
function inAnotherFolder(finding: Finding, root: string): Finding {
  if (finding.problem.code !== 'file-missing') return finding
  const rule = `${PLUGIN_FILE} must be in the plugin's folder, but there is none in ${root}.`
  const fix = 'Go to the plugin\'s folder, or pass it; "npm create @tillwright/plugin" makes a new one.'
  return { problem: { ...finding.problem, rule, fix } }
}

async function examineDocument(root: string, document: JsonDocument): Promise<Examined> {
  const { file, findings } = checkFile(document)
  const older = olderShapes(document)
  const manifestFindings = [...older, ...notWithin(findings, older), ...unknownKeys(document)]
  if (file === null) return { plugin: null, findings: manifestFindings }
  const [entries, settings, assets, olderSettings] = await Promise.all([
    findEntries({ root, document, file }),
    readConfiguration({ root, document, file }),
    findAssets({ root, document, file }),
    file.configuration === undefined ? checkOlderConfig(root, document) : [],
  ])
  const plugin = {
    root,
    file,
    manifest: deploymentManifest(file, defaultPresetOf(settings.configuration)),
    mode: file.mode,
    pages: entries.pages,
    publicFolder: assets.folder,
    budgets: file.budgets ?? {},
    environment: file.requirements?.environment ?? [],
    configuration: settings.configuration,
    templates: settings.templates,
    sources: [PLUGIN_FILE, ...settings.sources],
  }
  return {
    plugin,
    findings: [
      ...manifestFindings,
      ...misspeltTypes(document, file),
      ...entries.findings,
      ...settings.findings,
      ...assets.findings,
      ...olderSettings,
    ],
  }
}

/**
 * Warnings for types of features that are near to one with a meaning, such as `thankyou`. It may be a type of the plugin's own,
 * so nothing is repaired; names that go on, such as `upsell_2`, are taken for such.
 */
function misspeltTypes(document: JsonDocument, { pages }: PluginFile): Finding[] {
  return pages.flatMap(({ features }, page) =>
    features.flatMap(({ type }, feature) => {
      const isMeant = stepTypes.some((known) => type === known || new RegExp(`^${known}[_\\d]`).test(type))
      const meant = isMeant ? null : nearMiss(type, stepTypes)
      if (meant === null) return []
      const path = ['pages', page, 'features', feature, 'type']
      const rule = `${pathText(path)} is "${type}", which no funnel knows: it is taken for a type of your own.`
      const fix = `Did you mean "${meant}"?`
      return [atValue(document, path, { code: 'unknown-step-type', severity: 'warning', rule, fix })]
    }),
  )
}

/** Drops problems inside an outdated part, which has a problem of its own. */
function notWithin(findings: readonly Finding[], older: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ problem }) => !older.some((one) => within(problem.pointer ?? '', one.problem.pointer ?? '')),
  )
}

function within(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`)
}

function defaultPresetOf({ presets, defaultPreset: name }: Configuration): DefaultPreset | undefined {
  return name === null ? undefined : { name, settings: presets[name] ?? {} }
}

interface Source {
  root: string
  document: JsonDocument
  file: PluginFile
}

async function findAssets({ root, document, file }: Source): Promise<{ folder: string | null; findings: Finding[] }> {
  const folder = file.assets?.folder ?? 'public'
  const kind = await kindOf(root, folder)
  if (kind === 'folder') return { folder, findings: [] }
  if (kind === 'nothing' && file.assets === undefined) return { folder: null, findings: [] }
  const path = file.assets === undefined ? [] : ['assets', 'folder']
  const why =
    kind === 'outside'
      ? 'a link that leads out of the plugin’s folder'
      : `${kind === 'nothing' ? 'nothing' : 'no folder'} there`
  const complaint = {
    code: 'assets-missing',
    rule: `${folder} must be a folder of the plugin, but there is ${why}.`,
    fix: 'Create the folder, or name another one as "assets.folder".',
  }
  return { folder: null, findings: [atValue(document, path, complaint)] }
}
