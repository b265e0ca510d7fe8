import { pageOf, type PageId } from './page-of-step.ts'

/** State of a history entry. */
export interface Visited {
  pageId: PageId
  /** `null` if it is not known. */
  stepId: string | null
}

/** Reads what `writeVisited` has written, or of an entry that it has not, that it is the landing page's. */
export function visitedOf(state: unknown): Visited {
  const { pageId, stepId } = Object(state) as Partial<Visited> // written below, or null
  return { pageId: pageOf(pageId ?? ''), stepId: stepId ?? null }
}

/** Writes an entry of the history. @param url By default the page's present address. */
export function writeVisited(visited: Visited, mode: 'push' | 'replace', url?: URL): void {
  if (mode === 'push') history.pushState(visited, '', url)
  else history.replaceState(visited, '', url)
}
