import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Components,
  type DescribedOperation,
  type JsonSchema,
  openApi,
  type OpenApiDocument,
} from '../packages/contract/src/index.ts'

/** The page that says for each field of the API what it does: `node .ci/fields.ts` writes it, `--check` compares it. */
const PAGE = join(import.meta.dirname, '../apps/docs/pages/reference/fields.md')

/** The parts of an OpenAPI document that have fields. */
type Described = Pick<OpenApiDocument, 'paths' | 'webhooks'> & { components: Pick<Components, 'schemas'> }
type Schemas = Components['schemas']
type Schema = JsonSchema | boolean | undefined

/** A field with its place below its request or resource, such as `lines[].quantity`. */
export interface Field {
  path: string
  type: string
  isRequired: boolean
  description: string
}

/** A section of the page: a resource, or the request of an operation. */
export interface Section {
  title: string
  note: string
  fields: Field[]
}

/** Every resource and every operation of an OpenAPI document, with all their fields. */
export function sectionsOf({
  components: { schemas },
  paths,
  webhooks,
}: Described): Record<'operations' | 'resources' | 'events', Section[]> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(`${method.toUpperCase()} ${path}`, operation, schemas),
    ),
  )
  const resources = Object.entries(schemas).map(([id, schema]) => ({
    title: id,
    note: schema.description ?? '',
    fields: fieldsOf(schema, schemas),
  }))
  const events = Object.entries(webhooks).map(([title, { post }]) => {
    const [, { properties }] = post.requestBody.content['application/json'].schema.allOf
    return { title, note: post.description, fields: fieldsOf(properties.data.properties.properties, schemas) }
  })
  return { operations, resources, events }
}

function describe(route: string, operation: DescribedOperation, schemas: Schemas): Section {
  const parameters = operation.parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required, description, schema }) => ({
      path: place === 'query' ? `?${name}` : `{${name}}`,
      type: typeOf(schema),
      isRequired: required,
      description,
    }))
  const request = operation.requestBody?.content['application/json']?.schema
  const [, answer] = Object.entries(operation.responses).find(([status]) => Number(status) < 300) ?? []
  const response = answer?.content?.['application/json']?.schema
  const answers =
    response === undefined ? '' : ` Answers ${response.$ref === undefined ? typeOf(response) : link(response.$ref)}.`
  return {
    title: operation.summary,
    note: `\`${route}\`.${answers}`,
    fields: [
      ...parameters,
      ...(request ? fieldsOf(request, schemas) : []),
      ...(response && response.$ref === undefined ? fieldsOf(response, schemas, 'answer: ') : []),
    ],
  }
}

/** The fields of a schema and of what is inside them. A resource of its own is a link to its section. */
function fieldsOf(schema: Schema, schemas: Schemas, prefix = ''): Field[] {
  const { properties = {}, required = [], items, allOf, anyOf, oneOf } = keywordsOf(schema)
  const own = Object.entries(properties).flatMap(([name, field]): Field[] => {
    const path = `${prefix}${name}`
    const { description = targetOf(field, schemas).description ?? '' } = keywordsOf(field)
    return [
      { path, type: typeOf(field), isRequired: required.includes(name), description },
      ...within(field, path, schemas),
    ]
  })
  return unique([
    ...own,
    ...(allOf ?? anyOf ?? oneOf ?? []).flatMap((part) => fieldsOf(part, schemas, prefix)),
    ...(items === undefined ? [] : fieldsOf(itemOf(items), schemas, prefix)),
  ])
}

function within(field: Schema, path: string, schemas: Schemas): Field[] {
  const { additionalProperties, items, properties, anyOf, oneOf, allOf } = keywordsOf(field)
  return [
    ...(properties || anyOf || oneOf || allOf ? fieldsOf(field, schemas, `${path}.`) : []),
    ...(items === undefined ? [] : within(itemOf(items), `${path}[]`, schemas)),
    ...(typeof additionalProperties === 'object' ? within(additionalProperties, `${path}{}`, schemas) : []),
  ]
}

/** `true`, `false` and nothing say nothing of fields. */
function keywordsOf(schema: Schema): JsonSchema {
  return typeof schema === 'object' ? schema : {}
}

/** The schema of all items: lists in which each place has its own are not in the contract. */
function itemOf(items: JsonSchema['items']): Schema {
  return Array.isArray(items) ? items[0] : items
}

