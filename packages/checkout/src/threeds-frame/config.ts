/** The configuration that the vault writes into the 3-D Secure frame's document. */
export interface ThreedsConfig {
  /** The id that the page drew for this frame. */
  id: string
  /** The shop's origin, which the vault has checked against the key. */
  origin: string
  /** The publishable key. */
  key: string
  /** Prefixes of the addresses of banks' pages: `https://`, and in local development also this machine. */
  issuers: string[]
  /** Where a page of its own leads when all is done; empty in a frame. */
  returnUrl: string
}

/**
 * Reads the document's configuration.
 *
 * @throws SyntaxError when the document was not filled in by the vault; the page then sees a frame without a hello.
 */
export function readThreedsConfig(): ThreedsConfig {
  // Document and script come from one build, and only the vault fills the document in.
  return JSON.parse(document.documentElement.dataset.frame ?? '') as ThreedsConfig
}
