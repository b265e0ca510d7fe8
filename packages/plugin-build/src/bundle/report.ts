import { brotliCompressSync, constants } from 'node:zlib'
import { fileError, type Problem } from '../problem.ts'
import type { Budgets, BundleFile, BundleReport, FileSize, InputSize, PageReport } from './bundle.ts'

/** A page without its sizes. */
export interface PageToReport extends Pick<PageReport, 'id' | 'document' | 'lazyFiles' | 'csp' | 'integrity'> {
  /** The paths of what it loads initially, the document first. */
  loads: readonly string[]
  /** The size of these by module; a module may be in several. */
  inputs: readonly InputSize[]
}

const INPUTS_SHOWN = 10

/**
 * Adds up what the pages load.
 *
 * @param sizes The sizes of public files, by path.
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

/** Equal sizes are sorted by path, so that reports are reproducible. */
function heaviestFirst(a: InputSize, b: InputSize): number {
  return b.bytes - a.bytes || (a.path < b.path ? -1 : 1)
}

function sum<Field extends string>(parts: readonly Record<Field, number>[], field: Field): number {
  return parts.reduce((total, part) => total + part[field], 0)
}

/** Output is a tenth larger than at the highest quality, in a seventieth of the time. */
const QUALITY = 5
/** Window size in bits that most files fit into: a larger one takes longer to set up than they take to compress. */
const WINDOW_BITS = 16

/** Sizes by path. Files in a compressed format are not compressed again. */
export function measureFiles(files: readonly BundleFile[]): ReadonlyMap<string, FileSize> {
  return new Map(files.map((file) => [file.path, measure(file)]))
}

function measure({ path, bytes, contentType }: BundleFile): FileSize {
  const isText = /^text\/|json|xml|wasm/.test(contentType)
  return { path, bytes: bytes.length, brotliBytes: isText ? compressedBytes(bytes) : bytes.length }
}

/** Not in the background: for small files, passing them to a thread takes several times longer. */
function compressedBytes(bytes: Uint8Array): number {
  const bits = Math.ceil(Math.log2(bytes.length + 1))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(bits, WINDOW_BITS), constants.BROTLI_MAX_WINDOW_BITS),
  }
  return brotliCompressSync(bytes, { params }).length
}

/** An error for each exceeded budget, located at the budget in the manifest. */
export function checkBudgets(report: BundleReport, { pageBytes, totalBytes }: Budgets): Problem[] {
  const { pages, publicBytes } = report
  const heavy = pageBytes === undefined ? [] : pages.filter(({ brotliBytes }) => brotliBytes > pageBytes)
  const problems = heavy.map(({ id, brotliBytes, biggestInputs: [input] }) => {
    const rule = `The page "${id}" initially loads ${byteCount(brotliBytes)}, compressed with brotli; its budget is ${byteCount(pageBytes ?? 0)}.`
    return problem('pageBytes', rule, remedy(input))
  })
  if (totalBytes === undefined || publicBytes <= totalBytes) return problems
  const rule = `The public files have ${byteCount(publicBytes)} in total; their budget is ${byteCount(totalBytes)}.`
  const largest = pages.flatMap(({ files }) => files).toSorted((a, b) => b.bytes - a.bytes)
  return [...problems, problem('totalBytes', rule, remedy(largest[0]))]
}

function problem(field: string, rule: string, fix: string): Problem {
  return fileError('plugin.manifest.json', { code: 'over-budget', rule, fix }, `/budgets/${field}`)
}

function remedy(input: InputSize | undefined): string {
  const largest =
    input === undefined ? '' : ` The largest part is ${input.path} with ${byteCount(input.bytes)} before compression.`
  return `Import less, import it on demand, or raise the budget.${largest}`
}

/** Formats a size as `12,345 B`. */
function byteCount(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} B`
}
