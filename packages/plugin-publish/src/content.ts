/** One file of a plugin as it is, or is to be, deployed. */
export interface ContentFile {
  path: string
  /** In lower-case hexadecimal. */
  sha256: string
  /** Bytes. */
  size: number
  contentType: string
}

/** The settings that a plugin brings along. */
export interface AuthorSettings {
  /** The JSON Schema of the settings, if they have one. */
  schema: object | null
  uiSchema: object | null
  presets: Readonly<Record<string, object>>
  templates: Readonly<Record<string, object>>
}

/** What is to be published: all that a platform will hold of the plugin, without the bytes. */
export interface Content {
  pluginId: string
  version: string
  manifest: Readonly<Record<string, unknown>>
  files: readonly ContentFile[]
  settings: AuthorSettings
}
