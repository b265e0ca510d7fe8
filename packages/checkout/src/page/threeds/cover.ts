import { ISSUER_SANDBOX } from '../../wire/index.ts'

/** The 3-D Secure frame in the page: at work but nowhere to be seen, until it is shown over everything. */
export interface Cover {
  iframe: HTMLIFrameElement
  /** Shows the frame over the whole window; the rest of the page can be neither reached nor scrolled. */
  show(title: string): void
  /** Gives the page back, and the keyboard to where it was. */
  hide(): void
  /** Takes the frame out of the page for good. */
  remove(): void
}

// The page's own rules for dialogs and frames must not get at them, and a style sheet of ours needs no place in its CSP.
const BARE = 'position:fixed;top:0;left:0;max-width:none;max-height:none;margin:0;padding:0;border:0;background:none'
const HIDDEN = `${BARE};display:block;width:0;height:0;visibility:hidden`
const SHOWN = `${BARE};display:block;width:100%;height:100%;visibility:visible;overflow:hidden`

/**
 * Puts the frame into the page, in a native dialog, which brings the keyboard in, keeps it in and gives it back.
 *
 * @param onClose Called when the dialog is closed, by whomever: Esc does it, too.
 */
export function openCover(src: string, onClose: () => void): Cover {
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  let unlock = (): void => {}
  let before: Element | null = null
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
      dialog.ariaLabel = iframe.title = title
      dialog.style.cssText = SHOWN
      unlock = lockScroll(document.documentElement)
      before = document.activeElement
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
    unlock()
    unlock = () => {}
  }
}

/**
 * Keeps a page from scrolling, without moving what is on it: where a scrollbar takes room, the room stays.
 *
 * @returns Gives the page its own styles back.
 */
function lockScroll({ style, clientWidth }: HTMLElement): () => void {
  const { overflow, scrollbarGutter } = style
  style.overflow = 'hidden'
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable'
  return () => {
    style.overflow = overflow
    style.scrollbarGutter = scrollbarGutter
  }
}
