import type { ComponentChildren } from 'preact'
import { useReads } from '../../api/query.ts'
import { Section } from '../../design/section.tsx'
import { Bone, Failure } from '../../design/states.tsx'
import { text } from './text.ts'
import { sizeOf, type DeploymentView, pagesOf } from './words.ts'
import type { Contract, ResponseOf } from '@tillwright/contract'

interface BetweenProps {
  /** `null` where nothing was before: then everything is new, and nothing is compared. */
  from: string | null
  to: string
  children: (difference: Difference) => ComponentChildren
}

/** Reads two deployments and shows what differs. */
export function Between({ from, to, children }: BetweenProps) {
  const inputs = from === null ? [] : [{ deploymentId: from }, { deploymentId: to }]
  const views = useReads('pluginManagement.view', inputs)
  const settings = useReads('pluginManagement.settings', inputs)
  if (from === null) return null
  const failure = views.error ?? settings.error
  if (failure !== null) return <Failure failure={failure} />
  const [first, second] = views.data ?? []
  const [own, other] = settings.data ?? []
  if (first === undefined || second === undefined || own === undefined || other === undefined) return <Bone />
  const difference = differenceOf({ view: first, settings: own }, { view: second, settings: other })
  return <>{children(difference)}</>
}

/** Summary of a difference in a few lines, for a dialog that asks for confirmation. */
export function Summary({ of: difference }: { of: Difference }) {
  const { pages, files, manifest, schema, values } = difference
  if (isSame(difference)) return <p>{text('same')}</p>
  const gone = pages.filter(({ after }) => after === undefined)
  const lines = [
    ...(pages.length === 0 ? [] : [`${text('pages')}: ${countsOf(pages)}`]),
    ...(files.length === 0 ? [] : [`${text('files')}: ${countsOf(files)}`]),
    ...(manifest.length === 0 ? [] : [`${text('manifest')}: ${countsOf(manifest)}`]),
    ...(schema.length === 0 ? [] : [`${text('schema')}: ${countsOf(schema)}`]),
    ...(values.length === 0 ? [] : [`${text('values')}: ${countsOf(values)}`]),
  ]
  return (
    <>
      {gone.length > 0 && (
        <p class="remark">{text('pagesGone', { pages: gone.map(({ before }) => before ?? '').join(', ') })}</p>
      )}
      <ul class="plain-list">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

function countsOf(changes: readonly { before: unknown; after: unknown }[]): string {
  const added = changes.filter(({ before }) => before === undefined).length
  const removed = changes.filter(({ after }) => after === undefined).length
  const changed = changes.length - added - removed
  const parts = [
    ...(added > 0 ? [text('count.added', { count: added })] : []),
    ...(removed > 0 ? [text('count.removed', { count: removed })] : []),
    ...(changed > 0 ? [text('count.changed', { count: changed })] : []),
  ]
  return parts.join(', ')
}

/** Everything that differs. */
export function Differences({ of: { pages, files, manifest, schema, values } }: { of: Difference }) {
  return (
    <div class="stack">
      <Part title={text('pages')} changes={pages} />
      <FilePart changes={files} />
      <Part title={text('schema')} changes={schema} />
      <Part title={text('values')} changes={values} />
      <Part title={text('manifest')} changes={manifest} />
    </div>
  )
}

/** More than these are counted, not shown. */
const SHOWN = 200

function Part({ title, changes }: { title: string; changes: readonly Changed[] }) {
  return (
    <Section title={title}>
      {changes.length === 0 && <p class="hint">{text('same')}</p>}
      <ul class="diff">
        {changes.slice(0, SHOWN).map(({ place, before, after }) => (
          <li key={place}>
            <Kind before={before} after={after} />
            <code dir="ltr">{place}</code>
            {before !== undefined && <del dir="auto">{before}</del>}
            {after !== undefined && <ins dir="auto">{after}</ins>}
          </li>
        ))}
      </ul>
      <Rest count={changes.length - SHOWN} />
    </Section>
  )
}

function FilePart({ changes }: { changes: readonly ChangedFile[] }) {
  const sum = (side: 'before' | 'after') => changes.reduce((total, each) => total + (each[side] ?? 0), 0)
  return (
    <Section
      title={text('files')}
      actions={
        changes.length > 0 && (
          <span class="sizes">
            <del>{sizeOf(sum('before'))}</del> <ins>{sizeOf(sum('after'))}</ins>
          </span>
        )
      }
    >
      {changes.length === 0 && <p class="hint">{text('same')}</p>}
      <ul class="diff">
        {changes.slice(0, SHOWN).map(({ path, before, after }) => (
          <li key={path}>
            <Kind before={before} after={after} />
            <code dir="ltr">{path}</code>
            {before !== undefined && <del>{sizeOf(before)}</del>}
            {after !== undefined && <ins>{sizeOf(after)}</ins>}
          </li>
        ))}
      </ul>
      <Rest count={changes.length - SHOWN} />
    </Section>
  )
}

function Kind({ before, after }: { before: unknown; after: unknown }) {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return <span class={`kind ${kind}`}>{text(`kind.${kind}`)}</span>
}

function Rest({ count }: { count: number }) {
  return count > 0 ? <p class="hint">{text('moreDifferences', { count })}</p> : null
}

type Settings = ResponseOf<Contract['pluginManagement']['settings']>

/** One deployment, with its settings as they were last. */
interface Side {
  view: DeploymentView
  settings: Settings
}

/** A value in two deployments; `undefined` where one has none. */
interface Changed {
  /** A JSON pointer, a path of a file, or a page. */
  place: string
  before: string | undefined
  after: string | undefined
}

/** Changes that another deployment brings. */
interface Difference {
  pages: readonly Changed[]
  files: readonly ChangedFile[]
  manifest: readonly Changed[]
  /** Fields of the settings form. */
  schema: readonly Changed[]
  /** Presets, templates, and the preset that pages show. */
  values: readonly Changed[]
}

/** A file that only one deployment has, or that differs. Sizes are in bytes. */
interface ChangedFile {
  path: string
  before: number | undefined
  after: number | undefined
}

/** Compares two deployments, of one plugin or not. */
function differenceOf(from: Side, to: Side): Difference {
  return {
    pages: changesOf(pageEntries(from.view), pageEntries(to.view)),
    files: filesOf(from.view, to.view),
    manifest: changesOf(valuesIn(withoutPages(from.view)), valuesIn(withoutPages(to.view))),
    schema: changesOf(valuesIn(from.settings.schema), valuesIn(to.settings.schema)),
    values: changesOf(valuesIn(merchants(from.settings)), valuesIn(merchants(to.settings))),
  }
}

/** Whether two deployments are the same in everything. */
function isSame(difference: Difference): boolean {
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
