import { isObject } from '@tillwright/contract/json'
import { type Edit, findNodeAtLocation, type Node } from 'jsonc-parser'
import { lineStarts, positionAt, type Problem } from '../problem.ts'

/** A parsed JSON file with the positions of all its values. */
export interface JsonDocument {
  /** Relative to the plugin's folder. */
  file: string
  text: string
  /** The path of `value` in the file: the root, unless it is a part of the file. */
  base: JsonPath
  root: Node
  value: unknown
  starts: readonly number[]
}

/** A problem without a position. Its severity is `error` by default. */
export interface Complaint extends Pick<Problem, 'code' | 'rule' | 'fix'> {
  severity?: Problem['severity']
  repair?: readonly Edit[]
}

/** Creates a document from a text and its syntax tree. */
export function jsonDocument(source: { file: string; text: string }, root: Node): JsonDocument {
  return { ...source, base: [], root, value: valueOf(root), starts: lineStarts(source.text) }
}

/** A part of a document, as a document whose paths start there. */
export function partOf(document: JsonDocument, path: JsonPath): JsonDocument {
  const root = nodeAt(document, path) ?? document.root
  return { ...document, base: [...document.base, ...path], root, value: valueOf(root) }
}

/** A problem with a value. If the value does not exist, it is reported at its nearest parent. */
export function atValue(document: JsonDocument, path: JsonPath, complaint: Complaint): Finding {
  let steps = path
  while (steps.length > 0 && nodeAt(document, steps) === undefined) steps = steps.slice(0, -1)
  return finding(document, { path, offset: (nodeAt(document, steps) ?? document.root).offset, complaint })
}

/** A problem with a key, reported at the key itself. */
export function atKey(document: JsonDocument, path: JsonPath, complaint: Complaint): Finding {
  const key = keyAt(document, path)
  return key === undefined
    ? atValue(document, path, complaint)
    : finding(document, { path, offset: key.offset, complaint })
}

/** The node of a value's key, or undefined for array items and for the root. */
export function keyAt(document: JsonDocument, path: JsonPath): Node | undefined {
  const property = nodeAt(document, path)?.parent
  return property?.type === 'property' && path.length > 0 ? property.children?.[0] : undefined
}

/** The edit that gives a key another name; none where there is no such key. */
export function renameKey(document: JsonDocument, path: JsonPath, name: string): Edit[] {
  return rewrite(keyAt(document, path), name)
}

/** The edit that puts another value in the place of one; none where there is no such value. */
export function replaceValue(document: JsonDocument, path: JsonPath, value: unknown): Edit[] {
  return rewrite(nodeAt(document, path), value)
}

function rewrite(node: Node | undefined, value: unknown): Edit[] {
  return node === undefined ? [] : [{ offset: node.offset, length: node.length, content: JSON.stringify(value) }]
}

/** The node of a value, or undefined if it does not exist. */
export function nodeAt(document: JsonDocument, path: JsonPath): Node | undefined {
  return findNodeAtLocation(document.root, [...path])
}

function finding(document: JsonDocument, place: { path: JsonPath; offset: number; complaint: Complaint }): Finding {
  const { repair, severity = 'error', ...rest } = place.complaint
  const problem = {
    ...rest,
    severity,
    file: document.file,
    ...positionAt(document.starts, place.offset),
    pointer: jsonPointer([...document.base, ...place.path]),
  }
  return { problem, ...(repair !== undefined && { repair }) }
}

/** Like `getNodeValue`, but treats a key called `__proto__` like any other. */
function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  const entries = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), valueOf(value)] as const],
  )
  return Object.fromEntries(entries)
}

/** A problem, with the edits that fix it if the intention is clear. */
export interface Finding {
  problem: Problem
  repair?: readonly Edit[]
}

/** Whether there is a problem that prevents a build. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ problem }) => problem.severity === 'error')
}

/** Keys and array indexes, from the outside in. */
export type JsonPath = readonly (string | number)[]

/** Formats a path as in RFC 6901: `/pages/0/path`; `''` for the root. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Parses a pointer into a path; steps are strings, including array indexes. */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Formats a path for people: `pages[0].path`. */
export function pathText(path: JsonPath): string {
  return path.reduce<string>((text, step) => `${text}${stepText(step, text === '')}`, '')
}

function stepText(step: string | number, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  if (!/^[$A-Za-z_][\w$-]*$/.test(step)) return `[${JSON.stringify(shortened(step))}]`
  return first ? step : `.${step}`
}

/** Shortens a text to 64 characters, for messages. */
export function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}

/** A value as an object; empty if it is not one. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {}
}

/** A value as an array; empty if it is not one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : []
}
