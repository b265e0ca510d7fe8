import type { Contract, ResponseOf } from '@tillwright/contract'
import { useRead, useReads } from '../../api/query.ts'
import type { Tone } from '../../design/controls.tsx'
import { locale } from '../../language/language.ts'
import { useMay, useSession } from '../../shell/session.ts'

type Management = Contract['pluginManagement']
/** A plugin in a store, with what is live of it. */
export type StorePlugin = ResponseOf<Management['plugins']>['data'][number]
/** A deployment with its state. */
export type Deployment = ResponseOf<Management['list']>['data'][number]
/** A deployment with manifest, files and previews. */
export type DeploymentView = ResponseOf<Management['view']>
/** A place on a domain. */
export type Route = StorePlugin['routes'][number]

/** What reads that a change of plugins affects. */
export const affects = ['pluginManagement.', 'plugins.'] as const

/** Whether a deployment is in use, and with which colour that is shown. */
export const toneOf: Readonly<Record<Deployment['state'], Tone>> = {
  active: 'good',
  idle: 'calm',
  archived: 'calm',
  removed: 'bad',
}

/** Who did something, by name where there is one. */
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

/** Where a deployment comes from, as far as its author has said: a commit, a branch, a message. */
export function sourceOf({ sourceData }: Pick<DeploymentView, 'sourceData'>): readonly string[] {
  const said = (...names: readonly string[]) => names.map((name) => sourceData?.[name]).find(isText)
  const commit = said('commit', 'sha', 'commitSha')
  const isHash = commit !== undefined && /^[0-9a-f]{8,64}$/i.test(commit)
  return [said('branch', 'ref'), isHash ? commit.slice(0, 7) : commit, said('message', 'commitMessage')].filter(isText)
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

/** As many stores are read at once. */
const STORES = 20

/** Plugins of the stores that a member sees, and why they could not be read. `plugins` is `null` while they are on their way. */
export interface PluginsOfStores {
  plugins: readonly StorePlugin[] | null
  failure: Error | null
  retry: () => void
}

/** Reads the plugins of all stores, or one plugin in each of them: the API lists them by store. */
export function usePlugins(pluginId?: string): PluginsOfStores {
  const { storeIds } = useSession().member
  const mayList = useMay()('stores.list')
  const stores = useRead('stores.list', storeIds === null && mayList ? { limit: STORES } : null)
  const ids = storeIds ?? stores.data?.data.map(({ id }) => id)
  const read = useReads(
    'pluginManagement.plugins',
    (ids ?? []).map((storeId) => ({ storeId, limit: 100, ...(pluginId !== undefined && { pluginId }) })),
  )
  const isNone = ids?.length === 0
  return {
    plugins: isNone ? [] : (read.data?.flatMap(({ data }) => data) ?? null),
    failure: stores.error ?? read.error,
    retry: () => void (stores.error === null ? read.refetch() : stores.refetch()),
  }
}
