import { hash } from 'node:crypto'

/** 132 bits of a SHA-256 in base64url: no two texts of one object meet in them. */
const HASH_CHARS = 22

/**
 * The strong entity tag of an answer's exact text, with its quotes. Source: RFC 9110 section 8.8.3.
 *
 * @param revision Of the object, which then stands before the hash; `undefined` if it has none.
 */
export function entityTag(text: string, revision: number | undefined): string {
  const digest = hash('sha256', text, 'base64url').slice(0, HASH_CHARS)
  return revision === undefined ? `"${digest}"` : `"${revision}-${digest}"`
}

/**
 * The revision that an `If-Match` header names: alone, `"3"`, or as the entity tag of an answer, `"3-..."`. A weak one
 * says as much, since a revision stands for all that can be changed; `null` for anything else.
 */
export function revisionOfTag(ifMatch: string): number | null {
  const [, digits] = /^(?:W\/)?"(\d{1,15})(?:-[\w-]{22})?"$/.exec(ifMatch.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}

/**
 * Whether a client has what it asks for: an `If-None-Match` header that names the tag, weakly or not, or is `*`.
 *
 * @param etag With its quotes, and without commas in them. Source: RFC 9110 section 13.1.2.
 */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || header.trim() === '*'
}
