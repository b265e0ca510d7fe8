import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../problem.ts'
import type { Plugin } from '../read/read-plugin.ts'
import { headless } from './build-document.ts'
import { completeDocument, pageDocument } from './page-document.ts'
import { planDocuments } from './plan-documents.ts'

/**
 * The document of a page as a build would make it, but with scripts of somebody else's: for a server that builds while it
 * serves.
 *
 * @param scripts The addresses of the scripts for an entry, which is relative to the plugin's folder.
 * @returns The document, or what keeps the plugin from having one.
 */
export async function sourceDocument(
  { root, mode, pages, file }: Plugin,
  pageId: string,
  scripts: (entry: string) => readonly string[],
): Promise<{ html: string } | { problems: Problem[] }> {
  const planned = planDocuments({ root, mode, pages, name: file.name })
  const document = planned.find((each) => 'entry' in each && each.pages.includes(pageId))
  if (document === undefined || !('entry' in document)) return { problems: planned.filter((each) => 'code' in each) }
  const links = {
    styles: [],
    preloads: [],
    scripts: scripts(document.entry.module).map((path) => ({ path, integrity: null })),
  }
  const own = await readFile(join(root, document.source), 'utf8').catch(() => null)
  const html = own === null ? pageDocument(document, links) : completeDocument(own, links)
  return html === null ? { problems: [headless(document.source)] } : { html }
}
