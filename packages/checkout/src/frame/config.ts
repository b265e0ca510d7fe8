import { isObject } from '@tillwright/contract/json'
import { isText, objectOf, oneOf } from '../wire/index.ts'
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

const isNumber = (value: unknown): value is number => typeof value === 'number'
const isJwk = objectOf({ kty: oneOf(['EC']), crv: oneOf(['P-256']), x: isText, y: isText, kid: isText })
const isConfig = objectOf({ id: isText, origin: isText, key: isText, session: isText, jwk: isJwk, now: isNumber })

/**
 * Reads the document's configuration, version 1.
 *
 * @param json The value of `<html data-frame>`.
 * @throws Error when the document was not filled in by the vault; the page then sees a frame without a hello.
 */
export function readFrameConfig(json: string): FrameConfig {
  const data: unknown = JSON.parse(json)
  if (!isObject(data) || data.v !== 1 || !isConfig(data)) throw new Error('This card form has no configuration.')
  const { kty, crv, x, y, kid } = data.jwk
  return { ...data, jwk: { kty, crv, x, y, kid } }
}
