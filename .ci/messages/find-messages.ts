import { inner, innerList, type Node, nameOf, nodeOf, nodesOf, property, sourceOf } from './syntax-tree.ts'

/** A message that a caller of the API may be sent, with `{name}` for each part that depends on the request. */
export interface Message {
  /** Error codes that the message comes with; none for a rule on a field, whose code depends on the field. */
  codes: readonly string[]
  text: string
}

/** How far a message is followed through variables and functions. */
const DEPTH_MAX = 6

/**
 * Finds every message that source files give to an error or to a rule of a schema: literals, templates, the values of
 * variables, and what is passed to or returned by functions of these files. What cannot be followed is `{expression}`.
 */
export function findMessages(files: readonly string[]): Message[] {
  const nodes = files.flatMap((file) => [...nodesOf(file)])
  const reader = new MessageReader(nodes)
  return nodes.flatMap((node) => reader.messagesAt(node))
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Methods of schemas whose second argument is the message. */
const ruleMethods = new Set(['refine', 'regex', 'length', 'min', 'max', 'check'])

class MessageReader {
  readonly #calls = new Map<string, Node[]>()
  readonly #functions = new Map<string, Node[]>()
  readonly #variables = new Map<string, Node[]>()

  constructor(nodes: readonly Node[]) {
    for (const node of nodes) {
      if (node.type === 'CallExpression') add(this.#calls, nameOf(inner(node, 'callee')), node)
      if (node.type === 'FunctionDeclaration') add(this.#functions, nameOf(inner(node, 'id')), node)
      if (node.type !== 'VariableDeclarator') continue
      add(this.#variables, nameOf(inner(node, 'id')), node)
      const init = inner(node, 'init')
      if (init !== null && functionTypes.has(init.type)) add(this.#functions, nameOf(inner(node, 'id')), init)
    }
  }

  messagesAt(node: Node): Message[] {
    if (node.type === 'NewExpression' && nameOf(inner(node, 'callee')) === 'ApiError') return this.#ofError(node)
    if (node.type === 'ObjectExpression') return this.#ofObject(node)
    if (node.type === 'FunctionDeclaration' && nameOf(inner(node, 'id')) === 'ruleMessage') {
      return this.#returned(node, 0).map((text) => ({ codes: [], text }))
    }
    if (node.type === 'CallExpression') return this.#ofRule(node)
    const init = nameOf(inner(node, 'id')) === 'decidedElsewhere' ? inner(node, 'init') : null
    return init === null ? [] : this.texts(init).map((text) => ({ codes: [], text }))
  }

  #ofError(node: Node): Message[] {
    const [code, message] = innerList(node, 'arguments')
    if (code === undefined || message === undefined) return []
    return this.#pairs(code, message).flatMap((pair) => {
      const codes = this.texts(pair.code).filter((text) => /^[a-z_0-9]+$/.test(text))
      return codes.length === 0 ? [] : this.texts(pair.message).map((text) => ({ codes, text }))
    })
  }

  /** A function that is given both code and message is given them together. */
  #pairs(code: Node, message: Node): { code: Node; message: Node }[] {
    const ofCode = parameterOf(code, nameOf(code) ?? '')
    const ofMessage = parameterOf(message, nameOf(message) ?? '')
    if (ofCode === null || ofMessage === null || ofCode.owner !== ofMessage.owner) return [{ code, message }]
    return this.#callsOf(ofCode).flatMap((call) => {
      const [codeSent, messageSent] = [passedFor(ofCode, call), passedFor(ofMessage, call)]
      return codeSent && messageSent ? [{ code: codeSent, message: messageSent }] : []
    })
  }

  /** A problem of a field, or a rule whose message is its `error`. */
  #ofObject(node: Node): Message[] {
    const [code, path, message] = ['code', 'path', 'message'].map((name) => property(node, name))
    if (code && message) {
      const codes = this.texts(code).filter((text) => /^[a-z]+_[a-z_]+$/.test(text))
      const isIssue = codes.length > 0 && path !== undefined
      const isRule = this.texts(code).includes('custom')
      return isIssue || isRule ? this.texts(message).map((text) => ({ codes: isRule ? [] : codes, text })) : []
    }
    const error = property(node, 'error')
    const isArgument =
      node.parent?.type === 'CallExpression' && inner(node.parent, 'callee')?.type === 'MemberExpression'
    if (!error || !isArgument || !/packages\/contract\//.test(node.file)) return []
    return this.texts(error).map((text) => ({ codes: [], text }))
  }

  #ofRule(node: Node): Message[] {
    const callee = inner(node, 'callee')
    const method = callee === null ? null : nameOf(inner(callee, 'property'))
    const [, message] = innerList(node, 'arguments')
    if (method === null || !ruleMethods.has(method) || message === undefined) return []
    if (!/packages\/contract\//.test(node.file)) return []
    const isText = ['Literal', 'TemplateLiteral', 'BinaryExpression', 'Identifier'].includes(message.type)
    return isText ? this.texts(message).map((text) => ({ codes: [], text })) : []
  }

  /** Every text that an expression may be. */
  texts(node: Node, depth = 0): string[] {
    if (depth > DEPTH_MAX) return [unknown(node)]
    const read = (field: string) => {
      const value = inner(node, field)
      return value === null ? [] : this.texts(value, depth + 1)
    }
    switch (node.type) {
      case 'Literal':
        return typeof node.fields['value'] === 'string' ? [node.fields['value']] : []
      case 'TemplateLiteral':
        return this.#template(node, depth)
      case 'BinaryExpression':
        return read('left').flatMap((left) => read('right').map((right) => left + right))
      case 'ConditionalExpression':
        return [...read('consequent'), ...read('alternate')]
      case 'LogicalExpression':
        return [...read('left'), ...read('right')]
      case 'Identifier':
        return this.#identifier(node, depth)
      case 'MemberExpression':
        return this.#member(node, depth)
      case 'ObjectExpression':
        return innerList(node, 'properties').flatMap((each) => {
          const value = inner(each, each.type === 'SpreadElement' ? 'argument' : 'value')
          return value === null ? [] : this.texts(value, depth + 1)
        })
      case 'CallExpression':
        return this.#call(node, depth)
      case 'ArrowFunctionExpression':
        return this.#returned(node, depth)
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return read('expression')
      default:
        return [unknown(node)]
    }
  }

  #template(node: Node, depth: number): string[] {
    const parts = innerList(node, 'quasis').map((quasi) => {
      const value = quasi.fields['value']
      return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
    })
    return innerList(node, 'expressions').reduce<string[]>(
      (texts, expression, index) => {
        const choices = this.#placed(expression, depth)
        return texts.flatMap((text) => choices.map((choice) => text + choice + (parts[index + 1] ?? '')))
      },
      [parts[0] ?? ''],
    )
  }

  /** A part of a template: its words if they are known, and else its name. */
  #placed(node: Node, depth: number): string[] {
    if (node.type === 'Identifier' || node.type === 'MemberExpression') {
      const texts = this.texts(node, depth + 1)
      const isKnown = texts.length > 0 && texts.length <= 4 && texts.every((text) => !/^\{[^}]*\}$/.test(text))
      return isKnown && texts.some((text) => text.includes(' ')) ? texts : [unknown(node)]
    }
    if (['TemplateLiteral', 'ConditionalExpression', 'Literal'].includes(node.type)) return this.texts(node, depth + 1)
    return [unknown(node)]
  }

  #identifier(node: Node, depth: number): string[] {
    const name = nameOf(node) ?? ''
    const parameter = parameterOf(node, name)
    if (parameter !== null) return this.#argument(parameter, node, depth)
    const variable = (this.#variables.get(name) ?? [])
      .filter((each) => each.file === node.file && contains(scopeOf(each), node))
      .toSorted((one, other) => other.start - one.start)
      .find((each) => each.start < node.start || scopeOf(each)?.type === 'Program')
    const init = variable === undefined ? null : inner(variable, 'init')
    return init === null || functionTypes.has(init.type) ? [unknown(node)] : this.texts(init, depth + 1)
  }

  /** The texts that calls of a function pass for one of its parameters. */
  #argument(parameter: Parameter, node: Node, depth: number): string[] {
    const passed = this.#callsOf(parameter).flatMap((call) => passedFor(parameter, call) ?? [])
    return passed.length === 0 ? [unknown(node)] : passed.flatMap((argument) => this.texts(argument, depth + 1))
  }

  /** Calls of a function in its own file, and in those that import it. */
  #callsOf({ owner, file, isExported: isForAll }: Parameter): Node[] {
    return (this.#calls.get(owner) ?? []).filter((call) => {
      if (call.file === file) return true
      const hasOwn = (this.#functions.get(owner) ?? []).some((each) => each.file === call.file)
      return isForAll && !hasOwn
    })
  }

  #member(node: Node, depth: number): string[] {
    const object = inner(node, 'object')
    const name = nameOf(object)
    const variable =
      name === null ? undefined : (this.#variables.get(name) ?? []).find(({ file }) => file === node.file)
    const init = variable === undefined ? null : inner(variable, 'init')
    if (init?.type !== 'ObjectExpression') return [unknown(node)]
    const field = node.fields['computed'] === true ? null : nameOf(inner(node, 'property'))
    const value = field === null ? init : property(init, field)
    return value ? this.texts(value, depth + 1) : [unknown(node)]
  }

  #call(node: Node, depth: number): string[] {
    const name = nameOf(inner(node, 'callee'))
    const functions = name === null ? [] : (this.#functions.get(name) ?? [])
    const own = functions.filter(({ file }) => file === node.file)
    const called = own.length > 0 ? own : functions
    return called.length === 1 && called[0] !== undefined ? this.#returned(called[0], depth) : [unknown(node)]
  }

  #returned(node: Node, depth: number): string[] {
    const body = inner(node, 'body')
    if (body === null) return [unknown(node)]
    if (body.type !== 'BlockStatement') return this.texts(body, depth + 1)
    return returnsIn(body).flatMap((value) => this.texts(value, depth + 1))
  }
}

