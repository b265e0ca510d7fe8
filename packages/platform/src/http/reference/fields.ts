import { type JsonSchema, resolveSchema } from '@tillwright/contract'
import { escaped, inlineMarkdown } from './markup.ts'

type Schemas = Readonly<Record<string, JsonSchema>>
type Schema = JsonSchema | boolean | undefined

const PREFIX = '#/components/schemas/'

/** Writes the fields of schemas. Named objects are links to their own place on the page, which `named` collects. */
export class Fields {
  readonly #root: JsonSchema
  /** The named objects that were linked to, and those that they link to. */
  readonly named = new Set<string>()

  constructor(schemas: Schemas) {
    this.#root = { components: { schemas } }
  }

  /** The type of a body, and its fields where it has no name. */
  body(schema: JsonSchema): string {
    const inner = this.#inner(schema)
    const type = this.#type(schema)
    return type === 'object' && inner !== '' ? inner : `<p class="type">${type}</p>${inner}`
  }

  /** The fields of a named object. */
  ofNamed(name: string): string {
    const { $ref: _, ...schema } = resolveSchema({ $ref: PREFIX + name }, this.#root)
    return this.#inner(schema) || `<p class="type">${this.#type(schema)}</p>${this.#facts(schema)}`
  }

  /** One field: name, type, what it means, and its rules. */
  field(name: string, schema: Schema, required: boolean): string {
    const own = typeof schema === 'object' ? schema : {}
    const { description = '' } = own.description === undefined ? resolveSchema(own, this.#root) : own
    return `<li class="property"><p><code class="name">${escaped(name)}</code> <span class="type">${this.#type(own)}</span>${
      required ? ' <span class="required">required</span>' : ''
    }</p><p>${inlineMarkdown(description)}</p>${this.#facts(own)}${this.#inner(own)}</li>`
  }

  #list(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): string {
    const fields = Object.entries(properties).map(([name, schema]) => this.field(name, schema, required.includes(name)))
    return fields.length === 0 ? '' : `<ul class="fields">${fields.join('')}</ul>`
  }

  /** The content of a schema without a name: an object's fields, also of the items of a list. */
  #inner({ properties, required, items, additionalProperties, anyOf, oneOf, allOf }: JsonSchema): string {
    const item = Array.isArray(items) ? items[0] : items
    const parts = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]
    return [
      properties === undefined ? '' : this.#list(properties, required),
      ...[item, additionalProperties, ...parts].map((inner) => (typeof inner === 'object' ? this.#inner(inner) : '')),
    ].join('')
  }

  /** A type in words; a named one is a link. */
  #type(schema: Schema): string {
    if (typeof schema !== 'object') return 'anything'
    const { $ref, type, items, enum: values, const: only, anyOf, oneOf, allOf, additionalProperties } = schema
    if ($ref !== undefined) return this.#link($ref)
    const branches = anyOf ?? oneOf
    if (branches !== undefined) return [...new Set(branches.map((branch) => this.#type(branch)))].join(' or ')
    if (allOf !== undefined) return allOf.map((part) => this.#type(part)).join(' with ')
    if (only !== undefined) return `<code>${escaped(JSON.stringify(only))}</code>`
    const types = [type ?? 'anything'].flat().map((each) => {
      if (each === 'array') return `list of ${this.#type(Array.isArray(items) ? items[0] : items)}`
      if (each === 'object' && typeof additionalProperties === 'object' && schema.properties === undefined)
        return `map of ${this.#type(additionalProperties)}`
      return each === 'string' && values !== undefined ? 'one of' : each
    })
    return types.join(' or ').replace(' or null', ', or null')
  }

  #link(reference: string): string {
    const name = reference.slice(PREFIX.length)
    this.named.add(name)
    return `<a href="#${name}">${name}</a>`
  }

  /** The rules of a value: enumeration, bounds, default and example. A pattern is left to the OpenAPI document. */
  #facts(schema: JsonSchema): string {
    const { enum: values, default: standard, examples = [] } = schema
    const facts = [
      values === undefined ? '' : values.map(code).join(' '),
      boundsOf(schema),
      standard === undefined ? '' : `Default ${code(standard)}`,
      examples.length === 0 || values !== undefined ? '' : `Example ${code(examples[0])}`,
    ].filter((fact) => fact !== '')
    return facts.length === 0 ? '' : `<p class="facts">${facts.map((fact) => `<span>${fact}</span>`).join(' ')}</p>`
  }
}

function code(value: unknown): string {
  return `<code>${escaped(typeof value === 'string' && value !== '' ? value : JSON.stringify(value))}</code>`
}

/** Bounds that a writer of requests has to know. Those of lengths below two digits are matters of course. */
function boundsOf({ minimum, maximum, exclusiveMinimum, maxLength, minItems, maxItems, maxProperties }: JsonSchema) {
  const isWide = (bound: number | undefined) => bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER
  const bounds = [
    isWide(minimum) ? '' : `from ${minimum}`,
    typeof exclusiveMinimum === 'number' ? `above ${exclusiveMinimum}` : '',
    isWide(maximum) ? '' : `up to ${maximum}`,
    maxLength === undefined ? '' : `up to ${maxLength} characters`,
    minItems === undefined || minItems === 0 ? '' : `from ${minItems} entries`,
    maxItems === undefined && maxProperties === undefined ? '' : `up to ${maxItems ?? maxProperties} entries`,
  ]
  return bounds.filter((bound) => bound !== '').join(', ')
}
