import type { BundleReport, PageReport } from '@tillwright/plugin-build'
import { facts, table } from '../terminal/align.ts'
import { showBytes } from '../terminal/show-bytes.ts'
import type { Built } from './built.ts'
import { showProblems } from './show-problems.ts'

/** How many modules of a page are named. */
const INPUTS_SHOWN = 3

/** A build for people: its problems, what each page loads, and where it lies. */
export function showBuild({ out, files, report, problems, dryRun }: Built): string {
  const told = showProblems(problems)
  if (report === null) return told
  const pages = table(['page', 'loads', 'brotli', 'later', 'heaviest'], report.pages.map(pageRow))
  return [told, told === '' ? '' : '\n', pages, '\n', facts(totals(report, { files: files.length, out, dryRun }))].join(
    '',
  )
}

function pageRow({ id, bytes, brotliBytes, lazyFiles, biggestInputs }: PageReport): string[] {
  const heaviest = biggestInputs.slice(0, INPUTS_SHOWN).map(({ path, bytes: of }) => `${path} ${showBytes(of)}`)
  return [id, showBytes(bytes), showBytes(brotliBytes), `${lazyFiles.length} files`, heaviest.join(', ') || '-']
}

function totals(
  { publicBytes, publicBrotliBytes }: BundleReport,
  { files, out, dryRun }: Pick<Built, 'out' | 'dryRun'> & { files: number },
): [string, string][] {
  const all: [string, string] = ['public', `${showBytes(publicBytes)}, by brotli ${showBytes(publicBrotliBytes)}`]
  if (files === 0) return [all, ['written', 'nothing, because there are errors']]
  return [all, ['files', String(files)], [dryRun ? 'would write' : 'written', out]]
}
