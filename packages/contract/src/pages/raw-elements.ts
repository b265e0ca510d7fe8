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
export function endOfTag(html: string, from: number): number {
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
