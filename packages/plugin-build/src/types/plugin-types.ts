import { routeParams } from '@tillwright/contract'
import type { Plugin } from '../read/read-plugin.ts'
import { moduleTypes } from './module-types.ts'
import { keyOf, typesOfSchema, union } from './type-of-schema.ts'

/** What the file is called that `pluginTypes` writes the text of, in the plugin's folder. */
export const PLUGIN_TYPES_FILE = 'plugin-env.d.ts'

/**
 * The types of a plugin: its settings, its pages with their route parameters and resources, its public variables, and
 * what its modules import besides code. They are global, so that nothing has to be imported, and a wrong key is an error
 * in the editor.
 *
 * @returns The text of a declaration file; the same for the same plugin.
 */
export function pluginTypes(plugin: Plugin): string {
  const { schema, presets } = plugin.configuration
  const config = typesOfSchema(schema ?? { type: 'object' }, 'Config')
  return `// Written by \`tillwright types\` from plugin.manifest.json and its settings: change those instead.

declare namespace Tillwright {
  /** Texts by language. */
  type Translation = { readonly [language: string]: string }
${[...config.named].map(([name, type]) => `  type ${name} = ${type}\n`).join('')}
  /** The settings of the plugin. */
  type Config = ${config.type}

  /** The plugin, for the types of whatever works with any. */
  interface Plugin {
    config: Config
    preset: ${namesOf(Object.keys(presets))}
    template: ${namesOf(Object.keys(plugin.templates))}
    pages: {
${plugin.file.pages.map(pageType).join('\n')}
    }
  }

  type PageId = keyof Plugin['pages']
  /** The parameters of a page's path. */
  type RouteParams<Page extends PageId> = Plugin['pages'][Page]['params']
  /** The resources that a page's features need. */
  type Resource<Page extends PageId> = Plugin['pages'][Page]['resource']
}

interface ImportMetaEnv {
  MODE: string
  DEV: boolean
  PROD: boolean
${plugin.environment.map((name) => `  readonly ${name}: string\n`).join('')}}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

${moduleTypes}`
}

function namesOf(names: readonly string[]): string {
  return union(names.map((name) => JSON.stringify(name)))
}

function pageType({ id, path, features }: Plugin['file']['pages'][number]): string {
  const params = routeParams(path).map((name) => `readonly ${keyOf(name)}: string`)
  const resources = features.flatMap(({ requirements }) => requirements.map(({ resource }) => resource))
  const shape = [`path: ${JSON.stringify(path)}`, `params: { ${params.join('; ')} }`, `resource: ${namesOf(resources)}`]
  return `      ${keyOf(id)}: { ${shape.join('; ')} }`
}
