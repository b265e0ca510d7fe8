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
  /** Relative, with `/` as the separator. */
  path: string
  bytes: Uint8Array
  contentType: string
  /** In hexadecimal. */
  sha256: string
  /** False for source maps, which are stored for debugging and never served. */
  isPublic: boolean
}

/** The size of the pages and where it comes from. Brotli sizes are at quality 5. */
export interface BundleReport {
  /** In the manifest's order. In `spa-mode` all pages load the same. */
  pages: PageReport[]
  /** Scripts and styles that several pages load initially, largest first. */
  shared: (FileSize & { pages: string[] })[]
  publicBytes: number
  /** Files that are already compressed count with their own size. */
  publicBrotliBytes: number
}

export interface PageReport {
  id: string
  /** The path of its document. */
  document: string
  /** The size of everything that the page loads initially: its document, scripts and styles. */
  bytes: number
  brotliBytes: number
  /** The same by file, the document first. */
  files: FileSize[]
  /** Scripts that the page may load later. */
  lazyFiles: string[]
  /** The modules with the largest share of what the page loads initially: at most ten, largest first. */
  biggestInputs: InputSize[]
  /**
   * The page's `Content-Security-Policy`, with the placeholders `https://api.invalid` and `https://vault.invalid` for
   * the origins of the platform, which are not known at build time.
   */
  csp: string
  /** The integrity of each script and style of the page, including lazy ones: `sha384-...`. */
  integrity: Record<string, string>
}

export interface FileSize {
  path: string
  bytes: number
  brotliBytes: number
}

export interface InputSize {
  /** Relative to the plugin's folder; `node_modules/preact/...` wherever the package is installed. */
  path: string
  /** The size of the output generated from it. */
  bytes: number
}

/** A plugin to bundle. Besides files below the root, the bundler reads only the packages they import. */
export interface BundleOptions {
  /** The plugin's folder, absolute. */
  root: string
  /** `direct-mode`: a document for each page. `spa-mode`: one document with an application for all pages. */
  mode: 'direct-mode' | 'spa-mode'
  /** The plugin's name, the title of the one document of `spa-mode`. */
  name: string
  /** Description of the plugin, for the meta tag of generated documents; none by default. */
  description?: string | undefined
  /** The language of generated documents, as a BCP 47 tag; `en` by default. */
  lang?: string
  pages: readonly BundledPage[]
  /** Its files are deployed unchanged; relative to the root, null for none. It need not exist. */
  publicFolder: string | null
  /** The variables of the process; they take precedence over those of `.env` files in the root. */
  environment: Readonly<Record<string, string | undefined>>
  /** The names of variables that the build requires. */
  neededVariables: readonly string[]
  budgets: Budgets
  /** Third-party origins from the manifest; none by default. */
  security?: PageSecurity | undefined
  /**
   * The environment the build will be deployed to, so that keys of the other one are refused; null if not known yet.
   */
  target: 'test' | 'live' | null
}

/** A page of the manifest. */
export interface BundledPage {
  /** Becomes a file name. */
  id: string
  path: string
  name: string
  /** The entry module, relative to the root. In `spa-mode`, the application's module for every page. */
  entry: string
}

/** Size limits of a build; one that is left out does not apply. */
export interface Budgets {
  /** The maximum size that a page loads initially, after brotli: its document, scripts and styles. */
  pageBytes?: number | undefined
  /** The maximum size of all public files, uncompressed. */
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
