import { z } from 'zod'
import { ASSET_PATH_MAX_CHARS } from './limits.ts'

/** The names that Windows keeps for devices, whatever stands behind a dot. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** What no file may be called on some system, and control characters. */
const forbiddenInNames = /[\\<>:"|?*\p{Cc}]/u

/** Where a file stands in its deployment: relative, with `/` between its names, and good on every system. */
export const assetPath = z
  .string()
  .min(1)
  .max(ASSET_PATH_MAX_CHARS)
  .refine(
    isAssetPath,
    'must be a relative path such as "assets/app.js": names parted by single "/", none of them "." or "..", without backslashes, control characters or what a file system refuses',
  )

/** Whether a path stays in its folder, also after somebody has decoded it once. */
function isAssetPath(path: string): boolean {
  return staysInside(path) && staysInside(decoded(path))
}

function staysInside(path: string): boolean {
  return !forbiddenInNames.test(path) && path.split('/').every(isName)
}

/** `.` and `..` end in a dot too. */
function isName(name: string): boolean {
  return name !== '' && !/[. ]$/.test(name) && !name.startsWith(' ') && !deviceName.test(name)
}

/** Where a page or a route stands on its host: `/`, or names with a `/` before each. */
export const hostPath = z
  .string()
  .max(ASSET_PATH_MAX_CHARS)
  .regex(/^\//, 'must begin with "/"')
  .refine(isHostPath, 'must be a path such as "/checkout": without "//", "..", backslashes, spaces, "?" or "#"')

/** A path on a host as somebody may write it: the first `/` may be left out, and a last one may stand. */
export const looseHostPath = z
  .string()
  .max(ASSET_PATH_MAX_CHARS)
  .refine(
    (path) => isHostPath(absolute(path)),
    'must be a path such as "/shop": without "//", "..", backslashes, spaces, "?" or "#"',
  )

/** What somebody means by a path on a host: it begins with `/`, and ends with one only where it is all there is. */
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