/** Alternatives of a union share fields: each stands once. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.toReversed().map((field) => [field.path, field])).values()].toReversed()
}

function targetOf(schema: Schema, schemas: Schemas): JsonSchema {
  const { $ref } = keywordsOf(schema)
  return ($ref === undefined ? undefined : schemas[nameOf($ref)]) ?? {}
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function link(reference: string): string {
  const name = nameOf(reference)
  return `[${name}](#${name.toLowerCase()})`
}

function shownValue(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function typeOf(schema: Schema): string {
  const { $ref, enum: values, const: only, anyOf, oneOf, items, ...rest } = keywordsOf(schema)
  if ($ref !== undefined) return link($ref)
  if (values !== undefined) return values.map(shownValue).join(', ')
  if (only !== undefined) return shownValue(only)
  const parts = anyOf ?? oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' or ')
  if (items !== undefined) return `list of ${typeOf(itemOf(items))}`
  const { additionalProperties, properties, type = 'any', format } = rest
  if (typeof additionalProperties === 'object' && properties === undefined)
    return `names with ${typeOf(additionalProperties)}`
  const types = [type].flat().join(' or ')
  return format === undefined ? types : `${types} (${format})`
}

/** Words of a description that say that nothing happens with a field. */
const keptOnly = /\b(?:kept|stored|saved|recorded) only\b|\bonly (?:kept|stored|saved)\b|\bkept for\b/i
/** The reason follows a colon, or is that of another field. */
const withReason = /\bkept only: \S+ \S+|\bkept only, like `\w+`/i

/** Lists fields without a description, and those that are only kept, without a reason. */
export function faultsOf(sections: readonly Section[]): string[] {
  return sections.flatMap(({ title, fields }) =>
    fields.flatMap(({ path, description }) => {
      if (description === '') return [`${title}: ${path} has no description: say what the field does.`]
      if (keptOnly.test(description) && !withReason.test(description))
        return [`${title}: ${path} is only kept: say why, as "Kept only: <reason>."`]
      return []
    }),
  )
}

function render({ operations, resources, events }: ReturnType<typeof sectionsOf>): string {
  const kept = [...operations, ...resources, ...events].flatMap(({ title, fields }) =>
    fields.filter(({ description }) => keptOnly.test(description)).map((field) => ({ title, ...field })),
  )
  return `# Every field of the API

What each field of the API does, generated from the contract by \`pnpm run fields\`; \`pnpm check\` fails when this page is not
current, when a field has no description, and when one is only kept and does not say why. The same descriptions, with
examples, are at \`/docs\` of every platform.

In requests, **bold** fields are required. \`{name}\` is in the path, \`?name\` in the query. A field that is only kept can
be read back, unless it is a secret; nothing else happens with it.

## Fields that are only kept

${
  kept.length === 0
    ? 'None.'
    : table(
        kept.map((field) => [`${field.title}: \`${field.path}\``, field.description]),
        ['field', 'why'],
      )
}

## Operations

${operations.map((section) => sectionText(section, { requests: true })).join('\n\n')}

## Resources

${resources.map((section) => sectionText(section, { requests: false })).join('\n\n')}

## Properties of events

${events.map((section) => sectionText(section, { requests: false })).join('\n\n')}
`
}

function sectionText({ title, note, fields }: Section, { requests }: { requests: boolean }): string {
  const rows = fields.map(({ path, type, isRequired, description }) => [
    requests && isRequired && !path.startsWith('answer: ') ? `**\`${path}\`**` : `\`${path}\``,
    type,
    description,
  ])
  return [`### ${title}`, note, rows.length === 0 ? '' : table(rows, ['field', 'type', 'what it does'])]
    .filter((part) => part !== '')
    .join('\n\n')
}

function table(rows: readonly (readonly string[])[], head: readonly string[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

if (import.meta.main) {
  const sections = sectionsOf(openApi('0.0.0', ['http://localhost:4400'], ['http://localhost:4401']))
  const faults = faultsOf(Object.values(sections).flat())
  const text = render(sections)
  if (!process.argv.includes('--check')) writeFileSync(PAGE, text)
  else if (readFileSync(PAGE, 'utf8') !== text)
    faults.push('apps/docs/pages/reference/fields.md is not current: run `pnpm run fields`.')
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
