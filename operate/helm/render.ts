import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

type Value = unknown
interface Scope {
  root: Value
  variables: ReadonlyMap<string, Value>
  templates: ReadonlyMap<string, Node[]>
}

/** A piece of a parsed template. */
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'output'; expression: string }
  | { kind: 'if'; expression: string; body: Node[]; elseBody: Node[] }
  | { kind: 'range'; key: string; value: string; expression: string; body: Node[] }

/** Name and namespace of an installation, and the values that it changes. */
export interface Release {
  name: string
  namespace: string
  values: Record<string, unknown>
}

/**
 * Renders a Helm chart for tests, where there is no Helm. Knows the part of Go's templates and of Helm's functions that our
 * chart keeps to, and fails for anything else.
 *
 * @returns The text of each template, by its name.
 * @throws For a missing value that is `required`.
 */
export async function renderChart(folder: string, { name, namespace, values }: Release): Promise<Map<string, string>> {
  const chart = parse(await readFile(join(folder, 'Chart.yaml'), 'utf8'))
  const defaults = parse(await readFile(join(folder, 'values.yaml'), 'utf8'))
  const root = {
    Values: merged(defaults, values),
    Release: { Name: name, Namespace: namespace },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  }
  const templates = new Map<string, Node[]>()
  const files = new Map<string, Node[]>()
  for (const file of (await readdir(join(folder, 'templates'))).toSorted((a, b) => (a < b ? -1 : 1))) {
    files.set(file, parseTemplate(await readFile(join(folder, 'templates', file), 'utf8'), templates))
  }
  const scope: Scope = { root, variables: new Map([['$', root]]), templates }
  const rendered = [...files].filter(([file]) => !file.startsWith('_'))
  return new Map(rendered.map(([file, nodes]) => [file, render(nodes, root, scope)]))
}

function merged(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over === undefined ? base : over
  const names = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], over[name])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Action {
  words: string
  /** The text after it, with the blanks that markers take away removed. */
  text: string
}

/** Splits a template into its first text and its actions. */
function split(source: string): { first: string; actions: Action[] } {
  const actions: Action[] = []
  let [at, first, isTrimmed] = [0, '', false]
  const add = (text: string, isTrimmedAfter: boolean): void => {
    const start = isTrimmed ? text.trimStart() : text
    const whole = isTrimmedAfter ? start.trimEnd() : start
    const last = actions.at(-1)
    if (last === undefined) first = whole
    else last.text = whole
  }
  for (const match of source.matchAll(/\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs)) {
    const [all, before, words = '', after] = match
    add(source.slice(at, match.index), before === '-')
    actions.push({ words, text: '' })
    at = match.index + all.length
    isTrimmed = after === '-'
  }
  add(source.slice(at), false)
  return { first, actions }
}

function parseTemplate(source: string, templates: Map<string, Node[]>): Node[] {
  const { first, actions } = split(source)
  let next = 0
  /** Reads up to the `end` or `else` of the block that it stands in. */
  function block(text: string): { nodes: Node[]; ended: string; text: string } {
    const nodes: Node[] = [{ kind: 'text', text }]
    for (let action = actions[next++]; action !== undefined; action = actions[next++]) {
      const { words } = action
      const [keyword = ''] = words.split(' ', 1)
      if (keyword === 'end' || keyword === 'else') return { nodes, ended: keyword, text: action.text }
      let after = action.text
      if (keyword === 'if') {
        const then = block(action.text)
        const elseBlock = then.ended === 'else' ? block(then.text) : { nodes: [], text: then.text }
        nodes.push({ kind: 'if', expression: words.slice(3), body: then.nodes, elseBody: elseBlock.nodes })
        after = elseBlock.text
      } else if (keyword === 'range') {
        const [, key = '', value = '', expression = ''] = /^range (\$\w+), (\$\w+) := (.*)$/.exec(words) ?? fail(words)
        const body = block(action.text)
        nodes.push({ kind: 'range', key, value, expression, body: body.nodes })
        after = body.text
      } else if (keyword === 'define') {
        const body = block(action.text)
        templates.set(words.slice('define "'.length, -1), body.nodes)
        after = body.text
      } else {
        nodes.push({ kind: 'output', expression: words })
      }
      nodes.push({ kind: 'text', text: after })
    }
    return { nodes, ended: '', text: '' }
  }
  return block(first).nodes
}

function fail(what: string): never {
  throw new Error(`The chart's templates use '${what}', which render.ts does not know: write it more simply.`)
}

function render(nodes: readonly Node[], dot: Value, scope: Scope): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
          return node.text
        case 'output':
          return shown(evaluate(node.expression, dot, scope))
        case 'if':
          return render(isTrue(evaluate(node.expression, dot, scope)) ? node.body : node.elseBody, dot, scope)
        case 'range': {
          const entries = Object.entries(Object(evaluate(node.expression, dot, scope)))
          return entries
            .toSorted(([a], [b]) => (a < b ? -1 : 1)) // as Go walks a map
            .map(([key, value]) => {
              const variables = new Map([...scope.variables, [node.key, key], [node.value, value]])
              return render(node.body, value, { ...scope, variables })
            })
            .join('')
        }
      }
    })
    .join('')
}

function shown(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') fail(JSON.stringify(value))
  return typeof value === 'string' ? value : JSON.stringify(value) // a number or a boolean
}

/** Go's rule: zero values are false. */
function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isRecord(value) ? Object.keys(value).length > 0 : Boolean(value)
}

/** The words of a command; strings and parentheses stay together. */
const WORD = /"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|[^\s|]+|\|/g

function evaluate(expression: string, dot: Value, scope: Scope): Value {
  const commands: string[][] = [[]]
  for (const [word] of expression.matchAll(WORD)) {
    if (word === '|') commands.push([])
    else commands.at(-1)?.push(word)
  }
  return commands.reduce<Value[]>((piped, words) => [call(words, piped, { dot, scope })], [])[0]
}

function call([name = '', ...words]: string[], piped: Value[], { dot, scope }: { dot: Value; scope: Scope }): Value {
  const operand = (word: string): Value => {
    if (word.startsWith('"')) return JSON.parse(word)
    if (word.startsWith('(')) return evaluate(word.slice(1, -1), dot, scope)
    if (/^\d+$/.test(word)) return Number(word)
    if (word === '.') return dot
    const [, start = '', path = ''] = /^(\$\w*)?((?:\.\w+)*)$/.exec(word) ?? fail(word)
    const from = start === '' ? dot : scope.variables.get(start)
    return path
      .split('.')
      .slice(1)
      .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), from)
  }
  if (/^["($.\d]/.test(name)) return operand(name)
  const args = [...words.map(operand), ...piped]
  const known = functions[name]
  if (known !== undefined) return known(...args)
  const template = name === 'include' ? scope.templates.get(String(args[0])) : undefined
  return template === undefined ? fail(`${name} ${words.join(' ')}`) : render(template, args[1], scope)
}

/** As Helm and Sprig define them. */
const functions: Readonly<Record<string, (...args: Value[]) => Value>> = {
  quote: (value) => JSON.stringify(shown(value)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  required(message, value) {
    if (value === undefined || value === null || value === '') throw new Error(String(message))
    return value
  },
  ternary: (yes, no, condition) => (isTrue(condition) ? yes : no),
  add: (...numbers) => numbers.reduce<number>((sum, each) => sum + Number(each), 0),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (spaces, text) => `\n${String(text).replaceAll(/^/gm, ' '.repeat(Number(spaces)))}`,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  not: (value) => !isTrue(value),
}
