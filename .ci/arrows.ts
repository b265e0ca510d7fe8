import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { findViolations } from './arrows/find-violations.ts'

const root = join(import.meta.dirname, '..')
const folders = [
  'packages/*/**/*.{ts,tsx}',
  'apps/*/**/*.{ts,tsx}',
  'templates/*/**/*.{ts,tsx}',
  '.ci/**/*.ts',
  'bench/**/*.ts',
]
const paths = globSync(folders, { cwd: root, exclude: ['**/node_modules', '**/dist'] })
const sources = paths.toSorted().map((path) => {
  return [path.replaceAll(sep, posix.sep), readFileSync(join(root, path), 'utf8')] as const
})
const violations = findViolations(sources)
for (const { path, line, rule, fix } of violations) console.log(`${path}:${line} ${rule}; ${fix}.`)
process.exitCode = violations.length === 0 ? 0 : 1
