import { BODY_MAX_DEPTH, ISSUES_MAX } from '@tillwright/contract'
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { lineStarts, positionAt } from '../problem.ts'
import {
  atKey,
  atValue,
  type Complaint,
  type Finding,
  type JsonDocument,
  jsonDocument,
  type JsonPath,
  shortened,
} from './document.ts'
import { readText } from './folder.ts'

/** The result of reading a JSON file: the document, or null if it has syntax errors, and all problems. */
export interface ReadJson {
  document: JsonDocument | null
  findings: Finding[]
}

/**
 * Reads a JSON file of a plugin, with comments. A byte order mark is a warning.
 *
 * @param root The real path of the plugin's folder.
 * @param file Relative to it, with `/` as the separator.
 */
export async function readJson(root: string, file: string): Promise<ReadJson> {
  const read = await readText(root, file)
  if (read.problem !== undefined) return { document: null, findings: [{ problem: read.problem }] }
  const { document, findings } = parseJson({ file, text: read.text })
  return { document, findings: [...(read.bom ? [byteOrderMark(file)] : []), ...findings] }
}

/** An empty edit list rewrites the file, and the text that was read does not include the mark. */
function byteOrderMark(file: string): Finding {
  return {
    problem: {
      code: 'byte-order-mark',
      severity: 'warning',
      file,
      line: 1,
      column: 1,
      pointer: '',
      rule: 'The file must not start with a byte order mark, because many tools cannot read it.',
      fix: 'Save the file as UTF-8 without a byte order mark.',
    },
    repair: [],
  }
}

/** The result of parsing a text: the document, or null if it has syntax errors, and all problems. */
export interface ParsedJson {
  document: JsonDocument | null
  findings: Finding[]
}

/** Parses JSON with comments. Trailing commas are warnings; duplicate keys and inexact numbers are errors. */
function parseJson(source: { file: string; text: string }): ParsedJson {
  const { tooDeep, commas } = scan(source.text)
  if (tooDeep !== null) return { document: null, findings: [atOffset(source, tooDeep, depthExceeded)] }
  const errors: ParseError[] = []
  const root = parseTree(source.text, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0) return { document: null, findings: syntaxFindings(source, errors) }
  const document = jsonDocument(source, root)
  const findings = commas.map((offset) => atOffset(source, offset, trailingComma(offset)))
  return { document, findings: [...findings, ...inNode(document, [], root)].slice(0, ISSUES_MAX) }
}

// The parser's token types are an ambient `const enum`, which type-stripped modules cannot import.
const OPEN: readonly number[] = [1, 3]
const CLOSE: readonly number[] = [2, 4]
const COMMA = 5
const END = 17

/** Scans the tokens before anything recursive touches the text. */
function scan(text: string): { tooDeep: number | null; commas: number[] } {
  const scanner = createScanner(text, true)
  const commas: number[] = []
  let depth = 0
  let comma: number | null = null
  const next = (): number => scanner.scan()
  for (let token = next(); token !== END; token = next()) {
    if (OPEN.includes(token)) depth += 1
    if (depth > BODY_MAX_DEPTH) return { tooDeep: scanner.getTokenOffset(), commas }
    if (CLOSE.includes(token)) depth -= 1
    if (CLOSE.includes(token) && comma !== null) commas.push(comma)
    comma = token === COMMA ? scanner.getTokenOffset() : null
  }
  return { tooDeep: null, commas }
}

const depthExceeded: Complaint = {
  code: 'too-deep',
  rule: `Objects and arrays must not be nested more than ${BODY_MAX_DEPTH} levels deep.`,
  fix: 'Flatten the structure here.',
}

function trailingComma(offset: number): Complaint {
  return {
    code: 'trailing-comma',
    severity: 'warning',
    rule: 'There must be no comma after the last item, because many tools cannot read it.',
    fix: 'Remove the comma.',
    repair: [{ offset, length: 1, content: '' }],
  }
}

/** A problem in a text that has no syntax tree. */
function atOffset(source: { file: string; text: string }, offset: number, complaint: Complaint): Finding {
  const { repair, severity = 'error', ...rest } = complaint
  const position = positionAt(lineStarts(source.text), offset)
  const problem = { ...rest, severity, file: source.file, ...position, pointer: '' }
  return { problem, ...(repair !== undefined && { repair }) }
}

