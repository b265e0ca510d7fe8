import { stripTypeScriptTypes } from 'node:module'
import { parseSync } from 'oxc-parser'
import type { PageSnippet } from './read-snippets.ts'

/** Values by the names that snippets give them. */
export type Names = Readonly<Record<string, unknown>>

/** Imports a package of ours by the name that it is published under. */
export type Load = (specifier: string) => Promise<object>

type Statement = ReturnType<typeof parseSync>['program']['body'][number]
type Pattern = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['id']

/**
 * Runs a snippet in this process, from its text, with what it takes from its surroundings.
 *
 * @param having What earlier snippets have declared, and what the shop has.
 * @returns What it declares: snippets after it may use that.
 * @throws What it throws.
 */
export async function runSnippet(snippet: PageSnippet, having: Names, load: Load): Promise<Names> {
  const run: (...values: unknown[]) => Promise<Names> = new AsyncFunction(
    'load',
    ...Object.keys(having),
    bodyOf(snippet),
  )
  return run(load, ...Object.values(having))
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

/**
 * The snippet as the body of an asynchronous function: it has its imports from a function `load`, and returns what it
 * declares, by name.
 */
export function bodyOf({ code, place }: PageSnippet): string {
  const script = stripTypeScriptTypes(code)
  const { program, errors } = parseSync('snippet.mjs', script)
  const [error] = errors
  if (error !== undefined) throw new Error(`${place} does not parse: ${error.message}`)
  const text = ({ start, end }: { start: number; end: number }) => script.slice(start, end)
  const statements = program.body.map((statement) => inFunction(statement, text))
  const names = program.body.flatMap(declaredBy)
  return `{\n${statements.join('\n')}\nreturn { ${names.join(', ')} }\n}` // in a block, since names may shadow those it is given
}

function inFunction(statement: Statement, text: (node: Statement) => string): string {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration !== null) return text(statement.declaration)
  if (statement.type !== 'ImportDeclaration') return text(statement)
  const names = statement.specifiers.map(({ local }) => local.name)
  return `const { ${names.join(', ')} } = await load(${JSON.stringify(statement.source.value)})`
}

function declaredBy(statement: Statement): string[] {
  if (statement.type === 'ExportNamedDeclaration') return statement.declaration ? declaredBy(statement.declaration) : []
  if (statement.type === 'FunctionDeclaration') return statement.id ? [statement.id.name] : []
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id }) => namesIn(id))
}

function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) =>
        each === null ? [] : namesIn(each.type === 'RestElement' ? each.argument : each),
      )
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        each.type === 'RestElement' ? namesIn(each.argument) : namesIn(each.value),
      )
  }
}
