import { pickLocale } from '../../locales/index.ts'
import {
  type Handshake,
  HELLO_AFTER_LOAD_MS,
  isHandshake,
  ISSUER_SANDBOX,
  parseMessage,
  PING_EVERY_MS,
  type ThreedsOutcome,
  type ThreedsStep,
  type ThreedsToFrame,
  threedsToPage,
  type ThreedsToPage,
  UNANSWERED_MAX,
  type WindowSize,
  WIRE_VERSION,
} from '../../wire/index.ts'
import type { CheckoutError } from '../checkout-error.ts'
import { frameUrl } from '../frame-url.ts'
import type { Settings } from '../options.ts'

/** The result of an authentication. It is for display: your server gets the binding one. */
export interface Authentication {
  outcome: ThreedsOutcome
  /** The session's status. */
  status: string
  /** EMV 3DS `transStatus`: `Y`, `A`, `N`, `U`, `R`, `I`, `C`, `D`; `null` before the bank has answered. */
  transStatus: string | null
}

/** Parts of the core, passed in so that this module does not bundle a second copy. */
export interface Core {
  settings: Settings
  CheckoutError: typeof CheckoutError
}

/** One authentication for the frame. */
export interface FrameTask {
  actionToken: string
  windowSize: string
  /** Empty for none. */
  returnUrl: string
  /** Told of each step before it begins. */
  calls: ReadonlySet<(step: ThreedsStep) => void>
  /** Aborted when nobody waits for it any more: the frame goes. */
  over: AbortSignal
}

/** Below this, a page of 500 pixels would touch both edges: the bank makes better use of the whole window. */
const NARROW_PX = 540

/** The size of the bank's page for a window of this width, when the shop does not say one. */
export function pickWindowSize(widthPx: number): WindowSize {
  return widthPx < NARROW_PX ? '05' : '03'
}

/** Runs one authentication in a 3-D Secure frame, which is gone when the promise is settled. */
export async function runFrame(task: FrameTask, { settings, CheckoutError: Failure }: Core): Promise<Authentication> {
  const { vaultOrigin } = settings
  const id = crypto.randomUUID()
  const url = frameUrl('threeds', settings, { id, locale: pickLocale(settings.options.locale) })
  const { port1, port2 } = new MessageChannel()
  const cover = openCover(url, () => port1.postMessage({ type: 'cancel' } satisfies ThreedsToFrame))
  const left = aborted(task.over)
  const gone = Promise.race([secondLoad(cover.iframe), left])
  try {
    if (!(await Promise.race([awaitHello({ iframe: cover.iframe, vaultOrigin, id }), left]))) {
      if (task.returnUrl === '' || task.over.aborted) throw new Failure('frame_unavailable', NOT_LOADED)
      location.assign(`${url}&return=${encodeURIComponent(task.returnUrl)}#${task.actionToken}`)
      // The page goes, and is here again, as it was, when the buyer comes back by the browser's Back.
      await new Promise<void>((resolve) => addEventListener('pageshow', ({ persisted }) => persisted && resolve()))
      throw new Failure('frame_unavailable', GONE)
    }
    const answer: Handshake = { tillwright: 'port', v: WIRE_VERSION, id }
    cover.iframe.contentWindow?.postMessage(answer, vaultOrigin, [port2])
    const end = await converse(port1, task, { cover, gone })
    if (!end) throw new Failure('frame_unavailable', GONE)
    if (end.type === 'done') return { outcome: end.outcome, status: end.status, transStatus: end.transStatus }
    throw end.message === '' ? new Failure('network_failed', UNREACHABLE) : new Failure('argument_invalid', end.message)
  } finally {
    port1.close()
    cover.remove()
  }
}

/**
 * Has the frame authenticate, and does in the page what each of its steps asks for, until the frame has an answer.
 *
 * @returns `null` when the frame is gone: nobody waits for it, or it was loaded anew, or answers no longer, because its process
 *   has died or the page has thrown it away, of which there is no event.
 */
function converse(
  port: MessagePort,
  { actionToken, windowSize, calls }: FrameTask,
  { cover, gone }: { cover: Cover; gone: Promise<null> },
): Promise<FrameAnswer | null> {
  const post = (message: ThreedsToFrame): void => port.postMessage(message)
  post({ type: 'start', actionToken, windowSize })
  return new Promise((resolve) => {
    let unanswered = -Infinity // a frame of an earlier release never answers
    const ping = (): void => {
      if ((unanswered += 1) > UNANSWERED_MAX) end(null)
      post({ type: 'ping' })
    }
    const timer = setInterval(ping, PING_EVERY_MS)
    const end = (answer: FrameAnswer | null): void => {
      clearInterval(timer)
      resolve(answer)
    }
    ping()
    void gone.then(end)
    port.onmessage = ({ data }) => {
      const message = parseMessage(threedsToPage, data)
      if (!message) return
      if (message.type === 'ping') unanswered = 0
      else if (message.type !== 'step') end(message)
      else {
        if (message.step === 'challenge' || message.step === 'decoupled') cover.show(message.title)
        else cover.hide()
        post({ type: 'go' })
        calls.forEach((tell) => tell(message.step))
      }
    }
  })
}

