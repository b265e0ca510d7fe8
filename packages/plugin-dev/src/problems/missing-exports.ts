import { readFileSync } from 'node:fs'
import type { Problem } from '@tillwright/plugin-build'
import { type EnvironmentModuleNode, parseSync, type ViteDevServer } from 'vite'
import { shownPath } from './source-lines.ts'

/** A name that a module imports from another one. */
interface ImportedName {
  /** The address of the other module, as Vite has written it. */
  from: string
  name: string
}

/** The named imports and the exports of a module. */
interface Linkage {
  imports: ImportedName[]
  exports: Set<string>
  /** The addresses of the modules whose exports it passes on: `export * from`. */
  passesOn: string[]
}

/** By the result of a transformation, so that each is read once. */
const linkages = new WeakMap<object, Linkage>()

/**
 * The names that modules import and that do not exist. Browsers refuse to run such a module, and tell neither the place nor
 * the name that was meant.
 *
 * @param importers Modules that have been transformed; one that could not be has an error of its own.
 */
export function missingExports(modules: ViteDevServer, importers: readonly EnvironmentModuleNode[]): Problem[] {
  const { moduleGraph } = modules.environments.client
  const { root, base } = modules.config
  const moduleAt = (address: string) =>
    moduleGraph.urlToModuleMap.get(withoutStamp(address.startsWith(base) ? `/${address.slice(base.length)}` : address))

  /** @returns `null` where that is not known: a module that is not served yet, or one that is broken. */
  function exportsOf(address: string, seen = new Set<string>()): Set<string> | null {
    const linkage = linkageOf(moduleAt(address))
    if (linkage === null) return null
    const all = new Set(linkage.exports)
    for (const next of linkage.passesOn) {
      if (seen.has(next)) continue
      const passed = exportsOf(next, new Set([...seen, next]))
      if (passed === null) return null
      for (const name of passed) all.add(name)
    }
    return all
  }

  return importers.flatMap((importer) => {
    const { imports } = linkageOf(importer) ?? { imports: [] }
    return imports.flatMap(({ from, name }) => {
      const known = exportsOf(from)
      if (known === null || known.has(name)) return []
      const target = moduleAt(from)?.file ?? from
      return problemOf({ root, importer, name, target, known: [...known] })
    })
  })
}

function withoutStamp(address: string): string {
  return address.replace(/([?&])t=\d+(&|$)/, (_, before: string, after: string) => (after === '' ? '' : before))
}

function linkageOf(module: EnvironmentModuleNode | undefined): Linkage | null {
  const result = module?.transformResult
  if (result == null || module?.type !== 'js') return null
  const known = linkages.get(result)
  if (known !== undefined) return known
  const { module: read, errors } = parseSync('module.js', result.code)
  if (errors.length > 0) return null
  const linkage: Linkage = {
    imports: [
      ...read.staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.flatMap(({ importName }) => nameFrom(moduleRequest.value, importName)),
      ),
      ...read.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, importName }) =>
          moduleRequest === null ? [] : nameFrom(moduleRequest.value, importName),
        ),
      ),
    ],
    exports: new Set(),
    passesOn: [],
  }
  for (const { entries } of read.staticExports) {
    for (const { exportName, importName, moduleRequest } of entries) {
      if (exportName.kind === 'Default') linkage.exports.add('default')
      else if (exportName.name !== null) linkage.exports.add(exportName.name)
      else if (importName.kind === 'AllButDefault' && moduleRequest !== null) linkage.passesOn.push(moduleRequest.value)
    }
  }
  linkages.set(result, linkage)
  return linkage
}

function nameFrom(from: string, { kind, name }: { kind: string; name: string | null }): ImportedName[] {
  if (kind === 'Default') return [{ from, name: 'default' }]
  return kind === 'Name' && name !== null ? [{ from, name }] : []
}

interface Missing {
  root: string
  importer: EnvironmentModuleNode
  name: string
  target: string
  known: readonly string[]
}

function problemOf({ root, importer, name, target, known }: Missing): Problem {
  const file = importer.file ?? ''
  const shown = shownPath(root, target).replace(/\?.*$/, '')
  const names = known.filter((each) => each !== 'default' && /^[\w$]+$/.test(each))
  const what = name === 'default' ? 'no default export' : `no export "${name}"`
  const has = names.length === 0 ? 'It exports nothing by name.' : `It exports ${names.slice(0, NAMED_MAX).join(', ')}.`
  return {
    code: 'missing-export',
    severity: 'error',
    file: shownPath(root, file),
    ...placeOfImport(file, name),
    pointer: null,
    rule: `${packageOf(target) ?? shown} has ${what}.`,
    fix: `Correct the name, or export it there. ${has}`,
  }
}

const NAMED_MAX = 8

/** The name of the package that a prepared file is made of. */
function packageOf(target: string): string | null {
  const [, name] = /\/vite\/deps\/(.+?)\.js/.exec(target) ?? []
  return name === undefined ? null : name.replaceAll('__', '.').replaceAll('_', '/')
}

/** The place of a name in the imports of a source file; its beginning where it cannot be found. */
function placeOfImport(file: string, name: string): { line: number; column: number } {
  try {
    const text = readFileSync(file, 'utf8')
    const { module: read } = parseSync(file, text)
    const entries = read.staticImports.flatMap((each) => each.entries)
    const found = entries.find(
      ({ importName }) => name === (importName.kind === 'Default' ? 'default' : importName.name),
    )
    const start = found?.importName.start ?? found?.localName.start
    if (start == null) return { line: 1, column: 1 }
    const before = text.slice(0, start).split('\n')
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  } catch {
    return { line: 1, column: 1 } // it is gone again
  }
}