function* returnValues(node: Node): Generator<Node> {
  for (const value of Object.values(node.fields).flat()) {
    const child = nodeOf(value)
    if (child === undefined || functionTypes.has(child.type)) continue
    const argument = child.type === 'ReturnStatement' ? inner(child, 'argument') : null
    if (argument === null) yield* returnValues(child)
    else yield argument
  }
}

function returnsIn(node: Node): Node[] {
  return [...returnValues(node)]
}

interface Parameter {
  owner: string
  index: number
  /** The property of a destructured parameter. */
  key: string | null
  file: string
  isExported: boolean
}

/** The argument of a call that a parameter stands for. */
function passedFor({ index, key }: Parameter, call: Node): Node | undefined {
  const argument = innerList(call, 'arguments')[index]
  if (argument === undefined || key === null) return argument
  return argument.type === 'ObjectExpression' ? property(argument, key) : undefined
}

/** The parameter of an enclosing named function that a name stands for. */
function parameterOf(node: Node, name: string): Parameter | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (!functionTypes.has(at.type)) continue
    const named = at.parent?.type === 'VariableDeclarator' ? at.parent : at
    const owner = nameOf(inner(named, 'id'))
    const place = { file: at.file, isExported: isExported(named) }
    for (const [index, parameter] of innerList(at, 'params').entries()) {
      if (nameOf(parameter) === name) return owner === null ? null : { owner, index, key: null, ...place }
      const isPart = parameter.type === 'ObjectPattern' && property(parameter, name) !== undefined
      if (isPart && owner !== null) return { owner, index, key: name, ...place }
    }
  }
  return null
}

function isExported(named: Node): boolean {
  const declaration = named.type === 'VariableDeclarator' ? named.parent : named
  return declaration?.parent?.type === 'ExportNamedDeclaration'
}

function scopeOf(node: Node): Node | null {
  let at = node.parent
  while (at !== null && at.type !== 'BlockStatement' && at.type !== 'Program') at = at.parent
  return at
}

function contains(outer: Node | null, node: Node): boolean {
  return outer !== null && outer.start <= node.start && node.end <= outer.end
}

function add(map: Map<string, Node[]>, name: string | null, node: Node): void {
  if (name !== null) map.set(name, [...(map.get(name) ?? []), node])
}

/** A part that depends on the request, by the last name in its expression. */
function unknown(node: Node): string {
  const names = sourceOf(node).match(/[A-Za-z_]\w*/g) ?? []
  const name = node.type === 'CallExpression' ? nameOf(inner(node, 'callee')) : names.at(-1)
  return `{${name ?? names.at(-1) ?? 'value'}}`
}
