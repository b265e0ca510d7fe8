import type { Page } from 'playwright-core'
import type { Shown } from './expected-page.ts'

/** The content of a page. */
export interface Seen {
  shown: Shown
  /** The count and the typed text; `null` while there is no counter. */
  state: PageState | null
  /** Another one means that the page was loaded again. */
  loadedAt: number
}

/** The state that a page would lose if it were loaded again. */
export interface PageState {
  count: string
  typed: string
}

/** Reads the current content of a page; `null` while it is being loaded. */
export async function lookAtPage(page: Page): Promise<Seen | null> {
  return page.evaluate(readPage).catch(() => null)
}

/** Counts and types. */
export async function leaveState(page: Page, typed: string): Promise<void> {
  await page.evaluate((text) => {
    document.querySelector('button')?.click()
    const input = document.querySelector('input')
    if (input !== null) input.value = text
  }, typed)
}

/** Runs in the page. */
async function readPage(): Promise<Seen> {
  const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? ''
  const heading = document.querySelector('h1')
  const pages = await (await fetch('/no-such-page')).text() // it names the pages that there are
  const [, extra = null] = /href="\/extra-(\d+)"/.exec(pages) ?? []
  const overlay = [...(document.querySelector('tillwright-overlay')?.shadowRoot?.querySelectorAll('li') ?? [])]
  const placeOf = (item: Element) => (item.querySelector('.place')?.textContent ?? '').replace(/:\d+:\d+$/, '')
  const [input, button] = [document.querySelector('input'), document.querySelector('button')]
  return {
    shown: {
      address: location.pathname,
      modules: heading && {
        title: heading.textContent,
        word: textOf('#word'),
        parts: [...document.querySelectorAll('ul li')].map((item) => item.textContent),
        variable: textOf('#variable'),
        settings: textOf('#settings'),
      },
      colour: heading === null ? '' : getComputedStyle(heading).color,
      note: await (await fetch('/note.txt')).text(),
      extra: extra === null ? null : Number(extra),
      overlay: [...new Set(overlay.map(placeOf))].toSorted(),
    },
    state: button && { count: button.textContent, typed: input?.value ?? '' },
    loadedAt: performance.timeOrigin,
  }
}
