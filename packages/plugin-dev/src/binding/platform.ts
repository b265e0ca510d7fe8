/** A platform that a dev server works with, and as whom. */
export interface DevPlatform {
  environment: 'local' | 'development'
  /** Where it answers, without a slash at the end. */
  apiUrl: string
  /** The origin of its card form. */
  vaultUrl: string
  /** A secret test key of the account. It stays in this process. */
  apiKey: string
  /** The store to work in; one is made where none is named. */
  storeId: string | null
  /** The product variant that a new session's order begins with; by default a demo product is made for it. */
  variantId?: string
  /**
   * Makes a publishable key for pages of these origins; `null` where that is for an operator to do, and the card form cannot be
   * shown until then.
   */
  makePublishableKey: (storeId: string, origins: readonly string[]) => Promise<string | null>
}

/** Finds the platform: asked at the start, and again when it no longer answers, because it may have moved. */
export type FindPlatform = () => Promise<DevPlatform>
