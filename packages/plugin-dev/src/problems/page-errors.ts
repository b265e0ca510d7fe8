import type { ShownProblem } from '../protocol.ts'

/** As many of a page's errors as its overlay shows. */
const OF_PAGE_MAX = 10

/** The errors that open pages have reported, until those pages run without them. A boolean says whether any have changed. */
export interface PageErrors {
  add: (page: object, problem: ShownProblem) => boolean
  /** A page runs without an error. It may be one that has left, loaded again. */
  runs: (page: object) => boolean
  /** A page was closed or is being loaded again; what it has reported stays until a page runs, or files change. */
  leave: (page: object) => void
  /** All pages are connected anew. */
  leaveAll: () => void
  /** Files have changed: what pages that were closed have reported is no longer known. */
  forgetLeft: () => boolean
  /** What several pages report alike is told once. */
  all: () => ShownProblem[]
}

/** The errors of pages that are open; none at first. */
export function pageErrors(): PageErrors {
  const known = new Map<object, readonly ShownProblem[]>()
  let left: readonly ShownProblem[] = []
  const all = () => {
    const problems = [...left, ...[...known.values()].flat()]
    return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  }
  const changing = (change: () => void) => {
    const before = JSON.stringify(all())
    change()
    return JSON.stringify(all()) !== before
  }
  const leave = (page: object) => {
    left = [...left, ...(known.get(page) ?? [])].slice(-OF_PAGE_MAX)
    known.delete(page)
  }
  const forgetLeft = () => void (left = [])
  return {
    all,
    leave,
    leaveAll: () => [...known.keys()].forEach(leave),
    forgetLeft: () => changing(forgetLeft),
    add: (page, problem) => changing(() => known.set(page, [...(known.get(page) ?? []), problem].slice(-OF_PAGE_MAX))),
    runs: (page) =>
      changing(() => {
        known.delete(page)
        forgetLeft()
      }),
  }
}
