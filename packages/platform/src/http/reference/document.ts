import { type JsonSchema, openApi } from '@tillwright/contract'

/** What the reference reads of the OpenAPI document. */
export interface ReferenceDocument {
  info: { version: string; description: string }
  tags: readonly { name: string; 'x-displayName': string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  webhooks: Readonly<Record<string, { post: DescribedEvent }>>
  components: { schemas: Readonly<Record<string, JsonSchema>> }
}

/** An operation as the document describes it. */
export interface DescribedOperation {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  security: readonly Readonly<Record<string, unknown>>[]
  parameters: readonly Parameter[]
  requestBody?: { description?: string; content: Content }
  responses: Readonly<Record<string, { description: string; content?: Content }>>
  'x-codeSamples': readonly { label: string; source: string }[]
}

/** A parameter of an operation's address or a header. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

/** Bodies by media type. */
type Content = Readonly<Record<string, { schema: JsonSchema; example?: unknown; 'x-message-data'?: JsonSchema }>>

interface DescribedEvent {
  description: string
  requestBody: {
    content: {
      'application/json': {
        schema: { allOf: [JsonSchema, { properties: { data: { properties: { properties: JsonSchema } } } }] }
        example: { data: { properties: unknown } }
      }
    }
  }
}

/** An operation with its place. */
export interface PlacedOperation {
  method: string
  path: string
  operation: DescribedOperation
}

/** A part of the reference with a page of its own. */
export interface Chapter {
  name: string
  title: string
  description: string
  operations: readonly PlacedOperation[]
}

/** The document of the whole contract. */
export function readDocument(version: string, apiUrl: string, vaultUrl: string): ReferenceDocument {
  return openApi(version, [apiUrl], [vaultUrl]) as unknown as ReferenceDocument // as openApi() writes it
}

/** The chapters in their order; that of the events has no operations. */
export function chaptersOf({ tags, paths }: ReferenceDocument): Chapter[] {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags.map(({ name, 'x-displayName': title, description }) => ({
    name,
    title,
    description,
    operations: placed.filter(({ operation }) => operation.tags[0] === name),
  }))
}

/** The anchor of an operation on its chapter's page. */
export function anchorOf({ method, path }: Pick<PlacedOperation, 'method' | 'path'>): string {
  return `${method}${path}`
}
