import { hash } from 'node:crypto'
import { inlineTexts, type InlineSources } from '@tillwright/contract'

/** What a policy has to allow so that a document works as it was deployed. */
export function inlineHashes(html: string): InlineSources {
  const { scripts, styles } = inlineTexts(html)
  return { scripts: scripts.map(sourceOf), styles: styles.map(sourceOf) }
}

function sourceOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
