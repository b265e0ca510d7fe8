import { elementsOf } from './raw-elements.ts'

/** What stands in a document itself, as a browser reads it before it hashes it. */
export interface InlineTexts {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Types of scripts that are data; nothing runs them. */
const data = /^(?:application\/(?:[\w.+-]*\+)?json|text\/(?:plain|template|html))$/i

/** The scripts and styles that a policy has to allow by their hashes. Source: CSP Level 3, "Using hashes". */
export function inlineTexts(html: string): InlineTexts {
  const elements = elementsOf(html)
  const scripts = elements.filter(({ name, attributes }) => name === 'script' && isRun(attributes))
  const styles = elements.filter(({ name }) => name === 'style')
  return { scripts: textsOf(scripts), styles: textsOf(styles) }
}

function isRun(attributes: string): boolean {
  if (/(?:^|\s)src\s*=/i.test(attributes)) return false
  const [, type = ''] = /(?:^|\s)type\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? []
  return !data.test(type)
}

/** A browser reads every end of a line as one LF. */
function textsOf(elements: readonly { text: string }[]): string[] {
  return [...new Set(elements.map(({ text }) => text.replaceAll(/\r\n?/g, '\n')))]
}
