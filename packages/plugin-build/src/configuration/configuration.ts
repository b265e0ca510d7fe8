import type { PluginFile } from '@tillwright/contract'
import {
  atValue,
  type Finding,
  type JsonDocument,
  type JsonPath,
  nearMiss,
  objectOf,
  partOf,
  readJson,
  replaceValue,
} from '../json/index.ts'
import { checkPreset, checkTemplate, compileSchema } from './schema.ts'
import { checkUiSchema } from './ui-schema.ts'

/** The body of the API's `sync-config`, and the name of the default preset. */
export interface Configuration {
  schema: Record<string, unknown> | null
  uiSchema: Record<string, unknown> | null
  presets: Record<string, Record<string, unknown>>
  /** A key of `presets`; null if there are none. */
  defaultPreset: string | null
}

/** All settings of a plugin, the files they were read from, and their problems. */
export interface ReadConfiguration {
  configuration: Configuration
  templates: Record<string, Record<string, unknown>>
  sources: string[]
  findings: Finding[]
}

/** The source of settings: the plugin's folder and its manifest, as written and as parsed. */
export interface ConfigurationSource {
  root: string
  document: JsonDocument
  file: PluginFile
}

/** Reads schema, uiSchema, presets and templates, inline or from files, and checks them all. */
export async function readConfiguration(source: ConfigurationSource): Promise<ReadConfiguration> {
  const { schema, uiSchema, presets = {}, defaultPreset } = source.file.configuration ?? {}
  const files = new SettingsFiles(source)
  const documents = {
    schema: await files.read(schema, ['configuration', 'schema']),
    uiSchema: await files.read(uiSchema, ['configuration', 'uiSchema']),
    presets: await files.readAll(presets, ['configuration', 'presets']),
    templates: await files.readAll(source.file.templates ?? {}, ['templates']),
  }
  const isSchemaLost = schema !== undefined && documents.schema === null
  const checked = isSchemaLost ? { ...documents, uiSchema: null } : documents // its fields are not known
  const findings = [...files.findings, ...checkAll(checked), ...noSuchPreset(source, Object.keys(presets))]
  return {
    configuration: {
      schema: documents.schema === null ? null : objectOf(documents.schema.value),
      uiSchema: documents.uiSchema === null ? null : objectOf(documents.uiSchema.value),
      presets: settingsIn(documents.presets),
      defaultPreset: defaultPreset ?? Object.keys(presets)[0] ?? null,
    },
    templates: settingsIn(documents.templates),
    sources: files.sources(),
    findings,
  }
}

interface Documents {
  schema: JsonDocument | null
  uiSchema: JsonDocument | null
  presets: ReadonlyMap<string, JsonDocument>
  templates: ReadonlyMap<string, JsonDocument>
}

/** A template is a part of the settings, so nothing is required; a preset needs every setting without a default. */
function checkAll({ schema, uiSchema, presets, templates }: Documents): Finding[] {
  const compiled = schema === null ? null : compileSchema(schema)
  return [
    ...(compiled?.findings ?? []),
    ...(uiSchema === null ? [] : checkUiSchema(uiSchema, objectOf(schema?.value))),
    ...[...presets.values()].flatMap((preset) =>
      compiled?.check === undefined ? [] : checkPreset(compiled.check, preset),
    ),
    ...[...templates.values()].flatMap((each) =>
      compiled?.check === undefined ? [] : checkTemplate(compiled.check, each),
    ),
  ]
}

function noSuchPreset({ document, file }: ConfigurationSource, names: readonly string[]): Finding[] {
  const { defaultPreset } = file.configuration ?? {}
  if (defaultPreset === undefined || names.includes(defaultPreset)) return []
  const meant = nearMiss(defaultPreset, names)
  const path = ['configuration', 'defaultPreset']
  const known = names.map((name) => JSON.stringify(name)).join(', ')
  return [
    atValue(document, path, {
      code: 'default-preset-unknown',
      rule: 'configuration.defaultPreset must be the name of a preset.',
      fix:
        meant === null
          ? `Use one of ${known === '' ? 'them, once there are some' : known}.`
          : `Did you mean "${meant}"?`,
      ...(meant !== null && { repair: replaceValue(document, path, meant) }),
    }),
  ]
}

function settingsIn(documents: ReadonlyMap<string, JsonDocument>): Record<string, Record<string, unknown>> {
  return Object.fromEntries([...documents].map(([name, { value }]) => [name, objectOf(value)]))
}

/** Problems at the reference to a file rather than in the file. */
const ofTheName: readonly string[] = ['file-missing', 'outside-folder', 'not-a-file']

/** Reads objects that are inline in the manifest or in files. Each file is read once. */
class SettingsFiles {
  readonly findings: Finding[] = []
  readonly #files = new Map<string, JsonDocument | null>()
  readonly #root: string
  readonly #document: JsonDocument

  constructor({ root, document }: { root: string; document: JsonDocument }) {
    this.#root = root
    this.#document = document
  }

  /** The referenced files, relative to the plugin's folder. */
  sources(): string[] {
    return [...this.#files.keys()]
  }

  /**
   * @param given An object, the path of a file, or undefined.
   * @param path Its position in the manifest.
   * @returns Null if nothing is given, or if it cannot be read; `findings` says why.
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

  /** Reads the value of each name; a name whose file cannot be read is left out. */
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
        rule: `${file} must contain an object.`,
        fix: 'Write the settings in braces: { ... }.',
      }),
    )
    return null
  }

  #atName({ problem: { code, rule, fix } }: Finding, path: JsonPath): Finding {
    return atValue(this.#document, path, { code, rule, fix })
  }
}
