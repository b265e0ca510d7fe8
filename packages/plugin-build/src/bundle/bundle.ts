import type { Problem } from '../problem.ts'

/** What became of a plugin. */
export interface Bundle {
  /** By path. None at all if one of the problems is an error. */
  files: BundleFile[]
  /** Null if there is nothing to report of, because a module could not be built. */
  report: BundleReport | null
  problems: Problem[]
}

/** A file as it is deployed. */
export interface BundleFile {
  /** Relative, with `/` between its names. */
  path: string
  bytes: Uint8Array
  contentType: string
  /** In hexadecimal. */
  sha256: string
  /** False for source maps, which are kept for whoever looks into a fault and never served. */
  isPublic: boolean
}

/** How many bytes the pages have, and where they come from. Brotli is reckoned at quality 5. */
export interface BundleReport {
  /** In the manifest's order. In `spa-mode` all pages load the same. */
  pages: PageReport[]
  /** Scripts and styles that several pages load at first, the largest first. */
  shared: (FileSize & { pages: string[] })[]
  publicBytes: number
  /** Files that are compressed already count as they are. */
  publicBrotliBytes: number
}

export interface PageReport {
  id: string
  /** The path of its document. */
  document: string
  /** Of everything that the page loads at first: its document, scripts and styles. */
  bytes: number
  brotliBytes: number
  /** The same one by one, the document first. */
  files: FileSize[]
  /** Scripts that the page may load later. */
  lazyFiles: string[]
  /** The modules that weigh most in what the page loads at first: at most ten, the heaviest first. */
  biggestInputs: InputSize[]
  /**
   * The `Content-Security-Policy` that the page is served with. `https://api.invalid` and `https://vault.invalid` stand for
   * the origins of the platform that serves it, which no build knows.
   */
  csp: string
  /** For each script and style of the page, those it loads later included: `sha384-...`. */
  integrity: Record<string, string>
}

export interface FileSize {
  path: string
  bytes: number
  brotliBytes: number
}

export interface InputSize {
  /** Relative to the plugin's folder; `node_modules/preact/...` wherever the package lies. */
  path: string
  /** Of the output that comes from it. */
  bytes: number
}
