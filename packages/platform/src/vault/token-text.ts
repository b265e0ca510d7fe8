/** Writes a token's fields as one word: base64url of their JSON. */
export function writeTokenText(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/**
 * Reads a token's fields.
 *
 * @param text base64url or standard base64, with or without padding.
 * @returns `null` when it is not base64; `undefined` as its fields when it is no JSON, which fits no schema.
 */
export function readTokenText(text: string): { fields: unknown } | null {
  const unpadded = text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
  const bytes = Buffer.from(unpadded, 'base64url')
  // Node skips what is not base64, and the bits left over at its end: only the one proper spelling is taken.
  return bytes.toString('base64url') === unpadded ? { fields: json(bytes) } : null
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
