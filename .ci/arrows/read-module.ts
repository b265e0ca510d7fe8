import { parseSync, Visitor, type StaticExport, type StaticImport } from 'oxc-parser'

/** One `import`, `export ... from` or `import.meta.resolve` of a source file. */
export interface ModuleImport {
  specifier: string
  /** Counted from 1. */
  line: number
  /** `types`: erased, every name in it is a type. `file`: `import.meta.resolve`, which finds a file and runs nothing. `late`: `import()`. */
  kind: 'code' | 'types' | 'file' | 'late'
  /** Whether it passes on what it imports. */
  reExport: boolean
}

/** Input of the arrow rules for one source file. */
export interface Module {
  /** Relative to the repository, with `/`. */
  path: string
  imports: readonly ModuleImport[]
  /** Statements that do more than re-export, by line. */
  ownStatements: readonly number[]
  /** Uses of the terminal or the process's end, such as `console.log`. */
  terminalUses: readonly { line: number; text: string }[]
}

type LineAt = (offset: number) => number

const TERMINAL_PROPERTIES = new Set(['exit', 'exitCode', 'abort', 'stdout', 'stderr'])

/**
 * Reads the imports of a TypeScript or JavaScript source.
 *
 * @throws {Error} When it does not parse.
 */
export function readModule(path: string, source: string): Module {
  const { program, module, errors } = parseSync(path, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`)
  const lineAt: LineAt = (offset) => source.slice(0, offset).split('\n').length
  const imports = [
    ...module.staticImports.map((found) => importOf(found, lineAt)),
    ...module.staticExports.flatMap((found) => reExportOf(found, lineAt)),
  ]
  const terminalUses: { line: number; text: string }[] = []
  const addCall = (argument: { type: string; start: number; value?: unknown } | undefined, kind: 'late' | 'file') => {
    if (argument?.type !== 'Literal' || typeof argument.value !== 'string') return
    imports.push({ specifier: argument.value, line: lineAt(argument.start), kind, reExport: false })
  }
  new Visitor({
    ImportExpression: (node) => addCall(node.source, 'late'),
    CallExpression: (node) => {
      if (source.slice(node.callee.start, node.callee.end) === 'import.meta.resolve') addCall(node.arguments[0], 'file')
    },
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const endsOrPrints = object.name === 'process' && TERMINAL_PROPERTIES.has(property.name)
      if (object.name !== 'console' && !endsOrPrints) return
      terminalUses.push({ line: lineAt(start), text: `${object.name}.${property.name}` })
    },
  }).visit(program)
  const ownStatements = program.body
    .filter((node) => !('source' in node && node.source !== null && node.type.startsWith('Export')))
    .map((node) => lineAt(node.start))
  return { path, imports, ownStatements, terminalUses }
}

function importOf(found: StaticImport, lineAt: LineAt): ModuleImport {
  const types = found.entries.length > 0 && found.entries.every((entry) => entry.isType)
  const specifier = found.moduleRequest.value
  return { specifier, line: lineAt(found.start), kind: types ? 'types' : 'code', reExport: false }
}

function reExportOf(found: StaticExport, lineAt: LineAt): ModuleImport[] {
  const specifier = found.entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest?.value
  if (specifier === undefined) return []
  const types = found.entries.every((entry) => entry.isType)
  return [{ specifier, line: lineAt(found.start), kind: types ? 'types' : 'code', reExport: true }]
}
