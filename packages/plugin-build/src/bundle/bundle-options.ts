import type { PageSecurity } from '@tillwright/contract'

/** What the bundler is told of a plugin. Nothing else is read but files below the root and the packages it imports. */
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

/** How large a build may become; what is left out is not bounded. */
export interface Budgets {
  /** The most bytes that a page loads at first, by brotli: its document, scripts and styles. */
  pageBytes?: number | undefined
  /** The most bytes of all public files, uncompressed. */
  totalBytes?: number | undefined
}
