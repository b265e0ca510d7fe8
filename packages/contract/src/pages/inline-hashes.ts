// Apart from the package's index, which browsers load too, for Node's hashes.
import { hash } from 'node:crypto'
import { elementsOf, type RawElement } from './documents.ts'
import type { InlineSources } from './page-policy.ts'

/** Types of scripts that are data; nothing runs them. */
const data = /^(?:application\/(?:[\w.+-]*\+)?json|text\/(?:plain|template|html))$/i

/** The scripts and styles of a document that its policy has to allow. Source: CSP Level 3, "Using hashes". */
export function inlineHashes(html: string): InlineSources {
  const elements = elementsOf(html)
  const scripts = elements.filter(({ name, attributes }) => name === 'script' && isRun(attributes))
  const styles = elements.filter(({ name }) => name === 'style')
  return { scripts: hashesOf(scripts), styles: hashesOf(styles) }
}

function isRun(attributes: string): boolean {
  if (/(?:^|\s)src\s*=/i.test(attributes)) return false
  const [, type = ''] = /(?:^|\s)type\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? []
  return !data.test(type)
}

/** A browser reads every end of a line as one LF. */
function hashesOf(elements: readonly RawElement[]): string[] {
  const texts = new Set(elements.map(({ text }) => text.replaceAll(/\r\n?/g, '\n')))
  return [...texts].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)
}
