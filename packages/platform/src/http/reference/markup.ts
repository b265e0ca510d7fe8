import { Marked, type Tokens } from 'marked'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML, also between quotation marks. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}

const marked = new Marked({
  async: false,
  gfm: true,
  renderer: {
    /** Below the page's own heading, with an anchor. */
    heading({ tokens, depth, text }: Tokens.Heading): string {
      const id = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    /** The contract holds none: what looks like HTML is text. */
    html: ({ text }: Tokens.HTML | Tokens.Tag): string => escaped(text),
  },
})

/** The contract's Markdown as HTML. */
export function markdown(text: string): string {
  return marked.parse(text, { async: false })
}

/** The same of a text within a paragraph. */
export function inlineMarkdown(text: string): string {
  return marked.parseInline(text, { async: false })
}
