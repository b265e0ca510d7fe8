import { useEffect, useRef, useState } from 'preact/hooks'
import { isTyping } from '../shell/keys.ts'

/** Moves through the rows of a list by `j` and `k`, and opens one by Enter. */
export function useRowKeys(count: number, open: (index: number) => void) {
  const [at, setAt] = useState(-1)
  const latest = useRef({ count, open, at })
  latest.current = { count, open, at }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      const now = latest.current
      const by = { j: 1, k: -1 }[event.key]
      if (by !== undefined && now.count > 0) setAt(Math.min(Math.max(now.at + by, 0), now.count - 1))
      const isOnControl = event.target instanceof Element && event.target.closest('a, button, summary') !== null
      if (event.key === 'Enter' && now.at >= 0 && !isOnControl) now.open(now.at)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    if (at >= 0) document.querySelector(`tr[aria-rowindex="${at + 2}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const rowProps = (index: number) => ({
    onClick: (event: MouseEvent) => {
      setAt(index)
      // A link and a button within the row do their own; a selection of text is no click.
      if (event.target instanceof Element && event.target.closest('a, button') !== null) return
      if (getSelection()?.isCollapsed !== false) open(index)
    },
  })
  return { at, rowProps }
}
