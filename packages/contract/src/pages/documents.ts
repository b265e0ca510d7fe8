/** Where an author wants the data to stand. */
const MARKER = '<!--tillwright-data-->'

/**
 * Writes a page's data into its document: as JSON that nothing runs, at the marker, else at the end of the head, else at
 * the beginning. A browser makes the head that an author has left out.
 *
 * @param baseHref Where relative addresses begin; `null` where they do so anyway. A `<base>` of the author's stays alone.
 */
export function injectData(html: string, data: unknown, href: string | null): string {
  const script = `<script type="application/json" id="tillwright-data">${inertJson(data)}</script>`
  const base = href === null || /<base[\s/>]/i.test(html) ? '' : `<base href="${escapeAttribute(href)}">`
  const head = placesOf(html)
  const marked = html.includes(MARKER)
  const place = marked ? html.indexOf(MARKER) : (head.end ?? head.begin)
  const rest = html.slice(marked ? place + MARKER.length : place)
  if (place < head.begin) return html.slice(0, place) + base + script + rest
  return html.slice(0, head.begin) + base + html.slice(head.begin, place) + script + rest
}

/** JSON that cannot end the script it stands in, and that older parsers of scripts read too. */
function inertJson(data: unknown): string {
  const escapes: Readonly<Record<string, string>> = {
    '<': String.raw`\u003c`,
    '\u2028': String.raw`\u2028`,
    '\u2029': String.raw`\u2029`,
  }
  return JSON.stringify(data).replaceAll(/[<\u2028\u2029]/g, (char) => escapes[char] ?? '')
}

/** Where the head's content begins and ends; without an end where the author wrote none. */
function placesOf(html: string): { begin: number; end: number | null } {
  const raw = elementsOf(html)
  const isText = (place: number) => raw.some(({ start, end }) => place >= start && place < end)
  const end = [...html.matchAll(/<\/head\s*>/gi)].find(({ index }) => !isText(index))?.index ?? null
  for (const tag of [/<head(?=[\s>])/i, /<html(?=[\s>])/i, /<!doctype(?=[\s>])/i]) {
    const match = tag.exec(html)
    const begin = match === null || isText(match.index) ? -1 : endOfTag(html, match.index)
    if (begin !== -1) return { begin, end }
  }
  return { begin: 0, end }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** A script or style of a document, whose text a browser does not read as HTML. */
export interface RawElement {
  name: 'script' | 'style'
  /** As they are written, without the tag's name. */
  attributes: string
  text: string
  /** Where its start tag begins, and where its end tag begins. */
  start: number
  end: number
}

/** Every script and style of a document, those in comments too, in one pass. What is not closed ends the search. */
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

/** Where a tag's text is over: behind the `>` that stands in no quotes; -1 where there is none. */
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
