import { useEffect, useRef } from 'preact/hooks'
import { sections } from './navigation.ts'

/** Handlers of the keyboard shortcuts of every page. */
export interface KeyActions {
  search: () => void
  help: () => void
  /** To a page of the menu. */
  go: (path: string) => void
}

/** How long `g` waits for its letter. */
const SECOND_KEY_MS = 1_500

/** Listens for the keys of every page: `/` and Ctrl K, `?`, and `g` with a page's letter. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    let goUntil = 0
    const press = (event: KeyboardEvent) => {
      const isSearch = event.key === 'k' && (event.ctrlKey || event.metaKey)
      if (isSearch) {
        event.preventDefault()
        latest.current.search()
        return
      }
      if (isTyping(event)) return
      if (event.timeStamp < goUntil) {
        const page = sections.flatMap(({ pages }) => pages).find(({ letter }) => letter === event.key)
        if (page !== undefined) latest.current.go(page.path)
        goUntil = 0
      } else if (event.key === 'g') goUntil = event.timeStamp + SECOND_KEY_MS
      else if (event.key === '/' || event.key === '?') {
        event.preventDefault()
        if (event.key === '/') latest.current.search()
        else latest.current.help()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Whether a key belongs to a field, a dialog or the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return target instanceof Element && target.closest('input, select, textarea, dialog, [contenteditable]') !== null
}
