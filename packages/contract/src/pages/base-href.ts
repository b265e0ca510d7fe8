/**
 * Where the relative addresses of a page's document are meant from: from where the plugin's pages begin. `null` for a page
 * that stands right there, which needs no telling.
 *
 * @param basePath Where the pages begin on their host: `/`, or `/shop`.
 * @param path The page's own path below that.
 */
export function baseHref({ basePath, path }: { basePath: string; path: string }): string | null {
  const begins = basePath === '/' ? '/' : `${basePath}/`
  const asked = basePath === '/' ? path : `${basePath}${path === '/' ? '' : path}`
  return asked.slice(0, asked.lastIndexOf('/') + 1) === begins ? null : begins
}
