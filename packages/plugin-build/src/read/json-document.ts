import { findNodeAtLocation, type Edit, type Node } from 'jsonc-parser'
import type { Problem } from '../problem.ts'
import type { Finding } from './finding.ts'
import { jsonPointer, type JsonPath } from './json-pointer.ts'
import { lineStarts, positionAt } from './position.ts'

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

/** What a problem says, before it has a place. Errors unless it says otherwise. */
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