type FrameAnswer = Exclude<ThreedsToPage, { type: 'step' | 'ping' }>

/** A second load means that the document with the bank's page, and its port, are gone. */
function secondLoad(iframe: HTMLIFrameElement): Promise<null> {
  return new Promise((resolve) => {
    iframe.addEventListener('load', () => iframe.addEventListener('load', () => resolve(null)))
  })
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
}

const NOT_LOADED = "The 3-D Secure frame did not load: see the network, the page's frame-src and the key's origins."
const GONE = 'The 3-D Secure frame went away; call authenticate() again, it goes on where it was.'
const UNREACHABLE = 'The vault could not be reached; call authenticate() again, it goes on where it was.'

/** How long a frame may take from its first request to its hello. */
const HELLO_TIMEOUT_MS = 10_000

/** The frames whose greeting is awaited. */
export interface ExpectedHello {
  iframe: HTMLIFrameElement
  vaultOrigin: string
  id: string
}

/**
 * Waits until the 3-D Secure frame says hello. A hello from another window, another origin or with another id is
 * ignored: anyone may post to a page.
 *
 * @returns Whether it came.
 */
function awaitHello({ iframe, vaultOrigin, id }: ExpectedHello): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const { signal } = waiting
    let timer = setTimeout(() => end(false), HELLO_TIMEOUT_MS)
    window.addEventListener('message', hear, { signal })
    iframe.addEventListener('load', hurry, { signal })

    function hear({ source, origin, data }: MessageEvent): void {
      if (source === iframe.contentWindow && origin === vaultOrigin && isHandshake(data, 'hello', id)) end(true)
    }

    function hurry(): void {
      clearTimeout(timer)
      timer = setTimeout(() => end(false), HELLO_AFTER_LOAD_MS)
    }

    function end(isHello: boolean): void {
      clearTimeout(timer)
      waiting.abort()
      resolve(isHello)
    }
  })
}

/** The 3-D Secure frame in the page: at work but nowhere to be seen, until it is shown over everything. */
interface Cover {
  iframe: HTMLIFrameElement
  /** Shows the frame over the whole window; the rest of the page can be neither reached nor scrolled. */
  show(title: string): void
  /** Gives the page back, and the keyboard to where it was. */
  hide(): void
  /** Takes the frame out of the page for good. */
  remove(): void
}

// The page's own rules for dialogs and frames must not get at them, and a style sheet of ours needs no place in its CSP.
const BARE =
  'display:block;position:fixed;top:0;left:0;max-width:none;max-height:none;margin:0;padding:0;border:0;background:none;overflow:hidden'
const HIDDEN = `${BARE};width:0;height:0;visibility:hidden`
const SHOWN = `${BARE};width:100%;height:100%;visibility:visible`

/** The dialogs that are shown. What the first has taken from the page is given back when the last has gone. */
const shown = new Set<HTMLDialogElement>()
let lock: Animation | null = null
let before: Element | null = null

/**
 * Puts the frame into the page, in a native dialog, which brings the keyboard in, keeps it in and gives it back.
 *
 * @param onClose Called when the dialog is closed, by whomever: Esc does it, too.
 */
function openCover(src: string, onClose: () => void): Cover {
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  iframe.src = src
  iframe.setAttribute('sandbox', ISSUER_SANDBOX)
  // A frame whose colour scheme differs from its element's is painted on an opaque ground instead of the page's.
  iframe.style.cssText = 'display:block;width:100%;height:100%;border:0;color-scheme:light dark'
  dialog.style.cssText = HIDDEN
  dialog.addEventListener('close', () => {
    dialog.style.cssText = HIDDEN
    release()
    onClose()
  })
  dialog.append(iframe)
  document.body.append(dialog)
  return {
    iframe,
    show: (title) => {
      iframe.title = title
      dialog.setAttribute('aria-label', title) // `ariaLabel` is younger than our oldest Firefox
      dialog.style.cssText = SHOWN
      if (!shown.size) {
        lock = lockScroll(document.documentElement)
        before = document.activeElement
      }
      shown.add(dialog)
      dialog.showModal()
    },
    hide: () => dialog.close(),
    remove: () => {
      dialog.close()
      release()
      dialog.remove()
      // A frame of another process that is leaving may take the keyboard along.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    },
  }

  function release(): void {
    if (shown.delete(dialog) && !shown.size) lock?.cancel()
  }
}

/**
 * Keeps a page from scrolling, without moving what is on it: where a scrollbar took room, the page keeps off it. A
 * `scrollbar-gutter` would keep the dialog off it, too, and a bright strip next to it. Scrollbars of documents are on
 * the right, whatever the direction of the text. Only what is fixed to the right edge of the window follows the edge.
 *
 * An animation lies over the page's own styles, which the page may read and set meanwhile, for a dialog of its own, say.
 *
 * @returns Gives the page back what its styles say then, when it is cancelled.
 */
function lockScroll(page: HTMLElement): Animation {
  const room = innerWidth - page.clientWidth
  const paddingRight = `calc(${getComputedStyle(page).paddingRight} + ${room}px)`
  return page.animate({ overflow: 'clip', scrollbarGutter: 'auto', paddingRight }, { fill: 'forwards' })
}
