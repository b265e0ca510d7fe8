import type { JsonDocument } from './json-document.ts'
import type { Finding } from './finding.ts'
import { parseJson } from './parse-json.ts'
import { readText } from './read-text.ts'

/** What became of a JSON file: a document, or null, and all that was found. */
export interface ReadJson {
  document: JsonDocument | null
  findings: Finding[]
}

/**
 * Reads a JSON file of a plugin, with comments. A byte order mark is a warning.
 *
 * @param root The real path of the plugin's folder.
 * @param file Relative to it, with `/` between its names.
 */
export async function readJson(root: string, file: string): Promise<ReadJson> {
  const read = await readText(root, file)
  if (read.problem !== undefined) return { document: null, findings: [{ problem: read.problem }] }
  const { document, findings } = parseJson({ file, text: read.text })
  return { document, findings: [...(read.bom ? [byteOrderMark(file)] : []), ...findings] }
}

/** Writing the text again mends it: the text is without the mark. */
function byteOrderMark(file: string): Finding {
  return {
    problem: {
      code: 'byte-order-mark',
      severity: 'warning',
      file,
      line: 1,
      column: 1,
      pointer: '',
      rule: 'The file must not begin with a byte order mark, because many tools stumble over it.',
      fix: 'Save the file as UTF-8 without a byte order mark.',
    },
    repair: [],
  }
}
