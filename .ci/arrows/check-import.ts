import { posix } from 'node:path'
import { isTest, packageOf, partOf, targetOf } from './locate.ts'
import type { Module, ModuleImport } from './read-module.ts'
import { packageArrows, platformArrows } from './table.ts'
import type { Violation } from './violation.ts'

const TABLE = '.ci/arrows/table.ts'
const SCOPE = '@tillwright/'

/** Judges one import against the table of arrows. */
export function checkImport(module: Module, found: ModuleImport): Violation[] {
  const target = targetOf(module.path, found.specifier)
  const problem =
    missingExtension(found, target) ??
    (isTest(module.path) ? null : target === null ? checkPackage(module, found) : checkFile(module, target))
  return problem === null ? [] : [{ path: module.path, line: found.line, ...problem }]
}

type Problem = Pick<Violation, 'rule' | 'fix'> | null

function missingExtension({ specifier }: ModuleImport, target: string | null): Problem {
  if (target === null || posix.extname(target) !== '') return null
  return { rule: `'${specifier}' has no extension`, fix: `write '${specifier}.ts', the file's own name` }
}

function checkPackage(module: Module, { specifier, kind, reExport }: ModuleImport): Problem {
  const owner = packageOf(module.path)
  if (owner === null || /^(?:node|virtual):/.test(specifier)) return null
  if (reExport) {
    return { rule: `passes on '${specifier}'`, fix: 'let whoever needs it import it from the package that owns it' }
  }
  const arrows = packageArrows[owner]
  if (arrows === undefined) return { rule: `${owner} has no arrows`, fix: `give it a row in ${TABLE}` }
  if (!specifier.startsWith(SCOPE)) {
    const name = packageName(specifier)
    if (arrows.brings.includes(name)) return null
    return {
      rule: `${owner} may not bring '${name}' along`,
      fix: `do without it, or name it in ${TABLE} with a reason`,
    }
  }
  if (arrows.light?.includes(specifier.slice(SCOPE.length)) === true) return null
  const folder = packageName(specifier).slice(SCOPE.length)
  const allowed = {
    code: arrows.imports,
    types: [...arrows.imports, ...(arrows.types ?? [])],
    file: [...arrows.imports, ...(arrows.files ?? [])],
    late: [...arrows.imports, ...(arrows.optional ?? [])],
  }
  if (allowed[kind].includes(folder)) return null
  if (arrows.types?.includes(folder) === true) {
    return { rule: `${owner} may use ${folder} as types only`, fix: 'write `import type`' }
  }
  return { rule: `${owner} may not import ${folder}`, fix: `move the code to where the arrows of ${TABLE} lead` }
}

function checkFile(module: Module, target: string): Problem {
  const owner = packageOf(module.path)
  if (owner === null) return null
  if (!target.startsWith(`${owner}/`)) {
    return { rule: `reaches out of ${owner} into ${target}`, fix: 'import the other package by its name' }
  }
  if (isTest(target)) return { rule: `imports ${target}, which is for tests`, fix: 'move what it needs out of there' }
  return owner === 'packages/platform' && packageOf(target) === owner ? checkPart(module, target) : null
}

function checkPart(module: Module, target: string): Problem {
  const from = partOf(module.path)
  const to = partOf(target)
  const allowed = platformArrows[from]
  if (allowed === undefined) return { rule: `src/${from} has no arrows`, fix: `give it a row in ${TABLE}` }
  if (from === to) return null
  if (allowed.includes(to)) return throughFace(to, target)
  const fix = allowed.length === 0 ? 'it may import nothing of ours' : `it may import ${allowed.join(', ')}`
  return { rule: `src/${from} may not import src/${to}`, fix }
}

/** Other rooms see the face of a folder, and nothing behind it. */
function throughFace(room: string, target: string): Problem {
  if (room.endsWith('.ts') || target.endsWith(`/src/${room}/index.ts`)) return null
  return { rule: `reaches behind src/${room}/index.ts`, fix: `export what is needed there, and import it from there` }
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
