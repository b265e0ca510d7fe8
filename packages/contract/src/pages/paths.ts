import type { PluginManifest } from '../resources/plugin-manifests.ts'

type Page = PluginManifest['pages'][number]

/** A page that an address leads to, with what stands in the places of its `:parameters`. */
export interface MatchedPage {
  page: Page
  params: Readonly<Record<string, string>>
}

/**
 * Finds the page of a path. Where several fit, the one with a name where the others have a parameter wins, from the left
 * on. `/` is the default page unless a page has it for its own.
 *
 * @param path Decoded; a last `/` says nothing.
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

/** Sorts before another where the first difference is a name against a parameter. */
function shapeOf({ path }: Page): string {
  return namesOf(path)
    .map((part) => (isParameter(part) ? '1' : '0'))
    .join('')
}

/** What no path of a deployment holds once it is decoded: control characters, backslashes, empty names. */
const forbidden = /[\p{Cc}\\]|\/\//u
/** A slash, a backslash or a NUL that shows only once it is decoded. */
const hidden = /%(?:2f|5c|00)/i

/**
 * The path of a request, decoded once and in NFC, without its query.
 *
 * @returns `null` for what does not stay in its folder, or may mean another path to somebody who decodes it again: an
 *   encoded slash, `..`, a NUL, two slashes, bytes that are no UTF-8, an address in absolute form.
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

/** What a path is below a base path: `/shop/pay` below `/shop` is `/pay`; `null` where it is not below it. */
export function pathBelow(basePath: string, path: string): string | null {
  if (basePath === '/') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}
