import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { Problem } from '@tillwright/plugin-build'
import type { EnvironmentModuleNode, ViteDevServer } from 'vite'
import type { ShownProblem, SourceLine } from '../protocol.ts'

/** The lines shown before and after the one with the problem. */
const AROUND = 2
/** A longer line is minified, and says nothing. */
const LINE_MAX_CHARS = 300
/** Source files, whose lines may be shown. Files with variables are not: they may contain secrets. */
const shownFiles = /\.(?:[cm]?[jt]sx?|css|s[ac]ss|less|json|html)$/

/** Relative to the plugin's folder where it lies in it. */
export function shownPath(root: string, path: string): string {
  const below = isAbsolute(path) ? relative(root, path) : path
  return (below.startsWith('..') ? path : below).split(sep).join('/')
}

/** A problem with the lines of its place, and with the modules that lead to it from a page. */
export function showProblem(modules: ViteDevServer, problem: Problem): ShownProblem {
  const { root } = modules.config
  if (problem.file === '') return problem
  const excerpt = linesAt(root, problem)
  const importedBy = importersOf(modules, problem.file)
  return { ...problem, ...(excerpt.length > 0 && { excerpt }), ...(importedBy.length > 0 && { importedBy }) }
}

function linesAt(root: string, { file, line }: Problem): SourceLine[] {
  if (!shownFiles.test(file) || isAbsolute(file) || file.startsWith('..')) return []
  try {
    const lines = readFileSync(join(root, file), 'utf8').split(/\r\n|\r|\n/)
    const first = Math.max(line - AROUND, 1)
    return lines
      .slice(first - 1, line + AROUND)
      .map((text, index) => ({ line: first + index, text: text.slice(0, LINE_MAX_CHARS) }))
  } catch {
    return [] // it is gone
  }
}

/** The shortest way by which a page imports a file, from its entry to the file that imports it; empty for an entry itself. */
function importersOf({ config: { root }, environments }: ViteDevServer, file: string): string[] {
  const targets = environments.client.moduleGraph.getModulesByFile(join(root, file).split(sep).join('/'))
  const ways = [...(targets ?? [])].map((module): [EnvironmentModuleNode, string[]] => [module, []])
  const seen = new Set(targets)
  for (const [module, way] of ways) {
    if (module.importers.size === 0) return way
    for (const importer of module.importers) {
      if (seen.has(importer)) continue
      seen.add(importer)
      ways.push([importer, [shownPath(root, importer.file ?? importer.url), ...way]])
    }
  }
  return []
}
