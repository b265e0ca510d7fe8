import type { JsonSchema } from '../examples.ts'

/**
 * An OpenAPI document, as far as ours goes: who reads it finds the fields that are always there without looking whether
 * they are. Source: OpenAPI 3.1.1, "OpenAPI Object".
 */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; license: { name: string; identifier: string }; description: string }
  servers: readonly Server[]
  /** The groups of operations, in the order in which the reference shows them. */
  tags: readonly { name: string; 'x-displayName': string; description: string }[]
  /** Operations by path and by method in small letters. */
  paths: Record<string, Record<string, DescribedOperation>>
  /** The delivery of an event, by the event's type. */
  webhooks: Record<string, { post: DescribedEvent }>
  components: Components & { securitySchemes: Record<string, object> }
}

/** An address that serves operations. */
interface Server {
  url: string
}

/** The shared parts of the document: each is added on its first use, and referenced. */
export interface Components {
  schemas: Record<string, JsonSchema>
  headers: Record<string, Header>
  examples: Record<string, { value: unknown }>
}

/** A header of a response. */
export interface Header {
  description: string
  schema: JsonSchema
}

/** The address of a shared part, such as `#/components/headers/Link`. */
export interface Reference {
  $ref: string
}

/** An operation as the document describes it. */
export interface DescribedOperation {
  operationId: string
  /** The group, alone. */
  tags: readonly string[]
  summary: string
  description: string
  /** Where the operation has an origin of its own. */
  servers?: readonly Server[]
  /** The same request in several languages. */
  'x-codeSamples': readonly CodeSample[]
  /** The one scheme that callers authenticate with. */
  security: readonly Record<string, readonly string[]>[]
  parameters: readonly Parameter[]
  requestBody?: RequestBody
  /** Responses by status. */
  responses: Record<string, Response>
}

/** A parameter of an operation's address, or a header of its request. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example: unknown
}

/** A request as a program sends it. */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** The body of a request. */
export interface RequestBody {
  required: true
  description?: string
  content: Content
}

/** Response of an operation with one status. */
export interface Response {
  description: string
  headers: Record<string, Reference>
  /** Missing where there is no body. */
  content?: Content
}

/** Bodies by media type. */
export type Content = Record<string, Body>

interface Body {
  schema: JsonSchema
  example?: unknown
  /** Examples of errors, which operations share. */
  examples?: Record<string, Reference>
  /** Of a stream of messages: the schema of a message's data. */
  'x-message-data'?: JsonSchema
}

/** An event as the delivery that is sent to an endpoint. */
export interface DescribedEvent extends Pick<DescribedOperation, 'operationId' | 'tags' | 'summary' | 'description'> {
  /** Empty: deliveries are signed, and carry no key. */
  security: readonly []
  parameters: readonly Parameter[]
  requestBody: { required: true; content: { 'application/json': { schema: EventSchema; example: EventExample } } }
  responses: Record<string, { description: string }>
}

/** The schema of all deliveries, narrowed to the type of the event and its properties. */
export interface EventSchema extends JsonSchema {
  allOf: [every: JsonSchema, own: JsonSchema & { properties: { type: JsonSchema; data: DataSchema } }]
}

type DataSchema = JsonSchema & { properties: { properties: JsonSchema } }

/** A delivery, of which readers show the event's properties. */
export type EventExample = Record<string, unknown> & { data: { properties: Record<string, unknown> } }
