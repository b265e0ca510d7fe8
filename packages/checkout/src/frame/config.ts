import type { RecipientKey } from './jwe.ts'

/** For whom a card form is, as its own address says: the vault answers with a form only where its key allows the origin. */
export interface FrameAddress {
  /** The id that the page drew for this frame. */
  id: string
  /** The shop's origin. */
  origin: string
  /** The publishable key. */
  key: string
}

/** Reads the form's address. @param search Its query, which the vault reads by the same rules (WHATWG URL). */
export function readFrameAddress(search: string): FrameAddress {
  const query = new URLSearchParams(search)
  const read = (name: string): string => query.get(name) ?? ''
  return { id: read('id'), origin: read('origin'), key: read('key') }
}

/** The settings that the vault writes at the end of the frame's document. */
export interface FrameSettings {
  /** The vault's name for this one loading of the form, sealed for origin and key: every card carries it. */
  session: string
  jwk: RecipientKey
  /** The vault's time when it sent the document, in Unix milliseconds. */
  now: number
}

/**
 * Reads the settings.
 *
 * @param json The value of `<data data-frame>`.
 * @throws SyntaxError when the document was not filled in by the vault.
 */
export function readFrameSettings(json: string): FrameSettings {
  // Document and script are one file, and only the vault fills it in.
  return JSON.parse(json) as FrameSettings
}
