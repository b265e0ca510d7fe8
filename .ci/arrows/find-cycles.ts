import { targetOf } from './locate.ts'
import type { Module } from './read-module.ts'
import type { Violation } from './violation.ts'

/** Finds files that import themselves through others, each circle once. Types count: they tie two files as well. */
export function findCycles(modules: readonly Module[]): Violation[] {
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
