import { hash } from 'node:crypto'
import { type PageOrigins, pagePolicy, type PageSecurity } from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import { type Plugin, type Problem, readJsxRuntime, sourceDocument } from '@tillwright/plugin-build'
import { MODULES_PATH, type OwnData } from '../protocol.ts'
import { clientAddress } from './modules.ts'

/** The document of a page without its data. */
export interface PageDocument {
  html: string
  /** Another one means that the page has to be loaded again. */
  key: string
}

/**
 * The document of a page, as a build would make it except for the addresses of its scripts; or the errors for which
 * there is none. Errors of other pages do not count.
 */
export async function pageDocument(plugin: Plugin, pageId: string): Promise<PageDocument | { problems: Problem[] }> {
  const alone = { ...plugin, pages: plugin.pages.filter(({ id }) => id === pageId) }
  const before = readJsxRuntime(plugin.root) === 'react' ? [...ownScripts, reactPreamble] : ownScripts
  const made = await sourceDocument(alone, pageId, (entry) => [...before, MODULES_PATH + entry])
  if ('problems' in made) return made
  const said = JSON.stringify([made.html, plugin.file.security]) // a page keeps the policy that it was loaded with
  return { html: made.html, key: hash('sha256', said).slice(0, 16) }
}

/** Scripts of every document: hot reload and our client. */
const ownScripts: readonly string[] = [`${MODULES_PATH}@vite/client`, clientAddress]

/**
 * React's refresh must be set up before any component is loaded; in a module, because the policy allows no inline
 * script.
 */
const reactPreamble = `${MODULES_PATH}@id/@vitejs/plugin-react/preamble`

/** The keys of all documents of a plugin, by the ids of their pages. */
export async function documentKeys(plugin: Plugin): Promise<Record<string, string>> {
  const keys = await Promise.all(
    plugin.pages.map(async ({ id }) => {
      const made = await pageDocument(plugin, id)
      return [id, 'key' in made ? made.key : ''] as const
    }),
  )
  return Object.fromEntries(keys)
}

/** The script element with our client's data. */
export function ownDataScript(data: OwnData): string {
  return `<script type="application/json" id="tillwright-dev">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`
}

/** The content of a document where there is no page, or none yet. */
export interface BareContent {
  title: string
  /** HTML. */
  body: string
  own: OwnData
}

/** A document with a body and our client's scripts only. */
export function bareDocument({ title, body, own }: BareContent): string {
  const scripts = ownScripts.map((path) => `<script type="module" src="${path}"></script>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { margin: 0; padding: 12vh 6vw; font: 16px/1.6 system-ui, sans-serif; color: #1d2330; background: #f6f7f9 }
h1 { margin: 0 0 .5em; font-size: 1.4em } a { color: #2348c7 } ul { padding-left: 1.2em }
@media (prefers-color-scheme: dark) { body { color: #e6e8ee; background: #14171d } a { color: #93acff } }
</style>
${ownDataScript(own)}
${scripts}
</head>
<body>
${body}
</body>
</html>
`
}

/** The inputs of a document's policy. */
export interface PolicedDocument {
  /** Before its data were written into it. */
  html: string
  origins: PageOrigins
  security: PageSecurity
  /** Lets the styles be that Vite puts into the page, and no others. */
  nonce: string
}

/**
 * The policy of a document: that of the hosted page, plus only what hot reload needs, so that nothing works here that
 * would not work when published.
 */
export function documentPolicy({ html, origins, security, nonce }: PolicedDocument): string {
  const { scripts, styles } = inlineHashes(html)
  const inline = { scripts, styles: [...styles, `'nonce-${nonce}'`] }
  // Not every browser takes 'self' for web sockets too.
  const socket = new URL(origins.apiUrl).origin.replace(/^http/, 'ws')
  return pagePolicy(origins, inline, { ...security, connect: [...(security.connect ?? []), socket] })
}
