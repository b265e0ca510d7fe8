import { PLUGIN_FILE } from '@tillwright/contract'
import { applyEdits, type Edit, findNodeAtLocation, modify, parseTree } from 'jsonc-parser'
import { type JsonDocument, type JsonPath, jsonPointer } from '../json/index.ts'
import { indentationOf } from '../manifest/index.ts'

/** A change made by an import. */
export interface Change {
  /** Relative to the plugin's folder. */
  file: string
  /** The JSON pointer of the changed value. */
  pointer: string
  /** The old and the new value, in one sentence. */
  change: string
}

/** The plugin's manifest being rewritten: its text with comments and order, and the changes so far. */
export class Rewriting {
  /** The original value of the file. */
  readonly value: unknown
  readonly report: Change[] = []
  text: string

  constructor({ text, value }: JsonDocument) {
    this.text = text
    this.value = value
  }

  /** Replaces the value at a path, or adds it. */
  set(path: JsonPath, value: unknown, change: string): void {
    this.text = applyEdits(this.text, this.#edits(path, value))
    this.record(PLUGIN_FILE, path, change)
  }

  /** Reports a change of another file. */
  record(file: string, path: JsonPath, change: string): void {
    this.report.push({ file, pointer: jsonPointer(path), change })
  }

  /** A replacement stays on the line of the replaced value. */
  #edits(path: JsonPath, value: unknown): Edit[] {
    const root = parseTree(this.text)
    const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
    if (node !== undefined) return [{ offset: node.offset, length: node.length, content: onOneLine(value) }]
    return modify(this.text, [...path], value, { formattingOptions: indentationOf(this.text) })
  }
}

/** Formats JSON on one line with spaces; line breaks inside strings are already escaped. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
}
