/**
 * What a plugin without an id of its own is known by in its account: its name in lower case, with hyphens for all that
 * is no letter and no digit. "One-Page  Checkout!" and "one page checkout" are one plugin.
 */
export function pluginSlug(name: string): string {
  const folded = name.normalize('NFC').toLowerCase()
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu)
  return words === null ? folded : words.join('-')
}
