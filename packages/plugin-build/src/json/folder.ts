import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { MANIFEST_MAX_BYTES } from '@tillwright/contract'
import { fileError, lineStarts, positionAt, type Problem } from '../problem.ts'

/** A file's text; `bom` is true if it started with a byte order mark, which `text` does not include. */
export type ReadText = { text: string; bom: boolean; problem?: undefined } | { problem: Problem }

/**
 * Reads a file of a plugin: UTF-8, at most 1 MiB, and inside the folder with links resolved.
 *
 * @param root The real path of the plugin's folder.
 * @param file Relative to it, with `/` as the separator.
 */
export async function readText(root: string, file: string): Promise<ReadText> {
  try {
    const path = await realpath(join(root, file))
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return { problem: fileError(file, outside(file)) }
  } catch (error) {
    return { problem: fileError(file, unreadable(file, error)) }
  }
  return readLinkedText(root, file)
}

/** The same for a file that is not published, which may be a link to one elsewhere. */
export async function readLinkedText(root: string, file: string): Promise<ReadText> {
  try {
    // A blocking open of a pipe without a writer would wait forever.
    await using handle = await open(join(root, file), constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile()) return { problem: fileError(file, noFile(file)) }
    if (stats.size > MANIFEST_MAX_BYTES) return { problem: fileError(file, tooLarge(file)) }
    return decode(file, await handle.readFile())
  } catch (error) {
    return { problem: fileError(file, unreadable(file, error)) }
  }
}

function outside(file: string) {
  return {
    code: 'outside-folder',
    rule: `${file} must be in the plugin's folder, but it is a link that leads out of it.`,
    fix: 'Replace the link with the file itself.',
  }
}

function noFile(file: string) {
  return {
    code: 'not-a-file',
    rule: `${file} must be a file, but it is something else.`,
    fix: `Rename or remove it, and create ${file} as a file.`,
  }
}

function tooLarge(file: string) {
  return {
    code: 'file-too-large',
    rule: `${file} must have at most ${MANIFEST_MAX_BYTES} bytes.`,
    fix: 'Remove what does not belong there; files for pages belong in the public folder.',
  }
}

/** File system errors are for the author to fix; the message contains their code. */
function unreadable(file: string, error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT') {
    return { code: 'file-missing', rule: `${file} must exist.`, fix: `Create the file, or name another one instead.` }
  }
  if (code === 'EISDIR') return noFile(file)
  return {
    code: 'file-unreadable',
    rule: `${file} must be readable, but the system reports ${code}.`,
    fix: 'Correct its permissions or its path.',
  }
}

const encodings: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
]

function decode(file: string, bytes: Uint8Array): ReadText {
  const found = encodings.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (found !== undefined) return { problem: wrongEncoding(file, `it is ${found[0]}`) }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(bom ? 1 : 0)
  const broken = firstBroken(bytes)
  if (broken === null) return { text, bom }
  const position = positionAt(lineStarts(broken), broken.length - (bom ? 1 : 0))
  return { problem: { ...wrongEncoding(file, 'a byte here is none of it'), ...position } }
}

function wrongEncoding(file: string, what: string): Problem {
  return fileError(file, {
    code: 'not-utf8',
    rule: `${file} must be UTF-8, but ${what}.`,
    fix: 'Save the file as UTF-8 in your editor.',
  })
}

/** The text before the first byte that is not UTF-8, or null if all of it is. */
function firstBroken(bytes: Uint8Array): string | null {
  const strict = (end: number) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true })
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return null
  } catch {
    // the longest prefix that decodes, by bisection
  }
  let [good, bad] = [0, bytes.length + 1]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (decodes(strict, middle)) good = middle
    else bad = middle
  }
  return strict(good)
}

function decodes(strict: (end: number) => string, end: number): boolean {
  try {
    strict(end)
    return true
  } catch {
    return false // a strict decoder throws only for this
  }
}

/** The kind of file at a path of a plugin's folder, with links resolved; `outside` if they lead out of it. */
export type Kind = 'file' | 'folder' | 'other' | 'outside' | 'nothing'

/**
 * Finds out what is at a path.
 *
 * @param root The real path of the plugin's folder.
 * @param path Relative to it, with `/` as the separator.
 */
export async function kindOf(root: string, path: string): Promise<Kind> {
  try {
    const real = await realpath(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return 'outside'
    const stats = await stat(real)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch {
    return 'nothing' // missing, a loop of links, or not readable: unusable in any case
  }
}
