import type { PluginMessage } from '../tell-pages.ts'
import { ownData } from './own-data.ts'

/** What a page knows of itself. */
interface Data {
  page: { id: string; path: string; params: Readonly<Record<string, string>> } | null
}

let data: Data | null = JSON.parse(document.getElementById('tillwright-data')?.textContent ?? 'null')

/**
 * Takes over what is new of the plugin or the session: the page is told by the event `tillwright:data`, whose `detail` is
 * all of its data as they are now. A page whose document is another one is loaded again, one that is gone makes way for the
 * default page, and one that has moved is shown where it is.
 */
export function takePlugin({ data: shared, pages }: PluginMessage): void {
  const own = ownData()
  if (data === null || data.page === null) return location.reload()
  const { page } = data
  const now = pages.find(({ id }) => id === page.id)
  if (now === undefined) return location.assign(addressOf(pages.find(({ isDefault }) => isDefault)?.path ?? '/', {}))
  if (now.path !== page.path) return location.assign(addressOf(now.path, page.params))
  if (now.key !== own.key) return location.reload()
  data = { ...data, ...shared }
  document.dispatchEvent(new CustomEvent('tillwright:data', { detail: data }))
}

/** Shows an address; the page that shows it already begins again. */
export function showAddress(path: string): void {
  if (location.pathname === path && location.search === '') location.reload()
  else location.assign(path)
}

function addressOf(path: string, params: Readonly<Record<string, string>>): string {
  const names = path.split('/').map((part) => (part.startsWith(':') ? (params[part.slice(1)] ?? 'preview') : part))
  return names.map((name) => encodeURIComponent(name)).join('/')
}
