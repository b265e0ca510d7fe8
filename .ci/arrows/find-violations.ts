import { posix } from 'node:path'
import { checkImport } from './check-import.ts'
import { findRoomCircles } from './find-room-circles.ts'
import { isTest, packageOf, targetOf } from './locate.ts'
import { readModule, type Module } from './read-module.ts'
import { knownCircles, terminal, type KnownCircle } from './table.ts'
import type { Violation } from './violation.ts'

/**
 * Holds source files against the rules of who may import what.
 *
 * @param sources Path relative to the repository, with `/`, and text of each file.
 * @param circles Circles between rooms that are still allowed.
 */
export function findViolations(
  sources: Iterable<readonly [path: string, text: string]>,
  circles: readonly KnownCircle[] = knownCircles,
): Violation[] {
  const modules = Array.from(sources, ([path, text]) => readModule(path, text))
  return [
    ...modules.flatMap((module) => [
      ...module.imports.flatMap((found) => checkImport(module, found)),
      ...checkFace(module),
      ...checkTerminal(module),
    ]),
    ...findCycles(modules),
    ...findRoomCircles(modules, circles),
  ]
}

function checkFace(module: Module): Violation[] {
  if (!module.path.endsWith('/src/index.ts')) return []
  return module.ownStatements.map((line) => ({
    path: module.path,
    line,
    rule: 'index.ts is the face of its package and only re-exports',
    fix: 'move this to a file that is named after it',
  }))
}

function checkTerminal(module: Module): Violation[] {
  const owner = packageOf(module.path)
  const free = owner === null || owner.startsWith('apps/') || owner === terminal.package
  if (free || isTest(module.path) || terminal.files.includes(posix.basename(module.path))) return []
  return module.terminalUses.map(({ line, text }) => ({
    path: module.path,
    line,
    rule: `${text}: only the CLI and programs (main.ts, run.ts) print and exit`,
    fix: 'return the outcome, throw, or take a log as an argument',
  }))
}

/** Finds files that import themselves through others, each circle once. Types count: they tie two files as well. */
function findCycles(modules: readonly Module[]): Violation[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const finished = new Set<string>()
  const violations: Violation[] = []

  function visit(module: Module, way: readonly string[]): void {
    for (const { specifier, line } of module.imports) {
      const target = byPath.get(targetOf(module.path, specifier) ?? specifier)
      if (target === undefined || finished.has(target.path)) continue
      const start = way.indexOf(target.path)
      if (start === -1) {
        visit(target, [...way, target.path])
        continue
      }
      const circle = [...way.slice(start), target.path].join(' -> ')
      violations.push({
        path: module.path,
        line,
        rule: `import circle ${circle}`,
        fix: 'move what both need to a third file',
      })
    }
    finished.add(module.path)
  }

  for (const module of modules) if (!finished.has(module.path)) visit(module, [module.path])
  return violations
}
