import { createHash } from 'node:crypto'

const inline = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1\s*>/gi

/**
 * The policy under which a page works that talks to its own origin alone; whoever serves it adds the origins of the vault
 * and of the API. Scripts and styles that a document has within itself are named by their hash. Source: CSP Level 3.
 *
 * @param paths Of all files that belong to the page.
 */
export function pagePolicy(document: string, paths: readonly string[]): string {
  const has = (ending: RegExp) => (paths.some((path) => ending.test(path)) ? "'self'" : "'none'")
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...hashes(document, 'script')],
    'style-src': ["'self'", ...hashes(document, 'style')],
    'img-src': ["'self'"],
    'font-src': [has(/\.(?:woff2?|ttf|otf|eot)$/)],
    'media-src': [has(/\.(?:mp[34]|m4a|web[m]|og[agv]|wav|aac|flac)$/)],
    'worker-src': ["'self'"],
    'connect-src': ["'self'"],
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
