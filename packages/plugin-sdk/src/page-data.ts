import { TillwrightError } from './tillwright-error.ts'

/** The data in a page's document, in `#tillwright-data`. They never contain a secret key. */
export interface PageData {
  /** The origin of the session API, `${apiUrl}/api/session/v1`: the page's own where its host answers it, else the platform's. */
  apiUrl: string
  /** The origin of the checkout and its card form. */
  vaultUrl: string
  /** Valid on this page's origin only. */
  publishableKey: string
  storeId: string
  deploymentId: string
  pluginId: string
  version: string
  /** Where the plugin's pages start on this host: `/`, or `/shop` below a domain. */
  basePath: string
  /** `null` for a document that is not a page of the manifest. */
  page: CurrentPage | null
  /** The live settings in this store. */
  config: PluginConfig
  /** Named settings. */
  templates: Templates
  /** The funnel that a visitor of this page enters, and the page's step; `null` for none. */
  funnel?: { id: string; stepId: string } | null
  /** An existing session, such as a preview's; `null` if the page starts one. */
  session: { token: string; isPreview: boolean } | null
  /** `POST` there returns `{ token }` of a new preview when this one has expired. */
  renewUrl?: string
  /** The store's language, as a BCP 47 tag. */
  locale?: string | null
  /** The store’s currency, upper-case ISO 4217. */
  currency?: string | null
}

/** The page of the manifest that the document was loaded as. */
export interface CurrentPage {
  id: string
  path: string
  /** The values of parameters in the path, such as `:orderId`. */
  params: Readonly<Record<string, string>>
}

/** Named settings of a plugin. */
export type Templates = Readonly<Record<string, Record<string, unknown>>>

declare global {
  namespace Tillwright {
    /** `tillwright types` merges the plugin's types into this. */
    interface Plugin {}
  }
}

/** The settings of the plugin, as typed by `tillwright types`; of any shape without it. */
export type PluginConfig = Tillwright.Plugin extends { config: infer Config } ? Config : Record<string, unknown>

/**
 * Reads the data that the platform has written into the document.
 *
 * @param text The content of `#tillwright-data`, or nothing.
 * @throws {TillwrightError} `page_data_missing`.
 */
export function readPageData(text: string | null | undefined): PageData {
  if (text) return JSON.parse(text)
  throw new TillwrightError(
    'page_data_missing',
    'The document has no #tillwright-data: open it with `tillwright dev`, or publish it.',
  )
}
