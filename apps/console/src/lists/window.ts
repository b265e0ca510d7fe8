import type { RefObject } from 'preact'
import { useEffect, useReducer, useRef } from 'preact/hooks'

/** The rows of a long list that are drawn: those in sight, and some around them. */
export interface Window {
  body: RefObject<HTMLTableSectionElement | null>
  /** The first row that is drawn. */
  from: number
  /** The first row after it that is not. */
  until: number
  /** The height of the rows that are left out before, in pixels. */
  before: number
  after: number
}

/** The height of every row, `--row` of the design, in pixels. */
const ROW = 44
/** Rows that are drawn beyond those in sight, so that scrolling does not show a gap. */
const AROUND = 15

/**
 * Draws the rows of a table that the reader sees; the document scrolls, not the table. All rows are of one height, so that
 * which of them are in sight is a division.
 *
 * @param more Reads further entries, when the end comes near; `null` where there are none.
 */
export function useWindow(count: number, more: (() => void) | null): Window {
  const body = useRef<HTMLTableSectionElement>(null)
  const [, draw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => draw(undefined))
    }
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [])
  const top = body.current?.getBoundingClientRect().top ?? 0
  const from = Math.max(0, Math.min(count, Math.floor(-top / ROW) - AROUND))
  const until = Math.min(count, Math.ceil((innerHeight - top) / ROW) + AROUND)
  const isNearEnd = until >= count - AROUND
  useEffect(() => {
    if (isNearEnd) more?.()
  }, [isNearEnd, count, more])
  return { body, from, until, before: from * ROW, after: (count - until) * ROW }
}
