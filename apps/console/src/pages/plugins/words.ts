import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead, useReads } from '../../api/query.ts'
import type { Tone } from '../../design/controls.tsx'
import { locale } from '../../language/language.ts'
import { storeOf, useMay, useSession } from '../../shell/session.ts'

type Management = Contract['pluginManagement']
/** A plugin in a store, with what is live of it. */
export type StorePlugin = ResponseOf<Management['plugins']>['data'][number]
/** A deployment with its state. */
export type Deployment = ResponseOf<Management['list']>['data'][number]
/** A deployment with manifest, files and previews. */
export type DeploymentView = ResponseOf<Management['view']>
/** A place on a domain. */
export type Route = StorePlugin['routes'][number]

/** Prefixes of the operations whose results a change of plugins makes stale. */
export const affects = ['pluginManagement.', 'plugins.'] as const

/** Whether a deployment is in use, and with which colour that is shown. */
export const toneOf: Readonly<Record<Deployment['state'], Tone>> = {
  active: 'good',
  idle: 'calm',
  archived: 'calm',
  removed: 'bad',
}

/** The name of a member or key, or its id if it has no name. */
export function actorName({ id, name }: Deployment['deployedBy']): string {
  return name ?? id
}

const steps = ['byte', 'kilobyte', 'megabyte'] as const

/** A number of bytes for people: 48213 is `48 kB`. */
export function sizeOf(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), steps.length - 1)
  const unit = steps[step] ?? 'byte'
  const digits = step === 2 ? 1 : 0
  const style = {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat(locale, style).format(bytes / 1_000 ** step)
}

/** Where a deployment comes from, as far as its author has said: a branch, a commit with a `*` if files differ from it, a message. */
export function sourceOf({ sourceData }: Pick<DeploymentView, 'sourceData'>): readonly string[] {
  const said = (...names: readonly string[]) => names.map((name) => sourceData?.[name]).find(isText)
  const commit = said('commit', 'sha', 'commitSha')
  const isHash = commit !== undefined && /^[0-9a-f]{8,64}$/i.test(commit)
  const shown = isHash ? commit.slice(0, 7) : commit
  const modified = sourceData?.['modified'] === true && shown !== undefined ? `${shown}*` : shown
  return [said('branch', 'ref'), modified, said('message', 'commitMessage')].filter(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A page of a plugin, as its manifest has it. */
export interface PluginPage {
  id: string
  path: string
  name: string
}

/** The pages of a deployment. */
export function pagesOf({ manifest }: Pick<DeploymentView, 'manifest'>): readonly PluginPage[] {
  const pages: unknown = manifest['pages']
  if (!Array.isArray(pages)) return []
  return pages.flatMap((page: unknown) => {
    if (typeof page !== 'object' || page === null) return []
    const { id, path, name } = page as Readonly<Record<string, unknown>> // an object's fields
    return isText(id) && isText(path) ? [{ id, path, name: isText(name) ? name : id }] : []
  })
}

/** The address of a page on a deployment's own host; `null` for one whose path has a part to be filled in. */
export function pageUrl({ url }: Pick<Deployment, 'url'>, { path }: PluginPage): string | null {
  return path.includes('/:') ? null : url + encodeURI(path)
}

/** The address of a place on a domain: scheme and port are those of the plugins' own host. */
export function routeUrl({ hostname, path }: Route, { url }: Pick<Deployment, 'url'>): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${hostname}${port === '' ? '' : `:${port}`}${encodeURI(path)}`
}

/** The address of a plugin's page in the console, or of something of it. */
export function pluginPath({ pluginId, storeId }: Pick<StorePlugin, 'pluginId' | 'storeId'>, below = ''): string {
  const mark = below.includes('?') ? '&' : '?'
  return `/plugins/${encodeURIComponent(pluginId)}${below}${mark}storeId=${encodeURIComponent(storeId)}`
}

/** The longest list of stores, and of how many of them plugins are read unless one is chosen. */
const STORES = 100
const AT_ONCE = 20

/** Plugins of the stores that a member sees, and why they could not be read. */
export interface PluginsOfStores {
  /** `null` while they are on their way. */
  plugins: readonly StorePlugin[] | null
  /** Whether there are stores whose plugins were not read. */
  isPartial: boolean
  failure: Error | null
  retry: () => void
}

/**
 * Reads the plugins of a member's stores: the API lists them by store.
 *
 * @param wanted With a `storeId` those of this store; with a `pluginId` too, that plugin there and in other stores.
 */
export function usePlugins({ storeId, pluginId }: { storeId?: string; pluginId?: string }): PluginsOfStores {
  const own = storeOf(useSession())
  const isListed = own === null && useMay()('stores.list')
  const stores = useRead('stores.list', isListed ? { limit: STORES } : null)
  const listed = own === null ? stores.data?.data.map(({ id }) => id) : [own]
  const ids = storesToRead(listed, { storeId, pluginId })
  const read = useReads(
    'pluginManagement.plugins',
    ids.map((id) => ({ storeId: id, limit: 100, ...(pluginId !== undefined && { pluginId }) })),
  )
  return {
    plugins: listed?.length === 0 ? [] : (read.data?.flatMap(({ data }) => data) ?? null),
    isPartial: storeId === undefined && listed !== undefined && listed.length > ids.length,
    failure: stores.error ?? read.error,
    retry: () => void (stores.error === null ? read.refetch() : stores.refetch()),
  }
}

function storesToRead(
  listed: readonly string[] | undefined,
  { storeId, pluginId }: { storeId: string | undefined; pluginId: string | undefined },
): readonly string[] {
  if (listed === undefined) return []
  if (storeId !== undefined && pluginId === undefined) return [storeId]
  return [...new Set([...(storeId === undefined ? [] : [storeId]), ...listed.slice(0, AT_ONCE)])]
}
