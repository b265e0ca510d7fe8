import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '../packages/contract/src/index.ts'

/** The page that says for each field of the API what it does: `node .ci/fields.ts` writes it, `--check` compares it. */
const PAGE = join(import.meta.dirname, '../apps/docs/pages/reference/fields.md')

interface Schema {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}
interface Operation {
  summary: string
  description: string
  parameters: readonly { name: string; in: string; required: boolean; description: string; schema: Schema }[]
  requestBody?: Body
  responses: Record<string, Body>
}
interface Body {
  description?: string
  content?: Record<string, { schema: Schema }>
}

interface Described {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post?: Operation }>
}

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
export function sectionsOf(document: object): Record<'operations' | 'resources' | 'events', Section[]> {
  const { components, paths, webhooks = {} } = document as Described // as openApi() writes it
  const { schemas } = components
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
    const [, own] = post?.requestBody?.content?.['application/json']?.schema.allOf ?? []
    const properties = own?.properties?.['data']?.properties?.['properties'] ?? {}
    return { title, note: post?.description ?? '', fields: fieldsOf(properties, schemas) }
  })
  return { operations, resources, events }
}

function describe(route: string, operation: Operation, schemas: Record<string, Schema>): Section {
  const parameters = operation.parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required, description, schema }) => ({
      path: place === 'query' ? `?${name}` : `{${name}}`,
      type: typeOf(schema),
      isRequired: required,
      description,
    }))
  const request = operation.requestBody?.content?.['application/json']?.schema
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
function fieldsOf(schema: Schema, schemas: Record<string, Schema>, prefix = ''): Field[] {
  const inner = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): Field[] => {
    const path = `${prefix}${name}`
    const description = field.description ?? targetOf(field, schemas)?.description ?? ''
    return [
      { path, type: typeOf(field), isRequired: schema.required?.includes(name) ?? false, description },
      ...within(field, path, schemas),
    ]
  })
  return unique([
    ...own,
    ...inner.flatMap((part) => fieldsOf(part, schemas, prefix)),
    ...(schema.items ? fieldsOf(schema.items, schemas, prefix) : []),
  ])
}

function within(field: Schema, path: string, schemas: Record<string, Schema>): Field[] {
  const values =
    typeof field.additionalProperties === 'object' ? within(field.additionalProperties, `${path}{}`, schemas) : []
  const items = field.items === undefined ? [] : within(field.items, `${path}[]`, schemas)
  return [
    ...(field.properties || field.anyOf || field.oneOf || field.allOf ? fieldsOf(field, schemas, `${path}.`) : []),
    ...items,
    ...values,
  ]
}

/** Alternatives of a union share fields: each stands once. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.toReversed().map((field) => [field.path, field])).values()].toReversed()
}

function targetOf({ $ref }: Schema, schemas: Record<string, Schema>): Schema | undefined {
  return $ref === undefined ? undefined : schemas[nameOf($ref)]
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
  if (schema.$ref !== undefined) return link(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map(shownValue).join(', ')
  if (schema.const !== undefined) return shownValue(schema.const)
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' or ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined)
    return `names with ${typeOf(schema.additionalProperties)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format === undefined ? types : `${types} (${schema.format})`
}

/** Words of a description that say that nothing happens with a field. */
const keptOnly = /\b(?:kept|stored|saved|recorded) only\b|\bonly (?:kept|stored|saved)\b|\bkept for\b/i
/** The reason follows a colon, or is that of another field. */
const withReason = /\bkept only: \S+ \S+|\bkept only, like `\w+`/i

/** What is missing: a field without a description, and one that is only kept without a reason. */
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
