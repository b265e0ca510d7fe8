import { isObject } from '@tillwright/contract/json'
import { type Edit, findNodeAtLocation, type Node } from 'jsonc-parser'
import { lineStarts, positionAt, type Problem } from '../problem.ts'

/** A JSON file that was read, with the places of all that it holds. */
export interface JsonDocument {
  /** Relative to the plugin's folder. */
  file: string
  text: string
  /** Where `value` stands in the file: the beginning, unless it is a part of the file. */
  base: JsonPath
  root: Node
  value: unknown
  starts: readonly number[]
}

/** A problem that has no place yet. Its severity is `error` by default. */
export interface Complaint extends Pick<Problem, 'code' | 'rule' | 'fix'> {
  severity?: Problem['severity']
  repair?: readonly Edit[]
}

/** A document from a text and its tree. */
export function jsonDocument(source: { file: string; text: string }, root: Node): JsonDocument {
  return { ...source, base: [], root, value: valueOf(root), starts: lineStarts(source.text) }
}

/** A part of a document, as a document whose paths begin there. */
export function partOf(document: JsonDocument, path: JsonPath): JsonDocument {
  const root = nodeAt(document, path) ?? document.root
  return { ...document, base: [...document.base, ...path], root, value: valueOf(root) }
}

/** A problem with a value. Where there is none, the nearest that holds it is the place. */
export function atValue(document: JsonDocument, path: JsonPath, complaint: Complaint): Finding {
  let steps = path
  while (steps.length > 0 && nodeAt(document, steps) === undefined) steps = steps.slice(0, -1)
  return finding(document, { path, offset: (nodeAt(document, steps) ?? document.root).offset, complaint })
}

/** A problem with a name: its place is the name itself. */
export function atKey(document: JsonDocument, path: JsonPath, complaint: Complaint): Finding {
  const key = keyAt(document, path)
  return key === undefined
    ? atValue(document, path, complaint)
    : finding(document, { path, offset: key.offset, complaint })
}

/** The name that leads to a value, or undefined for items and for the whole. */
export function keyAt(document: JsonDocument, path: JsonPath): Node | undefined {
  const property = nodeAt(document, path)?.parent
  return property?.type === 'property' && path.length > 0 ? property.children?.[0] : undefined
}

/** The node of a value, or undefined where there is none. */
export function nodeAt(document: JsonDocument, path: JsonPath): Node | undefined {
  return findNodeAtLocation(document.root, [...path])
}

function finding(document: JsonDocument, place: { path: JsonPath; offset: number; complaint: Complaint }): Finding {
  const { repair, severity = 'error', ...said } = place.complaint
  const problem = {
    ...said,
    severity,
    file: document.file,
    ...positionAt(document.starts, place.offset),
    pointer: jsonPointer([...document.base, ...place.path]),
  }
  return { problem, ...(repair !== undefined && { repair }) }
}

/** As `getNodeValue` does, but that a key called `__proto__` is one like any other. */
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

/** Whether something is wrong that nothing can be built with. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ problem }) => problem.severity === 'error')
}

/** Names of keys and numbers of items, from the outside in. */
export type JsonPath = readonly (string | number)[]

/** RFC 6901: `/pages/0/path`; `''` for the whole. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The path that a pointer spells; steps are text, also those that number items. */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A path as people write it: `pages[0].path`. */
export function pathText(path: JsonPath): string {
  return path.reduce<string>((text, step) => `${text}${stepText(step, text === '')}`, '')
}

function stepText(step: string | number, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  if (!/^[$A-Za-z_][\w$-]*$/.test(step)) return `[${JSON.stringify(shortened(step))}]`
  return first ? step : `.${step}`
}

/** At most 64 characters, for messages. */
export function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}

/** A value as an object of any keys; what is none has no keys. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {}
}

/** A value as a list; what is none is empty. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : []
}
