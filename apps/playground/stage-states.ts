import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a built card form show the state that its publishable key names. A page can neither fill in a card form nor
 * see into it, so the playground's frames get a script of their own, and a class that looks like the focus, which only
 * one field of a page can have.
 *
 * @param dist The folder of the build; its `card.html` and the hashes in `card.json` are written anew.
 */
export async function stageStates(dist: string): Promise<void> {
  const [html, json, showState] = await Promise.all([
    readFile(join(dist, 'card.html'), 'utf8'),
    readFile(join(dist, 'card.json'), 'utf8'),
    readFile(join(import.meta.dirname, 'page/show-state.js'), 'utf8'),
  ])
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
  const stagedStyle = style.replaceAll(/:focus(?![\w-])/g, ':is(:focus,.focus)')
  const stagedScript = `${script}\n${showState}`
  const staged = html.replace(style, () => stagedStyle).replace(script, () => stagedScript)
  const hashes = { ...JSON.parse(json), style: cspHash(stagedStyle), script: cspHash(stagedScript) }
  await Promise.all([
    writeFile(join(dist, 'card.html'), staged),
    writeFile(join(dist, 'card.json'), JSON.stringify(hashes)),
  ])
}

function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
