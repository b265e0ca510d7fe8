import type { PluginManifest } from '../resources/plugin-manifests.ts'

type Page = PluginManifest['pages'][number]

/** The page at an address, with the values of its `:parameters`. */
export interface MatchedPage {
  page: Page
  params: Readonly<Record<string, string>>
}

/**
 * Finds the page at a path. If several match, literal segments win over parameters, from left to right. `/` is the
 * default page unless a page has that path.
 *
 * @param path Decoded; a trailing `/` is ignored.
 */
export function matchPage(pages: readonly Page[], path: string): MatchedPage | null {
  const names = namesOf(path)
  const [best] = pages
    .flatMap((page) => {
      const params = paramsOf(namesOf(page.path), names)
      return params === null ? [] : [{ page, params }]
    })
    .toSorted((a, b) => (shapeOf(a.page) < shapeOf(b.page) ? -1 : 1))
  if (best !== undefined) return best
  const first = pages.find(({ isDefault }) => isDefault === true)
  return names.length === 0 && first !== undefined ? { page: first, params: {} } : null
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

function paramsOf(pattern: readonly string[], names: readonly string[]): Record<string, string> | null {
  if (pattern.length !== names.length) return null
  const params: [string, string][] = []
  for (const [index, part] of pattern.entries()) {
    const name = names[index] ?? ''
    if (isParameter(part)) params.push([part.slice(1), name])
    else if (part.normalize('NFC') !== name) return null
  }
  return Object.fromEntries(params)
}

function isParameter(part: string): boolean {
  return part.startsWith(':') && part.length > 1
}

/** A sort key: of two paths, the one with a literal segment at the first difference sorts first. */
function shapeOf({ path }: Page): string {
  return namesOf(path)
    .map((part) => (isParameter(part) ? '1' : '0'))
    .join('')
}

/** Never part of a decoded deployment path: control characters, backslashes, empty segments. */
const forbidden = /[\p{Cc}\\]|\/\//u
/** An encoded slash, backslash or NUL. */
const hidden = /%(?:2f|5c|00)/i

/**
 * The path of a request without its query, decoded once and NFC-normalized.
 *
 * @returns `null` for a path that leaves its folder or could mean another path when decoded again: an encoded slash,
 *   `..`, a NUL, a double slash, invalid UTF-8, an address in absolute form.
 */
export function readPath(target: string): string | null {
  const [encoded = ''] = target.split(/[?#]/, 1)
  if (!encoded.startsWith('/') || hidden.test(encoded)) return null
  const path = decoded(encoded)?.normalize('NFC')
  if (path === undefined || forbidden.test(path) || hidden.test(path)) return null
  return path.split('/').some((name) => /^\.{1,2}$/.test(name)) ? null : path
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The part of a path below a base path: `/shop/pay` below `/shop` is `/pay`; `null` if it is not below it. */
export function pathBelow(basePath: string, path: string): string | null {
  if (basePath === '/') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}
