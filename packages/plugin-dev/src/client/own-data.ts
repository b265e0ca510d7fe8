/** What the dev server tells this client in the document, apart from what the page itself is told. */
export interface OwnData {
  /** Tells this document from another one of the same page. */
  key: string
  /** The plugin's folder, for editors. */
  root: string
  /** Counts what pages are told. */
  revision: number
}

/** What stands in the document; `null` in one that is no page. */
export function ownData(): OwnData | null {
  return JSON.parse(document.getElementById('tillwright-dev')?.textContent ?? 'null')
}
