import type { Page } from 'playwright-core'

/** How long the change of a file may take to be seen. */
const SEEN_MS = 10_000

/** The edited text, and where the page shows it. */
export interface Edited {
  page: Page
  /** Of the element that says it. */
  selector: string
  write: (text: string) => void
}

/**
 * The time from the moment a file is being written until the page has painted it, in milliseconds. The page's own clock and
 * this process's are one machine's, so that their times since 1970 can be compared.
 */
export async function timeEdit({ page, selector, write }: Edited, text: string): Promise<number> {
  const painted = page.evaluate(untilPainted, { selector, text, timeoutMs: SEEN_MS })
  await page.evaluate(() => new Promise(requestAnimationFrame)) // it is being watched from here on
  const startedMs = performance.timeOrigin + performance.now()
  write(text)
  return (await painted) - startedMs
}

/** Runs in the page: resolves with the time at which the element first says the text, behind the next frame. */
function untilPainted({ selector, text, timeoutMs }: { selector: string; text: string; timeoutMs: number }) {
  return new Promise<number>((resolve, reject) => {
    const look = () => {
      if (document.querySelector(selector)?.textContent !== text) return
      observer.disconnect()
      clearTimeout(timer)
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    const timer = setTimeout(() => reject(new Error(`${selector} never said "${text}".`)), timeoutMs)
    look()
  })
}

/** A share of sorted times: 0.5 is the median. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
