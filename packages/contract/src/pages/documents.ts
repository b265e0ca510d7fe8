/** Marks the place of the data in an author's document. */
const MARKER = '<!--tillwright-data-->'

/**
 * Writes a page's data into its document, as JSON that is not executed: at the marker, otherwise at the end of the
 * head, otherwise at the start. Browsers add a head that the author left out.
 *
 * @param href The base of relative addresses; `null` if none is needed. An existing `<base>` is kept instead.
 */
export function injectData(html: string, data: unknown, href: string | null): string {
  const script = `<script type="application/json" id="tillwright-data">${inertJson(data)}</script>`
  const base = href === null || /<base[\s/>]/i.test(html) ? '' : `<base href="${escapeAttribute(href)}">`
  const head = headBounds(html)
  const marked = html.includes(MARKER)
  const place = marked ? html.indexOf(MARKER) : (head.end ?? head.begin)
  const rest = html.slice(marked ? place + MARKER.length : place)
  if (place < head.begin) return html.slice(0, place) + base + script + rest
  return html.slice(0, head.begin) + base + html.slice(head.begin, place) + script + rest
}

/** JSON that cannot end its script element and that older script parsers accept. */
function inertJson(data: unknown): string {
  const escapes: Readonly<Record<string, string>> = {
    '<': String.raw`\u003c`,
    '\u2028': String.raw`\u2028`,
    '\u2029': String.raw`\u2029`,
  }
  return JSON.stringify(data).replaceAll(/[<\u2028\u2029]/g, (char) => escapes[char] ?? '')
}

/** Where the head's content begins and ends; `end` is null if the author wrote none. */
function headBounds(html: string): { begin: number; end: number | null } {
  const markup = withoutText(html)
  const end = /<\/head\s*>/i.exec(markup)?.index ?? null
  for (const tag of [/<head(?=[\s>])/i, /<html(?=[\s>])/i, /<!doctype(?=[\s>])/i]) {
    const match = tag.exec(markup)
    const begin = match === null ? -1 : endOfTag(html, match.index)
    if (begin !== -1) return { begin, end }
  }
  return { begin: 0, end }
}

/** The document with dots for its scripts and styles, so that the offsets stay. */
function withoutText(html: string): string {
  let [markup, from] = ['', 0]
  for (const { start, end } of elementsOf(html)) {
    markup += html.slice(from, start) + '.'.repeat(end - start)
    from = end
  }
  return markup + html.slice(from)
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A script or style element, whose text browsers do not parse as HTML. */
export interface RawElement {
  name: 'script' | 'style'
  /** The source text of the attributes, without the tag's name. */
  attributes: string
  text: string
  /** The offsets of its start tag and of its end tag. */
  start: number
  end: number
}

/**
 * All script and style elements of a document in one pass, including those in comments. An unclosed one ends the
 * search.
 */
export function elementsOf(html: string): RawElement[] {
  const found: RawElement[] = []
  const startTag = /<(script|style)(?=[\s/>])/gi
  for (let match = startTag.exec(html); match !== null; match = startTag.exec(html)) {
    const name = match[1]?.toLowerCase() === 'script' ? 'script' : 'style'
    const open = endOfTag(html, startTag.lastIndex)
    const end = open === -1 ? -1 : searchFrom(html, name === 'script' ? /<\/script/gi : /<\/style/gi, open)
    if (end === -1) return found
    const attributes = html.slice(startTag.lastIndex, open - 1)
    found.push({ name, attributes, text: html.slice(open, end), start: match.index, end })
    startTag.lastIndex = end
  }
  return found
}

/** The offset after a tag's closing `>` outside of quotes; -1 if there is none. */
function endOfTag(html: string, from: number): number {
  let quote = ''
  for (let place = from; place < html.length; place++) {
    const char = html.charAt(place)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return place + 1
  }
  return -1
}

function searchFrom(html: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? -1
}

/**
 * The base of a page's relative addresses: where the plugin's pages start. `null` for a page at that very address,
 * which needs no base.
 *
 * @param basePath Where the pages start on their host: `/`, or `/shop`.
 * @param path The page's own path below that.
 */
export function baseHref({ basePath, path }: { basePath: string; path: string }): string | null {
  const begins = basePath === '/' ? '/' : `${basePath}/`
  const asked = basePath === '/' ? path : `${basePath}${path === '/' ? '' : path}`
  return asked.slice(0, asked.lastIndexOf('/') + 1) === begins ? null : begins
}
