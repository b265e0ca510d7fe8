import { elementsOf, endOfTag } from './raw-elements.ts'

/** Where an author wants the data to stand. */
const MARKER = '<!--tillwright-data-->'

/**
 * Writes a page's data into its document: as JSON that nothing runs, at the marker, else at the end of the head, else at
 * the beginning. A browser makes the head that an author has left out.
 *
 * @param baseHref Where relative addresses begin; `null` where they do so anyway. A `<base>` of the author's stays alone.
 */
export function injectData(html: string, data: unknown, baseHref: string | null): string {
  const script = `<script type="application/json" id="tillwright-data">${inertJson(data)}</script>`
  const base = baseHref === null || /<base[\s/>]/i.test(html) ? '' : `<base href="${escapeAttribute(baseHref)}">`
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
