import type { OwnData, PluginMessage } from '../protocol.ts'

/** The data of the page's document. */
interface Data {
  session?: { token: string } | null
  page: { id: string; path: string; params: Readonly<Record<string, string>> } | null
}

/** Whether the page is on its way to another address. */
let isLeaving = false
const place = document.getElementById('tillwright-data')
let data: Data | null = readData()
/** Begins the page again without loading it, where something would be lost; answers whether it did. */
let beginAgain: () => Promise<boolean> = () => Promise.resolve(false)

function readData(): Data | null {
  return JSON.parse(place?.textContent ?? 'null')
}

/** The document has the content of another one. */
export function adoptDocument(): void {
  data = readData()
}

/** @param restart Begins the page again in its document; answers false where it has to be loaded. */
export function keepDocument(restart: () => Promise<boolean>): void {
  beginAgain = restart
}

/**
 * Applies a change of the plugin or the session: updates the element with the page's data, and dispatches the event
 * `tillwright:data` with all of it as `detail`. A page whose document has changed is reloaded, one that was removed is
 * replaced by the default page, and one that has moved is shown at its new address.
 */
export function takePlugin({ data: shared, pages }: PluginMessage): void {
  const own = ownData()
  if (data === null || data.page === null) return loadAgain()
  const { page } = data
  const now = pages.find(({ id }) => id === page.id)
  if (now === undefined) return leave(addressOf(pages.find(({ isDefault }) => isDefault)?.path ?? '/', {}))
  if (now.path !== page.path) return move(addressOf(now.path, page.params))
  if (now.key !== own.key) return loadAgain()
  data = { ...data, ...shared }
  if (place !== null) place.textContent = JSON.stringify(data) // for what reads it later
  document.dispatchEvent(new CustomEvent('tillwright:data', { detail: data }))
}

/** Opens the session of the page; '' before there is one. */
export function sessionToken(): string {
  return data?.session?.token ?? ''
}

/** Shows an address; the page that shows it already begins again. */
export function showAddress(path: string): void {
  if (location.pathname === path && location.search === '') loadAgain()
  else leave(path)
}

/** Loads the page again, but for one that is leaving: it would stay where nothing is any more. */
export function loadAgain(): void {
  if (!isLeaving) void beginAgain().then((isDone) => isDone || isLeaving || location.reload())
}

/** Shows the page at the address that it has now. */
function move(address: string): void {
  const former = location.href
  history.replaceState(history.state, '', address)
  void beginAgain().then((isDone) => {
    if (isDone) return
    history.replaceState(history.state, '', former)
    leave(address)
  })
}

/** Never resolves while the page navigates away, so that Vite does not reload it meanwhile. */
export async function unlessLeaving(): Promise<void> {
  if (isLeaving) await new Promise(() => {})
}

function leave(address: string): void {
  isLeaving = true
  location.assign(address)
}

function addressOf(path: string, params: Readonly<Record<string, string>>): string {
  const names = path.split('/').map((part) => (part.startsWith(':') ? (params[part.slice(1)] ?? 'preview') : part))
  return names.map((name) => encodeURIComponent(name)).join('/')
}

/** The dev server's data for this client, from a document. */
export function ownData(from = document): OwnData {
  return JSON.parse(
    from.getElementById('tillwright-dev')?.textContent ??
      '{"key":"","policy":"","root":"","revision":0,"updates":0,"toolbar":"none"}',
  )
}
