/** A mistake in a module, which a page notices when it is given the module. */
export type ModuleFault =
  | 'half a component'
  | 'an import of nothing'
  | 'a module that is gone'
  | 'half a part'
  | 'a style that imports nothing'
  | 'an error that is thrown'
  | 'a field for cards'

/** A mistake in what the plugin is read from. */
export type PluginFault =
  | 'half a manifest'
  | 'a path without a slash'
  | 'a setting of another type'
  | 'half a preset'
  | 'a page without a module'

/** The content of a plugin that is being edited: numbers that its page shows, and its faults. */
export interface World {
  title: number
  word: number
  colour: number
  note: number
  variable: number
  headline: number
  loud: number
  mail: number
  /** The content of schema and uiSchema, which no page shows. */
  schema: number
  release: number
  defaultPreset: 'plain' | 'loud'
  /** Where the first page is: 0 for `/`. */
  path: number
  /** Where the second page is; `null` while there is none. */
  extra: number | null
  parts: readonly Part[]
  moduleFault: ModuleFault | null
  pluginFault: PluginFault | null
}

/** A component in a file of its own. */
export interface Part {
  name: string
  version: number
}

/** The content before the first edit. */
export const firstWorld: World = {
  title: 0,
  word: 0,
  colour: 0,
  note: 0,
  variable: 0,
  headline: 0,
  loud: 0,
  mail: 0,
  schema: 0,
  release: 0,
  defaultPreset: 'plain',
  path: 0,
  extra: null,
  parts: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, version: 0 })),
  moduleFault: null,
  pluginFault: null,
}

/** The content of another branch. */
export const otherWorld: World = {
  ...firstWorld,
  title: 1_001,
  word: 1_001,
  colour: 1_001,
  headline: 1_001,
  mail: 1_001,
  release: 1_001,
  parts: ['a', 'b', 'd', 'e', 'f'].map((name) => ({ name, version: 1_001 })),
}

/** The address of the first page. */
export const addressOf = ({ path }: Pick<World, 'path'>) => (path === 0 ? '/' : `/begin-${path}`)

/** The address of the second page. */
export const extraAddress = (extra: number) => `/extra-${extra}`
