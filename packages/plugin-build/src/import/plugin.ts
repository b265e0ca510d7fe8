import { realpath } from 'node:fs/promises'
import { PLUGIN_FILE, routeParams } from '@tillwright/contract'
import { hasErrors, type JsonPath, listOf, objectOf, readJson } from '../json/index.ts'
import { type FileText, olderConfig, olderModes } from '../manifest/index.ts'
import { type Problem, sortProblems } from '../problem.ts'
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

/** Converts the features of each page to the current format. */
function importPages(rewriting: Rewriting): void {
  for (const [index, page] of listOf(objectOf(rewriting.value)['pages']).entries()) {
    const { path, features } = objectOf(page)
    const params = typeof path === 'string' ? routeParams(path) : []
    for (const [number, feature] of listOf(features).entries()) {
      importFeature(rewriting, { path: ['pages', index, 'features', number], feature, params })
    }
  }
}

interface FeaturePlace {
  path: JsonPath
  feature: unknown
  /** The parameters of the page's path. */
  params: readonly string[]
}

function importFeature(rewriting: Rewriting, { path, feature, params }: FeaturePlace): void {
  if (typeof feature === 'string') {
    const type = stepTypeOf(feature)
    return rewriting.set(path, { type }, `The feature "${feature}" is now an object with the type "${type}".`)
  }
  const { type, requirements } = objectOf(feature)
  if (typeof type === 'string' && stepTypeOf(type) !== type) {
    const now = stepTypeOf(type)
    rewriting.set(
      [...path, 'type'],
      now,
      `The feature type "${type}" is now "${now}", the name of the funnel step type.`,
    )
  }
  for (const [index, requirement] of listOf(requirements).entries()) {
    const now = newRequirement(requirement, params)
    if (now !== null) rewriting.set([...path, 'requirements', index], now.requirement, now.change)
  }
}

/** Converts `thank-you` and `thankYou` to `thank_you`; an invalid step type is returned unchanged. */
function stepTypeOf(written: string): string {
  const snake = written
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s]+/g, '_')
    .toLowerCase()
  return /^[a-z][a-z0-9_]{0,63}$/.test(snake) ? snake : written
}

/** A requirement in the current format, and a sentence that describes the change. */
export interface NewRequirement {
  requirement: Record<string, unknown>
  change: string
}

/**
 * Converts an older requirement to the current format: text, or an object with `from` or `params`.
 *
 * @param params The parameters of its page's path.
 * @returns Null if it is already in the current format, or not a requirement.
 */
export function newRequirement(older: unknown, params: readonly string[]): NewRequirement | null {
  if (typeof older === 'string') {
    const requirement = { resource: older, ...placed({ resource: older, place: null, param: null }, params) }
    return { requirement, change: `The requirement "${older}" is now ${JSON.stringify(requirement)}.` }
  }
  const { from, params: named, ...rest } = objectOf(older)
  if (from === undefined && named === undefined) return null
  const resource = typeof rest['resource'] === 'string' ? rest['resource'] : ''
  const source = sourceOf(from)
  const [first, ...others] = namesIn(named)
  const requirement = {
    ...rest,
    ...placed(
      { resource, place: source.place ?? (first === undefined ? null : 'url'), param: source.param ?? first ?? null },
      params,
    ),
    ...(others.length > 0 && { 'x-params': others }),
    ...(from !== undefined && source.place === null && { 'x-from': from }),
  }
  return { requirement, change: `${describeSource(from, named)} is now ${JSON.stringify(requirement)}.` }
}

function describeSource(from: unknown, named: unknown): string {
  const was = { ...(from !== undefined && { from }), ...(named !== undefined && { params: named }) }
  return `The requirement with ${JSON.stringify(was).slice(0, 200)}`
}

/** Where older plugins take an id from; `url` is the path if that has such a parameter, otherwise the query. */
type Place = 'url' | 'query' | 'session'

const places: Readonly<Record<string, Place>> = {
  url: 'url',
  path: 'url',
  route: 'url',
  param: 'url',
  params: 'url',
  query: 'query',
  search: 'query',
  searchparams: 'query',
  session: 'session',
  context: 'session',
  state: 'session',
}

interface Source {
  place: Place | null
  param: string | null
}

/** Parses `'url'`, `'query:orderId'`, `{ type: 'query', name: 'orderId' }`, or the first of a list of these. */
function sourceOf(from: unknown): Source {
  if (Array.isArray(from)) return sourceOf(from[0])
  if (typeof from === 'string') {
    const [place = '', param = null] = from.split(/[:.]/)
    return { place: placeOf(place), param }
  }
  const said = objectOf(from)
  const place = [said['in'], said['type'], said['source'], said['from']].find((value) => typeof value === 'string')
  const [param = null] = namesIn(said['name'] ?? said['param'] ?? said['key'])
  return { place: place === undefined ? (param === null ? null : 'url') : placeOf(place), param }
}

function placeOf(word: string): Place | null {
  const name = word.toLowerCase()
  return Object.hasOwn(places, name) ? (places[name] ?? null) : null
}

/** The names of parameters: one, a list, objects with a `name`, or an object by name. */
function namesIn(params: unknown): string[] {
  if (typeof params === 'string') return [params]
  if (!Array.isArray(params)) return Object.keys(objectOf(params))
  return listOf(params).flatMap((each) => {
    const { name } = objectOf(each)
    return [each, name].filter((value) => typeof value === 'string')
  })
}

interface Wanted extends Source {
  resource: string
}

/** The current format of an id's source. The default is the page's path if it has a parameter for the resource. */
function placed({ resource, place, param }: Wanted, params: readonly string[]): Record<string, string> {
  const usual = `${resource}Id`
  const name = param ?? usual
  if (place === 'query') return { in: 'query', param: name }
  if (place === 'session') return {}
  if (params.includes(name)) return { in: 'path', param: name }
  return place === 'url' ? { in: 'query', param: name } : {}
}
