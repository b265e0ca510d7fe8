/**
 * Whether a file's name holds a hash of its content, so that other content has another name: eight characters of base32
 * as esbuild writes them, or 8 to 64 hexadecimal digits, before the ending. Digits alone may be a date, and letters alone
 * a word.
 */
export function isContentHashed(path: string): boolean {
  const hash = /[-.]([A-Za-z0-9]{8,64})\.[a-z0-9]+(?:\.map)?$/.exec(path)?.[1] ?? ''
  return /^[A-Z2-7]{8}$/.test(hash) || /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,64}$/.test(hash)
}
