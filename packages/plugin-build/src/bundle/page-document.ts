/** What a document names. */
export interface DocumentLinks {
  styles: readonly LinkedFile[]
  /** Loaded together with the scripts, because these import them. */
  preloads: readonly LinkedFile[]
  scripts: readonly LinkedFile[]
}

export interface LinkedFile {
  path: string
  /** `sha384-...`; null for what changes while it is looked at. Source: Subresource Integrity. */
  integrity: string | null
}

/** Where the platform writes what the page is to know: its session, its configuration. */
export const DATA_MARKER = '<!--tillwright-data-->'

/**
 * The document of a page. Addresses are relative, because the platform says in a `<base>` where the plugin stands. Nothing
 * in it is inline, so that the strictest policy lets it work.
 */
export function pageDocument({ title, lang }: { title: string; lang: string }, named: DocumentLinks): string {
  return `<!doctype html>
<html lang="${escaped(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${links(named)}</head>
<body>
<div id="app"></div>
</body>
</html>
`
}

/**
 * Writes the same links into a document that the plugin brings: before the end of its head.
 *
 * @returns Null if it has no `</head>`.
 */
export function completeDocument(html: string, named: DocumentLinks): string | null {
  const end = html.search(/<\/head\s*>/i)
  if (end === -1) return null
  const added = html.includes(DATA_MARKER) ? links(named).replace(`${DATA_MARKER}\n`, '') : links(named)
  return html.slice(0, end) + added + html.slice(end)
}

function links({ styles, preloads, scripts }: DocumentLinks): string {
  return [
    ...styles.map((file) => `<link rel="stylesheet" ${attributes('href', file)}>`),
    ...preloads.map((file) => `<link rel="modulepreload" ${attributes('href', file)}>`),
    DATA_MARKER,
    ...scripts.map((file) => `<script type="module" ${attributes('src', file)}></script>`),
    '',
  ].join('\n')
}

function attributes(name: string, { path, integrity }: LinkedFile): string {
  const pinned = integrity === null ? '' : ` integrity="${integrity}" crossorigin`
  return `${name}="${escaped(encodeURI(path))}"${pinned}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
