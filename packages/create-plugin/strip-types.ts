import { parseSync, Visitor } from 'oxc-parser'
import { format } from 'oxfmt'

/** A part of a text, from the first character to before the last. */
interface Span {
  start: number
  end: number
}

/**
 * A module of TypeScript as it is without its types, formatted, with its comments. Imports of modules follow, and types
 * are all that is taken out: what would change at run time (enums, namespaces) is no part of templates.
 *
 * @throws {Error} When it does not parse.
 */
export async function stripTypes(path: string, source: string): Promise<string> {
  const { program, comments, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const spans: Span[] = []
  const take = (start: number, end: number) => void spans.push({ start, end })
  const takeNode = ({ start, end }: Span) => take(start, end)
  /** A type of its own goes with the comment above it. */
  const takeStatement = ({ start, end }: Span) => {
    const above = comments.findLast((comment) => comment.end <= start && source.slice(comment.end, start).trim() === '')
    take(above?.start ?? start, source[end] === '\n' ? end + 1 : end)
  }
  new Visitor({
    TSTypeAnnotation: takeNode,
    TSTypeParameterDeclaration: takeNode,
    TSTypeParameterInstantiation: takeNode,
    TSAsExpression: ({ expression, end }) => take(expression.end, end),
    TSSatisfiesExpression: ({ expression, end }) => take(expression.end, end),
    TSInterfaceDeclaration: (node) => {
      if (!isExported(source, node.start)) takeStatement(node)
    },
    TSTypeAliasDeclaration: (node) => {
      if (!isExported(source, node.start)) takeStatement(node)
    },
    ExportNamedDeclaration: (node) => {
      if (node.exportKind === 'type') takeStatement(node)
    },
    ImportDeclaration: (node) => {
      if (node.importKind === 'type') return takeStatement(node)
      for (const [index, specifier] of node.specifiers.entries()) {
        if (specifier.type !== 'ImportSpecifier' || specifier.importKind !== 'type') continue
        take(specifier.start, node.specifiers[index + 1]?.start ?? specifier.end)
      }
    },
  }).visit(program)
  const plain = without(source, spans).replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(x?)(?=['"])/g, '$1.js$2')
  const formatted = await format(path.replace(/\.ts(x?)$/, '.js$1'), plain, {
    printWidth: 120,
    semi: false,
    singleQuote: true,
  })
  const left = parseSync(path.replace(/\.ts(x?)$/, '.js$1'), formatted.code)
  if (left.errors.length > 0) throw new Error(`${path} has more than types to lose: ${left.errors[0]?.message}`)
  return formatted.code
}

function isExported(source: string, start: number): boolean {
  return /export\s+$/.test(source.slice(0, start))
}

/** The text without parts of it, of which some may lie in others. */
function without(source: string, spans: readonly Span[]): string {
  let text = ''
  let at = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > at) text += source.slice(at, start)
    at = Math.max(at, end)
  }
  return text + source.slice(at)
}
