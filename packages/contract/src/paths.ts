import { z } from 'zod'
import { ASSET_PATH_MAX_CHARS } from './limits.ts'

/** Device names reserved by Windows, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Characters that some file system forbids in names, and control characters. */
const forbiddenInNames = /[\\<>:"|?*\p{Cc}]/u

/** The path of a file in its deployment: relative, with `/` between segments, and valid on every system. */
export const assetPath = z
  .string()
  .min(1)
  .max(ASSET_PATH_MAX_CHARS)
  .refine(
    isAssetPath,
    'must be a relative path such as "assets/app.js": names separated by single "/", none of them "." or "..", without backslashes, control characters or characters that file systems forbid',
  )

/** Whether a path stays in its folder, even if it is decoded once more. */
function isAssetPath(path: string): boolean {
  return staysInside(path) && staysInside(decoded(path))
}

function staysInside(path: string): boolean {
  return !forbiddenInNames.test(path) && path.split('/').every(isName)
}

/** Excludes `.` and `..` too, because they end in a dot. */
function isName(name: string): boolean {
  return name !== '' && !/[. ]$/.test(name) && !name.startsWith(' ') && !deviceName.test(name)
}

/** The path of a page or a route on its host: `/`, or segments that each start with `/`. */
export const hostPath = z
  .string()
  .max(ASSET_PATH_MAX_CHARS)
  .regex(/^\//, 'must start with "/"')
  .refine(isHostPath, 'must be a path such as "/checkout": without "//", "..", backslashes, spaces, "?" or "#"')

/** A host path as people type it: the leading `/` is optional, and a trailing one is allowed. */
export const looseHostPath = z
  .string()
  .max(ASSET_PATH_MAX_CHARS)
  .refine(
    (path) => isHostPath(absolute(path)),
    'must be a path such as "/shop": without "//", "..", backslashes, spaces, "?" or "#"',
  )

/** Normalizes a host path: a leading `/`, and no trailing one except for `/` itself. */
export function hostPathOf(path: string): string {
  return absolute(path) === '/' ? '/' : absolute(path).replace(/\/$/, '')
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

function isHostPath(path: string): boolean {
  return !/\/\/|[\\?#\s\p{Cc}]/u.test(path) && [path, decoded(path)].every((spelt) => !hasDotSegment(spelt))
}

function hasDotSegment(path: string): boolean {
  return path.split(/[/\\]/).some((name) => name === '.' || name === '..')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
