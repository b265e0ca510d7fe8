import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from './contract.ts'
import type { JsonSchema } from './examples.ts'
import type { Operation } from './operation.ts'

/** The bounds that the reference states, in "Limits" and at the endpoints. All others are ours, for the reasons below. */
const ofReference = new Set([
  'promotions.create storeId minLength',
  'promotions.create name minLength',
  'products.create variants minItems',
  'funnels.previewSession previewShippingCountry minLength',
  'funnels.previewSession previewShippingCountry maxLength',
])

/** Why a bound of a kind exists. A bound of any other kind needs a reason here, or it goes. */
const reasons: Readonly<Record<string, string>> = {
  reference: 'The reference has it.',
  id: 'Ids have at most 128 characters, so that a longer one cannot exist; ids of your own are limited to 64 characters that need no escaping.',
  'not empty':
    'An empty name, code or token identifies nothing, and an empty list does nothing: it is a mistake of the caller.',
  length:
    'Texts are stored with their object and shown in lists, events and receipts: 255 characters for names and labels, 5,000 for texts.',
  size: 'An object is read and written as a whole, so its lists and maps are limited; no catalogue or flow that we know of comes near.',
  number:
    'Numbers are exact and positive: amounts are integers up to 2^53 - 1, periods and counts have a meaningful maximum.',
  form: 'A value outside of this form or list has no meaning; the message of each names the accepted ones.',
}

test('apps/docs/pages/reference/bounds.md lists every bound of the public API with its reason', async () => {
  await expect(rendered()).toMatchFileSnapshot('../../../apps/docs/pages/reference/bounds.md')
})

interface Bound {
  path: string
  keyword: string
  value: unknown
  isId: boolean
}

const kinds: Readonly<Record<string, string>> = {
  minLength: 'not empty',
  minItems: 'not empty',
  minProperties: 'not empty',
  maxLength: 'length',
  maxItems: 'size',
  maxProperties: 'size',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  pattern: 'form',
  format: 'form',
  enum: 'form',
  const: 'form',
}

function kindOf({ path, keyword, isId }: Bound, operation: string): string {
  if (ofReference.has(`${operation} ${path} ${keyword}`)) return 'reference'
  return isId ? 'id' : (kinds[keyword] ?? `unknown: ${keyword}`)
}

function* boundsOf(schema: unknown, path: string, root: JsonSchema): Generator<Bound> {
  if (!isSchema(schema)) return
  const { $ref, properties = {}, items, additionalProperties, anyOf = [], oneOf = [], ...own } = schema
  if (typeof $ref === 'string') {
    const [, , name = ''] = $ref.split('/')
    yield* boundsOf(root.$defs?.[name], path, root)
  }
  const isId = own['x-reference'] === true || own.pattern === '^[A-Za-z0-9_-]{1,64}$'
  for (const [keyword, value] of Object.entries(own)) if (keyword in kinds) yield { path, keyword, value, isId }
  for (const branch of [...anyOf, ...oneOf]) yield* boundsOf(branch, path, root)
  for (const [name, inner] of Object.entries(properties)) yield* boundsOf(inner, path ? `${path}.${name}` : name, root)
  yield* boundsOf(items, `${path}[]`, root)
  yield* boundsOf(additionalProperties, `${path}{}`, root)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rendered(): string {
  const operations = Object.entries(contract).flatMap(([group, named]) =>
    Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
  )
  const sections = operations
    .filter(({ operation }) => operation.path.startsWith('/api/public/v1/'))
    .map(({ id, operation }) => sectionOf(id, operation))
  const legend = Object.entries(reasons).map(([kind, reason]) => `- **${kind}**: ${reason}`)
  return `# Bounds of the public API

Every bound that a request of the public API is held to. The reference states five of them; the others are ours, each of one of
these kinds. A value beyond a bound is a 400 that names the field and the rule. This page is rendered by
\`packages/contract/src/bounds.test.ts\`.

${legend.join('\n')}

${sections.filter((section) => section !== '').join('\n')}`
}

function sectionOf(id: string, { method, path, params, query, body }: Operation): string {
  const bounds = [params, query, body].flatMap((part) => {
    if (part === undefined) return []
    const schema: JsonSchema = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' })
    return [...boundsOf(schema, '', schema)]
  })
  const rows = new Map<string, string[]>()
  for (const bound of bounds) {
    const kind = kindOf(bound, id)
    expect(reasons, `${id} ${bound.path}`).toHaveProperty([kind])
    const key = `| \`${bound.path}\` | ${kind} |`
    rows.set(key, [...new Set([...(rows.get(key) ?? []), textOf(bound)])])
  }
  if (rows.size === 0) return ''
  const lines = [...rows].map(([key, texts]) => `${key} ${texts.join(', ')} |`)
  return `## ${method} ${path}\n\n| field | kind | bound |\n|---|---|---|\n${lines.join('\n')}\n`
}

/** A bound in few words; patterns are told by their messages, in apps/docs/pages/reference/messages.md. */
function textOf({ keyword, value }: Bound): string {
  if (keyword === 'pattern') return 'pattern'
  return `${keyword} ${JSON.stringify(value)}`.replaceAll('|', String.raw`\|`)
}
