import type { Finding } from '../read/finding.ts'
import { atValue, partOf, type JsonDocument } from '../read/json-document.ts'
import type { JsonPath } from '../read/json-pointer.ts'
import { readJson } from '../read/read-json.ts'

/** Problems of a file which are those of whoever names it. */
const ofTheName: readonly string[] = ['file-missing', 'outside-folder', 'not-a-file']

/** Reads objects that the plugin's file holds itself or names the files of. A file that is named twice is read once. */
export class SettingsFiles {
  readonly findings: Finding[] = []
  readonly #files = new Map<string, JsonDocument | null>()
  readonly #root: string
  readonly #document: JsonDocument

  constructor({ root, document }: { root: string; document: JsonDocument }) {
    this.#root = root
    this.#document = document
  }

  /** The files that were named, relative to the plugin's folder. */
  sources(): string[] {
    return [...this.#files.keys()]
  }

  /**
   * @param given An object, the path of a file, or undefined.
   * @param path Where it stands in the plugin's file.
   * @returns Null where nothing is given, and where it cannot be read, which `findings` tells.
   */
  async read(given: unknown, path: JsonPath): Promise<JsonDocument | null> {
    if (given === undefined) return null
    if (typeof given !== 'string') return partOf(this.#document, path)
    const known = this.#files.get(given)
    if (known !== undefined) return known
    const document = await this.#readFile(given, path)
    this.#files.set(given, document)
    return document
  }

  /** Reads what stands under each name; a name whose file cannot be read is left out. */
  async readAll(given: Readonly<Record<string, unknown>>, path: JsonPath): Promise<Map<string, JsonDocument>> {
    const documents = new Map<string, JsonDocument>()
    for (const [name, each] of Object.entries(given)) {
      const document = await this.read(each, [...path, name])
      if (document !== null) documents.set(name, document)
    }
    return documents
  }

  async #readFile(file: string, path: JsonPath): Promise<JsonDocument | null> {
    const { document, findings } = await readJson(this.#root, file)
    const placed = findings.map((each) => (ofTheName.includes(each.problem.code) ? this.#atName(each, path) : each))
    this.findings.push(...placed)
    if (document === null || document.root.type === 'object') return document
    this.findings.push(
      atValue(document, [], {
        code: 'wrong-type',
        rule: `${file} must hold an object.`,
        fix: 'Write "{", settings, "}".',
      }),
    )
    return null
  }

  #atName({ problem: { code, rule, fix } }: Finding, path: JsonPath): Finding {
    return atValue(this.#document, path, { code, rule, fix })
  }
}
