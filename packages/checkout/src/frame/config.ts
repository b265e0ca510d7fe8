import type { RecipientKey } from './jwe.ts'

/** The configuration that the vault writes into the frame's document. */
export interface FrameConfig {
  /** The id that the page drew for this frame. */
  id: string
  /** The shop's origin, which the vault has checked against the key. */
  origin: string
  /** The publishable key. */
  key: string
  /** The vault's name for this one loading of the form, sealed for origin and key: every message carries it. */
  session: string
  jwk: RecipientKey
  /** The vault's time when it sent the document, in Unix milliseconds. */
  now: number
}

/**
 * Reads the document's configuration.
 *
 * @param json The value of `<html data-frame>`.
 * @throws SyntaxError when the document was not filled in by the vault; the page then sees a frame without a hello.
 */
export function readFrameConfig(json: string): FrameConfig {
  // Document and script are one file, and only the vault fills it in.
  return JSON.parse(json) as FrameConfig
}
