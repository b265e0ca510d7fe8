import { routeParams } from '@tillwright/contract'
import { assetEndings } from './asset-endings.ts'
import { listOf, objectOf, pathOfPointer } from './json/index.ts'
import type { Plugin } from './manifest/index.ts'

/** The name of the declaration file in the plugin's folder. */
export const PLUGIN_TYPES_FILE = 'plugin-env.d.ts'

/**
 * The types of a plugin: its settings, its pages with their route parameters and resources, its public variables, and
 * the assets that its modules import. They are global, so that nothing has to be imported, and editors report wrong
 * keys.
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

/** The types of a JSON Schema: the type itself, and referenced ones by name. */
export interface SchemaTypes {
  type: string
  /** Types by name; they may refer to each other and themselves. */
  named: ReadonlyMap<string, string>
}

/**
 * The TypeScript type of valid values of a JSON Schema of draft-07. A key is mandatory if it is required and has no
 * default; keys from `if`, `then` and `else` are optional. Constraints that types cannot express, such as bounds, are
 * ignored.
 *
 * @param schema A validated schema: its references point to schemas and are not circular.
 * @param prefix Prefix for the names of referenced types.
 */
export function typesOfSchema(schema: Schema, prefix: string): SchemaTypes {
  const writer = new TypeWriter(schema, prefix)
  return { type: writer.typeOf(schema), named: writer.named }
}

type Schema = Record<string, unknown>

class TypeWriter {
  readonly named = new Map<string, string>()
  readonly #names = new Map<string, string>()
  readonly #root: Schema
  readonly #prefix: string

  constructor(root: Schema, prefix: string) {
    this.#root = root
    this.#prefix = prefix
  }

  typeOf(value: unknown): string {
    if (value === false) return 'never'
    const schema = objectOf(value)
    const parts = [
      this.#own(schema),
      ...(typeof schema['$ref'] === 'string' ? [this.#reference(schema['$ref'])] : []),
      ...listOf(schema['allOf']).map((each) => this.typeOf(each)),
      ...['anyOf', 'oneOf'].map((word) => this.#anyOf(listOf(schema[word]))),
      this.#conditional(schema),
    ]
    const type = intersection(parts.filter((part) => part !== 'unknown'))
    return schema['nullable'] === true && type !== 'unknown' ? `${type} | null` : type
  }

  #anyOf(branches: readonly unknown[]): string {
    const types = branches.map((each) => this.typeOf(each))
    return types.length === 0 || types.includes('unknown') ? 'unknown' : union(types)
  }

  /** The fields of a condition are optional, whether or not it holds. */
  #conditional({ then, else: elseSchema }: Schema): string {
    const types = [then, elseSchema]
      .map((branch) => objectOf(branch)['properties'])
      .filter((properties) => properties !== undefined)
      .map((properties) => this.#object({ properties }))
    return types.length === 0 ? 'unknown' : types.join(' & ')
  }

  /** A type gets its name before it is written, so that recursive types come to an end. */
  #reference(target: string): string {
    const known = this.#names.get(target)
    if (known !== undefined) return known
    const name = this.#nameOf(target)
    this.#names.set(target, name)
    this.named.set(name, 'unknown')
    this.named.set(name, this.typeOf(target === '#' ? this.#root : valueAt(this.#root, target)))
    return name
  }

  #nameOf(target: string): string {
    const last = pathOfPointer(target).at(-1) ?? 'Root'
    const words = last.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    const base = `${this.#prefix}${words.join('')}`
    let name = base
    for (let number = 2; name === this.#prefix || this.named.has(name); number += 1) name = `${base}${number}`
    return name
  }

  #own(schema: Schema): string {
    if ('const' in schema) return literal(schema['const'])
    if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal))
    if (schema['format'] === 'translation') return 'Translation'
    const types = [schema['type'] ?? impliedType(schema)].flat().filter((type) => typeof type === 'string')
    return types.length === 0 ? 'unknown' : union(types.map((type) => this.#ofType(type, schema)))
  }

  #ofType(type: string, schema: Schema): string {
    if (type === 'array') return `readonly ${inParentheses(this.#items(schema['items']))}[]`
    if (type === 'object') return this.#object(schema)
    return type === 'integer' ? 'number' : type
  }

  #items(items: unknown): string {
    return Array.isArray(items) ? union(items.map((each) => this.typeOf(each))) : this.typeOf(items)
  }

  #object({ properties, required, additionalProperties, patternProperties }: Schema): string {
    const others = [additionalProperties, ...Object.values(objectOf(patternProperties))].filter(
      (each) => typeof each === 'object',
    )
    const fields = Object.entries(objectOf(properties)).map(([key, schema]) => {
      const sure = listOf(required).includes(key) && !('default' in objectOf(schema))
      return `${docOf(schema)}readonly ${keyOf(key)}${sure ? '' : '?'}: ${this.typeOf(schema)}`
    })
    const closed = `{ ${fields.join('; ')} }`
    const open = `{ readonly [key: string]: ${others.length === 0 ? 'unknown' : union(others.map((each) => this.typeOf(each)))} }`
    if (fields.length === 0) return additionalProperties === false ? '{}' : open
    return others.length === 0 ? closed : `${closed} & ${open}`
  }
}

function impliedType(schema: Schema): string | undefined {
  if ('properties' in schema || 'additionalProperties' in schema) return 'object'
  return 'items' in schema ? 'array' : undefined
}

function valueAt(root: Schema, target: string): unknown {
  return pathOfPointer(decodeURIComponent(target)).reduce<unknown>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : objectOf(inner)[step]),
    root,
  )
}

/** Objects and lists are rare in `const` and `enum`, so only their kind is typed. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return 'readonly unknown[]'
  return typeof value === 'object' && value !== null ? '{ readonly [key: string]: unknown }' : JSON.stringify(value)
}

/** A union of types; `never` if empty. */
function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

/** An intersection of types; `unknown` if empty. */
function intersection(types: readonly string[]): string {
  const [first = 'unknown', ...others] = new Set(types)
  return others.length === 0 ? first : [first, ...others].map(inParentheses).join(' & ')
}

function inParentheses(type: string): string {
  return /[|&]|^readonly /.test(type) ? `(${type})` : type
}

/** A key of an object type in TypeScript syntax. */
function keyOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
}

function docOf(schema: unknown): string {
  const { description } = objectOf(schema)
  if (typeof description !== 'string' || description === '') return ''
  return `/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */ `
}

/** The types of imports that are not code: styles, the class names of CSS modules, and the addresses of assets. */
const moduleTypes: string = [
  declare('*.module.css', 'names: { readonly [name: string]: string }'),
  "declare module '*.css' {}\n",
  ...assetEndings.map((ending) => declare(`*.${ending}`, 'address: string')),
].join('')

function declare(pattern: string, value: string): string {
  return `declare module '${pattern}' {\n  const ${value}\n  export default ${value.slice(0, value.indexOf(':'))}\n}\n`
}
