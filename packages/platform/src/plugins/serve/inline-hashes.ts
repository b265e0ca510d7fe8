import { hash } from 'node:crypto'
import { elementsOf } from '@tillwright/contract'

/** The scripts and styles that stand in a document itself, as sources of a policy: `'sha256-...'`. */
export interface InlineHashes {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Types of scripts that are data; nothing runs them. */
const data = /^(?:application\/(?:[\w.+-]*\+)?json|text\/(?:plain|template|html))$/i

/** What a policy has to allow so that a document works as it was deployed. Source: CSP Level 3, "Using hashes". */
export function inlineHashes(html: string): InlineHashes {
  const elements = elementsOf(html)
  const scripts = elements.filter(({ name, attributes }) => name === 'script' && isRun(attributes))
  const styles = elements.filter(({ name }) => name === 'style')
  return { scripts: sourcesOf(scripts), styles: sourcesOf(styles) }
}

function isRun(attributes: string): boolean {
  if (/(?:^|\s)src\s*=/i.test(attributes)) return false
  const [, type = ''] = /(?:^|\s)type\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? []
  return !data.test(type)
}

/** A browser reads every end of a line as one LF before it hashes. */
function sourcesOf(elements: readonly { text: string }[]): string[] {
  const hashes = elements.map(({ text }) => hash('sha256', text.replaceAll(/\r\n?/g, '\n'), 'base64'))
  return [...new Set(hashes)].map((each) => `'sha256-${each}'`)
}
