import { createHash } from 'node:crypto'
import type { PageSecurity } from '@tillwright/contract'

const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1\s*>/gi

/**
 * The policy under which a page works that talks to its own origin alone; whoever serves it adds the origins of the vault
 * and of the API. Scripts and styles that a document has within itself are named by their hash. Source: CSP Level 3.
 *
 * @param paths Of all files that belong to the page.
 * @param security The origins of others that the manifest names.
 */
export function pagePolicy(document: string, paths: readonly string[], security: PageSecurity = {}): string {
  const { connect = [], image = [], font = [], frame = [] } = security
  const has = (ending: RegExp) => paths.some((path) => ending.test(path))
  const own = (ending: RegExp, others: readonly string[] = []) => {
    const sources = [...(has(ending) ? ["'self'"] : []), ...others]
    return sources.length === 0 ? ["'none'"] : sources
  }
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hashes(document, 'script')],
    'style-src': ["'self'", ...hashes(document, 'style')],
    'img-src': ["'self'", ...image],
    'font-src': own(/\.(?:woff2?|ttf|otf|eot)$/, font),
    'media-src': own(/\.(?:mp[34]|m4a|web[m]|og[agv]|wav|aac|flac)$/),
    'worker-src': ["'self'"],
    'connect-src': ["'self'", ...connect],
    ...(frame.length > 0 && { 'frame-src': frame }),
    'form-action': ["'self'"],
    'base-uri': ["'self'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

/** Of scripts that a browser would run, and of styles. A script with `src` has no content of its own. */
function hashes(document: string, tag: 'script' | 'style'): string[] {
  return [...document.matchAll(inline)].flatMap(([, name = '', attributes = '', content = '']) => {
    if (name.toLowerCase() !== tag || /\bsrc\s*=|\btype\s*=\s*["']?[\w/+-]*json/i.test(attributes)) return []
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
  })
}
