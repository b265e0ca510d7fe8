import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

/** A node of the syntax tree, with its parent and its file. */
export interface Node {
  type: string
  start: number
  end: number
  parent: Node | null
  file: string
  fields: Readonly<Record<string, unknown>>
}

/** Every node of a source file, each before those in it. */
export function* nodesOf(file: string): Generator<Node> {
  const source = readFileSync(file, 'utf8')
  sources.set(file, source)
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`)
  yield* walk(program, null, file)
}

const sources = new Map<string, string>()
const known = new WeakMap<object, Node>()

function* walk(value: unknown, parent: Node | null, file: string): Generator<Node> {
  if (Array.isArray(value)) {
    for (const each of value) yield* walk(each, parent, file)
  } else if (isSyntax(value)) {
    const node: Node = { type: value.type, start: value.start, end: value.end, parent, file, fields: value }
    known.set(value, node)
    yield node
    for (const each of Object.values(value)) yield* walk(each, node, file)
  }
}

type Syntax = Readonly<Record<string, unknown>> & { type: string; start: number; end: number }

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
}

/** The node of a value of another node's fields, or `undefined`. */
export function nodeOf(value: unknown): Node | undefined {
  return isSyntax(value) ? known.get(value) : undefined
}

/** The node of a field, or `null` if it has none. */
export function inner(node: Node, field: string): Node | null {
  const value = node.fields[field]
  return isSyntax(value) ? (known.get(value) ?? null) : null
}

/** The nodes of a field that is a list. */
export function innerList(node: Node, field: string): Node[] {
  const value = node.fields[field]
  return Array.isArray(value) ? value.flatMap((each) => (isSyntax(each) ? (known.get(each) ?? []) : [])) : []
}

/** The name of an identifier. */
export function nameOf(node: Node | null): string | null {
  const name = node?.type === 'Identifier' ? node.fields['name'] : null
  return typeof name === 'string' ? name : null
}

/** The text of a node. */
export function sourceOf({ file, start, end }: Node): string {
  return (sources.get(file) ?? '').slice(start, end)
}

/** The value of an object's property. */
export function property(node: Node, name: string): Node | undefined {
  const found = innerList(node, 'properties').find((each) => nameOf(inner(each, 'key')) === name)
  return found === undefined ? undefined : (inner(found, 'value') ?? undefined)
}
