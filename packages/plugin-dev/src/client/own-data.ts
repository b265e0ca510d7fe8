import type { OwnData } from '../serve/documents.ts'

/** What the dev server tells this client in the document, apart from what the page itself is told. */
export function ownData(): OwnData {
  return JSON.parse(
    document.getElementById('tillwright-dev')?.textContent ??
      '{"key":"","root":"","revision":0,"updates":0,"toolbar":"none"}',
  )
}
