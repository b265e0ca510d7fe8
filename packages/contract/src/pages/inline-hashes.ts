// Separate from the package's index, which browsers load too, because it needs Node's hashes.
import { hash } from 'node:crypto'
import { elementsOf, type RawElement } from './documents.ts'
import type { InlineSources } from './page-policy.ts'

/** Script types that are data and never executed. */
const data = /^(?:application\/(?:[\w.+-]*\+)?json|text\/(?:plain|template|html))$/i

/** Hashes of the scripts and styles that a document's policy has to allow. Source: CSP Level 3, "Using hashes". */
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

/** Browsers normalize every line ending to LF before hashing. */
function hashesOf(elements: readonly RawElement[]): string[] {
  const texts = new Set(elements.map(({ text }) => text.replaceAll(/\r\n?/g, '\n')))
  return [...texts].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)
}
