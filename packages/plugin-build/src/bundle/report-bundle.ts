import type { BundleReport, FileSize, InputSize, PageReport } from './bundle.ts'

/** What is known of a page before it is weighed. */
export interface PageToReport extends Pick<PageReport, 'id' | 'document' | 'lazyFiles' | 'csp' | 'integrity'> {
  /** The paths of what it loads at first, the document first. */
  loads: readonly string[]
  /** The bytes of these by module; a module may be in several. */
  inputs: readonly InputSize[]
}

const INPUTS_SHOWN = 10

/**
 * Adds up what the pages load.
 *
 * @param sizes Of the public files, by path.
 */
export function reportBundle(pages: readonly PageToReport[], sizes: ReadonlyMap<string, FileSize>): BundleReport {
  const all = [...sizes.values()]
  return {
    pages: pages.map((page) => reportPage(page, sizes)),
    shared: sharedFiles(pages, sizes),
    publicBytes: sum(all, 'bytes'),
    publicBrotliBytes: sum(all, 'brotliBytes'),
  }
}

function reportPage({ loads, inputs, ...page }: PageToReport, sizes: ReadonlyMap<string, FileSize>): PageReport {
  const files = loads.flatMap((path) => sizes.get(path) ?? [])
  return {
    ...page,
    bytes: sum(files, 'bytes'),
    brotliBytes: sum(files, 'brotliBytes'),
    files,
    biggestInputs: biggest(inputs).slice(0, INPUTS_SHOWN),
  }
}

function sharedFiles(pages: readonly PageToReport[], sizes: ReadonlyMap<string, FileSize>): BundleReport['shared'] {
  const users = Map.groupBy(
    pages.flatMap(({ id, loads }) => loads.map((path) => ({ id, path }))),
    ({ path }) => path,
  )
  return [...users]
    .flatMap(([path, uses]) => {
      const size = sizes.get(path)
      return uses.length < 2 || size === undefined ? [] : { ...size, pages: uses.map(({ id }) => id) }
    })
    .toSorted(heaviestFirst)
}

function biggest(inputs: readonly InputSize[]): InputSize[] {
  const byPath = Map.groupBy(inputs, ({ path }) => path)
  return [...byPath].map(([path, parts]) => ({ path, bytes: sum(parts, 'bytes') })).toSorted(heaviestFirst)
}

/** Those of one weight by their path, so that a report is the same wherever it is made. */
function heaviestFirst(a: InputSize, b: InputSize): number {
  return b.bytes - a.bytes || (a.path < b.path ? -1 : 1)
}

function sum<Field extends string>(parts: readonly Record<Field, number>[], field: Field): number {
  return parts.reduce((total, part) => total + part[field], 0)
}
