import { hash } from 'node:crypto'
import type { PageSecurity } from '@tillwright/contract'
import { contentTypeOf } from '@tillwright/contract/content-type-of'
import type { Problem } from '../problem.ts'

/** The result of bundling a plugin. */
export interface Bundle {
  /** By path. Empty if one of the problems is an error. */
  files: BundleFile[]
  /** Null if a module could not be built. */
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
  /** False for source maps, which are stored for debugging and never served. */
  isPublic: boolean
}

/** How many bytes the pages have, and where they come from. Brotli sizes are at quality 5. */
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
  /** The bytes of everything that the page loads at first: its document, scripts and styles. */
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
  /** The bytes of output that come from it. */
  bytes: number
}

/**
 * A plugin to bundle. The bundler also reads files below the root and the packages that these import, and nothing else.
 */
export interface BundleOptions {
  /** The plugin's folder, absolute. */
  root: string
  /** `direct-mode`: a document for each page. `spa-mode`: one document, whose application brings every page. */
  mode: 'direct-mode' | 'spa-mode'
  /** The plugin's name, the title of the one document of `spa-mode`. */
  name: string
  /** The language of the documents that are made here, as a BCP 47 tag; `en` by default. */
  lang?: string
  pages: readonly BundledPage[]
  /** Its files are deployed as they are; relative to the root, null for none. It need not exist. */
  publicFolder: string | null
  /** The variables of the process; those of `.env` files in the root stand behind them. */
  environment: Readonly<Record<string, string | undefined>>
  /** The names of those without which the plugin is not built. */
  neededVariables: readonly string[]
  budgets: Budgets
  /** The origins of others that the pages work with, as the manifest names them; none by default. */
  security?: PageSecurity | undefined
  /** Where the build will be deployed, so that keys of the other kind are refused; null if that is not known yet. */
  target: 'test' | 'live' | null
}

/** A page of the manifest. */
export interface BundledPage {
  /** Becomes a name of a file. */
  id: string
  path: string
  name: string
  /** The module that it begins with, relative to the root. In `spa-mode` that is the application's, for every page. */
  entry: string
}

/** Size limits of a build; one that is left out does not apply. */
export interface Budgets {
  /** The most bytes that a page loads at first, by brotli: its document, scripts and styles. */
  pageBytes?: number | undefined
  /** The most bytes of all public files, uncompressed. */
  totalBytes?: number | undefined
}

/** A file of the build with its content type, hash and visibility. Only source maps are not public. */
export function bundledFile(path: string, bytes: Uint8Array): BundleFile {
  return {
    path,
    bytes,
    contentType: contentTypeOf(path),
    sha256: hash('sha256', bytes),
    isPublic: !path.endsWith('.map'),
  }
}