/** Rule and fix for each error of jsonc-parser, by number. */
const syntaxRules: Readonly<Record<number, readonly [rule: string, fix: string]>> = {
  1: ['Only JSON is allowed here.', 'Put text in double quotes, and remove what is not JSON.'],
  2: ['A number must be in JSON notation.', 'Write digits, with at most one point and one exponent.'],
  3: ['A key in double quotes is required here.', 'Put the key in double quotes, or remove the comma before it.'],
  4: ['A value is required here.', 'Add the value, or remove the key or comma before it.'],
  5: ['A ":" is required here.', 'Add ":" between the key and its value.'],
  6: ['A "," is required here.', 'Add "," between the items.'],
  7: ['A "}" is required here.', 'Close the object with "}".'],
  8: ['A "]" is required here.', 'Close the array with "]".'],
  9: ['Nothing may follow the value.', 'Remove what follows it.'],
  10: ['Comments are not allowed here.', 'Remove the comment.'],
  11: ['A comment must be closed.', 'Add "*/" at its end.'],
  12: ['Text must end on the same line.', 'Add \'"\' at its end, and write line breaks as "\\n".'],
  13: ['A number must be complete.', 'Add the missing digits.'],
  14: ['"\\u" must be followed by four hexadecimal digits.', 'Add four digits after it.'],
  15: ['A "\\" must start a JSON escape.', 'Write a backslash as "\\\\".'],
  16: ['Control characters must be escaped.', 'Write the character as an escape such as "\\t".'],
}

/** An empty file has no errors of its own, but no value either. Two braces missing at one place are one problem. */
function syntaxFindings(source: { file: string; text: string }, errors: readonly ParseError[]): Finding[] {
  const all = errors.length > 0 ? errors : [{ error: 4, offset: source.text.length }]
  const found = all.filter(
    ({ error, offset }, at) => all.findIndex((each) => each.error === error && each.offset === offset) === at,
  )
  return found.slice(0, ISSUES_MAX).map(({ error, offset }) => {
    const [rule, fix] = syntaxRules[error] ?? ['The file must be JSON.', 'Correct the syntax.']
    return atOffset(source, offset, { code: 'syntax', rule, fix })
  })
}

/** Problems of a valid syntax tree: duplicate and forbidden keys, inexact numbers. */
function inNode(document: JsonDocument, path: JsonPath, node: Node): Finding[] {
  if (node.type === 'array')
    return (node.children ?? []).flatMap((item, index) => inNode(document, [...path, index], item))
  if (node.type === 'number') return inNumber(document, path, node)
  if (node.type !== 'object') return []
  return inObject(document, path, node)
}

function inObject(document: JsonDocument, path: JsonPath, node: Node): Finding[] {
  const seen = new Set<string>()
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    if (key === undefined || value === undefined) return []
    const name = String(key.value)
    const findings = seen.has(name) ? [duplicateKey(document, { path: [...path, name], key })] : []
    seen.add(name)
    if (name === '__proto__') findings.push(atKey(document, [...path, name], forbiddenKey))
    return [...findings, ...inNode(document, [...path, name], value)]
  })
}

const forbiddenKey: Complaint = {
  code: 'forbidden-key',
  rule: 'A key must not be called "__proto__".',
  fix: 'Give the key another name.',
}

function duplicateKey(document: JsonDocument, { path, key }: { path: JsonPath; key: Node }): Finding {
  const { problem } = atKey(document, path, {
    code: 'duplicate-key',
    rule: `The key "${shortened(String(key.value))}" must be unique in its object.`,
    fix: 'Remove one of the two.',
  })
  return { problem: { ...problem, ...positionAt(document.starts, key.offset) } } // paths lead to the first one
}

function inNumber(document: JsonDocument, path: JsonPath, node: Node): Finding[] {
  const value = Number(node.value)
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return []
  return [
    atValue(document, path, {
      code: 'number-inexact',
      rule: 'A number must be one that JavaScript represents exactly: integers up to 9007199254740991.',
      fix: 'Use a smaller number, or write the digits as text.',
    }),
  ]
}
