import { hash } from 'node:crypto'
import { readJsxRuntime, sourceDocument, type Plugin, type Problem } from '@tillwright/plugin-build'
import { MODULES_PATH } from './addresses.ts'
import { clientAddress } from './create-modules.ts'

/** The document of a page without its data. */
export interface PageDocument {
  html: string
  /** Another one means that the page has to be loaded again. */
  key: string
}

/**
 * The document of a page, as a build would make it but for the addresses of its scripts; or what keeps it from having one.
 * What another page lacks is no matter of this one.
 */
export async function pageDocument(plugin: Plugin, pageId: string): Promise<PageDocument | { problems: Problem[] }> {
  const alone = { ...plugin, pages: plugin.pages.filter(({ id }) => id === pageId) }
  const before = readJsxRuntime(plugin.root) === 'react' ? [...ownScripts, reactPreamble] : ownScripts
  const made = await sourceDocument(alone, pageId, (entry) => [...before, MODULES_PATH + entry])
  if ('problems' in made) return made
  const said = JSON.stringify([made.html, plugin.file.security]) // a page keeps the policy that it was loaded with
  return { html: made.html, key: hash('sha256', said).slice(0, 16) }
}

/** What every document begins with: hot reload, and what tells of errors. */
const ownScripts: readonly string[] = [`${MODULES_PATH}@vite/client`, clientAddress]

/** What React's refresh has to have done before any component is loaded; a module, since nothing inline runs in a page. */
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

/** What our client is told in a document, apart from what the page itself is told. */
export interface OwnData {
  /** Tells this document from another one of the same page; '' in one that is no page. */
  key: string
  /** The plugin's folder, for editors. */
  root: string
  /** Counts what pages are told. */
  revision: number
  toolbar: 'corner' | 'none'
}

/** What our client is told, as it stands in a document. */
export function ownDataScript(data: OwnData): string {
  return `<script type="application/json" id="tillwright-dev">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`
}

/** What stands in a document that is no page: where a page is not there, or not yet. */
export interface BareContent {
  title: string
  /** HTML. */
  body: string
  own: OwnData
}

/** A document that shows nothing but its body and what our client shows. */
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
