/// <reference types="vite/client" />
import { adoptDocument, ownData } from './live-data.ts'

/** Begins a page again in the document that is there. */
export interface PageRestart {
  /** @returns Whether that was possible; otherwise the document has to be loaded. */
  restart: () => Promise<boolean>
  /** From here on, what is listened to and repeated is the page's own, and ends when it begins again. */
  trackPage: () => void
}

/** Callbacks of a restart. */
export interface RestartListener {
  /** The content of the page is about to go. */
  leaving: () => void
  /** The page's modules have run, each to its end or its error. */
  begun: () => void
  /** A module of the page has thrown an error, or could not be loaded. */
  failed: (error: unknown) => void
}

/**
 * Begins pages again without loading their document: its content becomes that of a new document, the page's own listeners
 * and intervals end, and its modules run again. Frames that were put aside, such as card forms, stay as they are. Modules
 * that have not changed keep their state.
 */
export function pageRestart({ leaving, begun, failed }: RestartListener): PageRestart {
  let forgetPage = () => {}
  let running: Promise<boolean> | null = null
  let isAskedAgain = false

  async function restart(): Promise<boolean> {
    const next = await askForDocument()
    if (next === null) return false
    const scrolled = scrollY
    leaving()
    forgetPage()
    takeContent(next)
    adoptDocument()
    performance.mark('tillwright:restart')
    for (const entry of entriesOf(next)) await run(entry)
    begun()
    void scrollBackTo(scrolled)
    return true
  }

  async function run(entry: string): Promise<void> {
    try {
      await import(/* @vite-ignore */ `${entry}?t=${Date.now()}`)
    } catch (error) {
      failed(error)
    }
  }

  /** One at a time; what is asked for meanwhile is done afterwards, once. */
  async function inTurn(): Promise<boolean> {
    for (;;) {
      isAskedAgain = false
      const isDone = await restart().catch(() => false)
      if (!isDone || !isAskedAgain) return isDone
    }
  }

  return {
    restart() {
      if (running !== null) isAskedAgain = true
      return (running ??= inTurn().finally(() => (running = null)))
    },
    trackPage() {
      const [forgetListeners, forgetIntervals] = [trackListeners(), trackIntervals()]
      forgetPage = () => {
        forgetListeners()
        forgetIntervals()
      }
    },
  }
}

/** @returns `null` where only the browser can show the document: one with another policy, or with scripts of its own. */
async function askForDocument(): Promise<Document | null> {
  const response = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
  if (!response.ok || response.redirected) return null
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const isSamePolicy = ownData(next).policy === ownData().policy
  const scripts = [...next.scripts].filter(({ type }) => type !== 'application/json')
  return isSamePolicy && scripts.every(isModule) ? next : null
}

function isModule({ type, src }: HTMLScriptElement): boolean {
  return type === 'module' && src !== ''
}

/** The page's own modules, in order. Those of Vite and of this client run already. */
function entriesOf(next: Document): string[] {
  const modules = import.meta.env.BASE_URL
  const paths = [...next.scripts].filter(isModule).map(({ src }) => new URL(src).pathname)
  return paths.filter((path) => path.startsWith(modules) && !path.startsWith(`${modules}@`))
}

/** Makes the content of the page's document that of another one. Styles of modules stay, because they are not run again. */
function takeContent(next: Document): void {
  takeAttributes(document.documentElement, next.documentElement)
  takeAttributes(document.body, next.body)
  const [own, others] = [movable(document.head), movable(next.head)]
  if (htmlOf(own) !== htmlOf(others)) {
    for (const element of own) element.remove()
    document.head.append(...others)
  }
  for (const id of ['tillwright-data', 'tillwright-dev']) {
    const place = document.getElementById(id)
    if (place !== null) place.textContent = next.getElementById(id)?.textContent ?? ''
  }
  document.body.replaceChildren(...next.body.childNodes)
}

function takeAttributes(element: Element, from: Element): void {
  for (const name of element.getAttributeNames()) if (!from.hasAttribute(name)) element.removeAttribute(name)
  for (const { name, value } of from.attributes) element.setAttribute(name, value)
}

function movable({ children }: HTMLHeadElement): Element[] {
  return [...children].filter(
    (element) => !element.matches('script, style[data-vite-dev-id], meta[property=csp-nonce]'),
  )
}

function htmlOf(elements: readonly Element[]): string {
  return elements.map(({ outerHTML }) => outerHTML).join('\n')
}

/** Scrolls back as soon as the content is there again, unless the author scrolls. */
async function scrollBackTo(top: number): Promise<void> {
  const signal = AbortSignal.timeout(SCROLL_WITHIN_MS)
  let isOver = top === 0
  addEventListener('wheel', () => (isOver = true), { once: true, passive: true })
  while (!isOver && !signal.aborted) {
    scrollTo({ top, behavior: 'instant' })
    if (scrollY >= top - 1) return
    await new Promise((resolve) => void requestAnimationFrame(resolve))
  }
}

const SCROLL_WITHIN_MS = 2_000

/**
 * Tracks what the page listens to on objects that outlive its content.
 *
 * @returns A function that ends it.
 */
function trackListeners(): () => void {
  const targets = new Set<EventTarget>([window, document, document.documentElement, document.body])
  const added: (() => void)[] = []
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, ...given) {
    const target = this ?? window
    add.apply(target, given)
    if (targets.has(target)) added.push(() => target.removeEventListener(...given))
  }
  return () => {
    for (const remove of added.splice(0)) remove()
  }
}

/** @returns A function that ends the intervals that were begun since. Timers that run once may be a library's own. */
function trackIntervals(): () => void {
  const begun = new Set<number>()
  const begin: Window['setInterval'] = window.setInterval.bind(window)
  Reflect.set(window, 'setInterval', (...given: Parameters<typeof begin>) => {
    const id = begin(...given)
    begun.add(id)
    return id
  })
  return () => {
    for (const id of begun) window.clearInterval(id)
    begun.clear()
  }
}
