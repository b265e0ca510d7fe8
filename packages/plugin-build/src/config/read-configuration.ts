import type { PluginFile } from '@tillwright/contract'
import type { Finding } from '../read/finding.ts'
import { atValue, type JsonDocument } from '../read/json-document.ts'
import { nearMiss } from '../read/near-miss.ts'
import { objectOf } from '../read/plain.ts'
import { checkPreset, checkTemplate } from './check-settings.ts'
import { checkUiSchema } from './check-ui-schema.ts'
import { compileSchema } from './compile-schema.ts'
import { SettingsFiles } from './settings-files.ts'

/** What the API's `sync-config` takes of a plugin, and the preset that it begins with. */
export interface Configuration {
  schema: Record<string, unknown> | null
  uiSchema: Record<string, unknown> | null
  presets: Record<string, Record<string, unknown>>
  /** A name of `presets`; null when there are none. */
  defaultPreset: string | null
}

/** All settings of a plugin, the files that they were read from, and what is wrong with them. */
export interface ReadConfiguration {
  configuration: Configuration
  templates: Record<string, Record<string, unknown>>
  sources: string[]
  findings: Finding[]
}

/** Where settings come from: the plugin's folder, its file as it is written, and as it was read. */
export interface ConfigurationSource {
  root: string
  document: JsonDocument
  file: PluginFile
}

/** Reads schema, uiSchema, presets and templates, in the file or in files of their own, and checks them all. */
export async function readConfiguration(source: ConfigurationSource): Promise<ReadConfiguration> {
  const { schema, uiSchema, presets = {}, defaultPreset } = source.file.configuration ?? {}
  const files = new SettingsFiles(source)
  const documents = {
    schema: await files.read(schema, ['configuration', 'schema']),
    uiSchema: await files.read(uiSchema, ['configuration', 'uiSchema']),
    presets: await files.readAll(presets, ['configuration', 'presets']),
    templates: await files.readAll(source.file.templates ?? {}, ['templates']),
  }
  const findings = [...files.findings, ...checkAll(documents), ...noSuchPreset(source, Object.keys(presets))]
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

/** A template says a part of the settings, so that nothing has to be there; a preset says all that has no default. */
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
      rule: 'configuration.defaultPreset must be the name of one of the presets.',
      fix:
        meant === null
          ? `Write one of ${known === '' ? 'them, once there are some' : known}.`
          : `Did you mean "${meant}"?`,
    }),
  ]
}

function settingsIn(documents: ReadonlyMap<string, JsonDocument>): Record<string, Record<string, unknown>> {
  return Object.fromEntries([...documents].map(([name, { value }]) => [name, objectOf(value)]))
}
