import { createHash, hash } from 'node:crypto'

/** A file of the build. References in it use the same names as the files. */
export interface NameableFile {
  path: string
  bytes: Uint8Array
  /** Null for a file without references, such as an image. */
  text: string | null
}

/**
 * Names files by their content only, and updates the references between them. esbuild's own hashes also depend on where
 * a module is, which differs between machines.
 *
 * @param aliases Hashes used as placeholders for other files: placeholder -> the file's hash.
 * @returns The same files, in the same order.
 */
export function nameByContent(files: readonly NameableFile[], aliases: ReadonlyMap<string, string>): NameableFile[] {
  const tokens = new Map(files.map(({ path }, index) => [tokenIn(path), index]))
  const indexOf = (token: string) => tokens.get(aliases.get(token) ?? token)
  const parts = files.map((file) => readParts(file, indexOf))
  const names = finalTokens(parts)
  const rename = (path: string) => path.replaceAll(tokenInName, (token) => names[indexOf(token) ?? -1] ?? token)
  return files.map(({ path, text, bytes }, index) => {
    const { bare, refers } = parts[index] ?? { bare: [], refers: [] }
    if (text === null) return { path: rename(path), bytes, text }
    const renamed = bare.map((piece, place) => piece + (names[refers[place] ?? -1] ?? '')).join('')
    return { path: rename(path), bytes: Buffer.from(renamed), text: renamed }
  })
}

interface Parts {
  /** The text between references, one piece more than there are references; empty for binary files. */
  bare: string[]
  /** The hash of the file without references. */
  own: string
  /** The files that it refers to, in order, by index. */
  refers: number[]
}

function readParts({ path, bytes, text }: NameableFile, indexOf: (token: string) => number | undefined): Parts {
  const names = [...(text ?? '').matchAll(tokenInName)].flatMap(({ 0: token, index }) => {
    const file = indexOf(token)
    return file === undefined ? [] : { file, start: index, end: index + token.length }
  })
  const bare = [...names, null].map((name, place) => text?.slice(names[place - 1]?.end ?? 0, name?.start) ?? '')
  const own = createHash('sha256').update(`${path.replaceAll(tokenInName, '')}\0`)
  for (const part of text === null ? [bytes] : bare) own.update(part)
  return { bare, own: own.digest('hex'), refers: names.map(({ file }) => file) }
}

/**
 * The hash of each file and everything it refers to. Files may refer to each other in a circle, so no file can be
 * finished before it is hashed. Instead, each round hashes a file with the hashes of what it refers to, until a round
 * distinguishes no more files than the one before.
 */
function finalTokens(parts: readonly Parts[]): string[] {
  let hashes = parts.map(({ own }) => own)
  for (let known = 0, now = new Set(hashes).size; now > known; now = new Set(hashes).size) {
    known = now
    hashes = parts.map(({ own, refers }) => hash('sha256', [own, ...refers.map((index) => hashes[index])].join()))
  }
  return parts.map((_, index) => {
    // Each hash once: files that no round has distinguished become one file.
    const all = new Set([...closure(parts, index)].map((each) => hashes[each] ?? ''))
    return hashToken([hashes[index], ...[...all].toSorted(ascending)].join())
  })
}

/** A file and everything it refers to, directly or indirectly. */
function closure(parts: readonly Parts[], start: number): Set<number> {
  const seen = new Set([start])
  for (const index of seen) for (const next of parts[index]?.refers ?? []) seen.add(next)
  return seen
}

function ascending(a: string, b: string): number {
  return a < b ? -1 : 1
}

/** The length of the hash in a file's name: 40 bits, the same as esbuild's, so that a map's columns stay right. */
const TOKEN_CHARS = 8
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The hash in a built file's name: between the last `-` and the extension. */
const tokenInName = /(?<=-)[A-Z2-7]{8}(?=\.)/g

/** The hash in a file's name; null if it has none. */
export function tokenIn(path: string): string | null {
  return path.match(tokenInName)?.at(-1) ?? null
}

/** The first 40 bits of a SHA-256, in base32 (RFC 4648 section 6). */
export function hashToken(text: string): string {
  const bits = hash('sha256', text, 'buffer').readBigUInt64BE() >> 24n
  return Array.from({ length: TOKEN_CHARS }, (_, index) =>
    alphabet.charAt(Number((bits >> BigInt(5 * (TOKEN_CHARS - 1 - index))) & 31n)),
  ).join('')
}
