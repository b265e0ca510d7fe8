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
