import { applyEdits, findNodeAtLocation, modify, parseTree, type Edit } from 'jsonc-parser'
import { PLUGIN_FILE } from '@tillwright/contract'
import { indentationOf } from '../read/indentation-of.ts'
import type { JsonDocument } from '../read/json-document.ts'
import { jsonPointer, type JsonPath } from '../read/json-pointer.ts'

/** One thing that an import has changed. */
export interface Change {
  /** Relative to the plugin's folder. */
  file: string
  /** The JSON pointer of what has changed. */
  pointer: string
  /** What it was and what it is now, in one sentence. */
  change: string
}

/** The plugin's file while it is rewritten: its text with comments and order, and what has changed so far. */
export class Rewriting {
  /** The value that the file had before. */
  readonly value: unknown
  readonly report: Change[] = []
  text: string

  constructor({ text, value }: JsonDocument) {
    this.text = text
    this.value = value
  }

  /** Puts a value in place of what stands at a path, or adds it. */
  set(path: JsonPath, value: unknown, change: string): void {
    this.text = applyEdits(this.text, this.#edits(path, value))
    this.tell(PLUGIN_FILE, path, change)
  }

  /** Tells a change of another file. */
  tell(file: string, path: JsonPath, change: string): void {
    this.report.push({ file, pointer: jsonPointer(path), change })
  }

  /** What takes the place of something stays on its line. */
  #edits(path: JsonPath, value: unknown): Edit[] {
    const root = parseTree(this.text)
    const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
    if (node !== undefined) return [{ offset: node.offset, length: node.length, content: onOneLine(value) }]
    return modify(this.text, [...path], value, { formattingOptions: indentationOf(this.text) })
  }
}

/** JSON with blanks as people write them; line breaks within texts are escapes already. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
}
