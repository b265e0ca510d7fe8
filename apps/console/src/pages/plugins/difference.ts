import type { Contract, ResponseOf } from '@tillwright/contract'
import { type DeploymentView, pagesOf } from './words.ts'

type Settings = ResponseOf<Contract['pluginManagement']['settings']>

/** One deployment, with its settings as they were last. */
export interface Side {
  view: DeploymentView
  settings: Settings
}

/** A value in two deployments; `undefined` where one has none. */
export interface Changed {
  /** A JSON pointer, a path of a file, or a page. */
  place: string
  before: string | undefined
  after: string | undefined
}

/** What another deployment changes. */
export interface Difference {
  pages: readonly Changed[]
  files: readonly ChangedFile[]
  manifest: readonly Changed[]
  /** What a form of the settings asks for. */
  schema: readonly Changed[]
  /** Presets, templates, and the preset that pages show. */
  values: readonly Changed[]
}

/** A file that only one deployment has, or that differs. Sizes are in bytes. */
export interface ChangedFile {
  path: string
  before: number | undefined
  after: number | undefined
}

/** Compares two deployments, of one plugin or not. */
export function differenceOf(from: Side, to: Side): Difference {
  return {
    pages: changesOf(pageEntries(from.view), pageEntries(to.view)),
    files: filesOf(from.view, to.view),
    manifest: changesOf(valuesIn(withoutPages(from.view)), valuesIn(withoutPages(to.view))),
    schema: changesOf(valuesIn(from.settings.schema), valuesIn(to.settings.schema)),
    values: changesOf(valuesIn(merchants(from.settings)), valuesIn(merchants(to.settings))),
  }
}

/** Whether two deployments are the same in everything. */
export function isSame(difference: Difference): boolean {
  return Object.values(difference).every((part) => part.length === 0)
}

function pageEntries(view: DeploymentView): Map<string, string> {
  return new Map(pagesOf(view).map(({ id, path, name }) => [id, name === id ? path : `${name} ${path}`]))
}

/** The version differs always, and pages are told by themselves. */
function withoutPages({ manifest: { pages: _, version: __, ...rest } }: DeploymentView): object {
  return rest
}

function merchants({ presets, templates, activePreset }: Settings): object {
  return { presets, templates, ...(activePreset !== null && { activePreset }) }
}

function filesOf(from: DeploymentView, to: DeploymentView): ChangedFile[] {
  const [before, after] = [byPath(from), byPath(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path)?.sha256 !== after.get(path)?.sha256)
    .toSorted()
    .map((path) => ({ path, before: before.get(path)?.size, after: after.get(path)?.size }))
}

function byPath({ files }: DeploymentView) {
  return new Map(files.map((file) => [file.path, file]))
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Changed[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => ({ place, before: before.get(place), after: after.get(place) }))
}

/** Every value of a JSON document by its pointer (RFC 6901); an empty object or list is a value too. */
function valuesIn(value: unknown, pointer = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return new Map(pointer === '' ? [] : [[pointer, typeof value === 'string' ? value : JSON.stringify(value)]])
  }
  const inner = Object.entries(value).flatMap(([key, each]) => [
    ...valuesIn(each, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  ])
  return new Map(inner)
}
