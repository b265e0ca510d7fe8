import type { z } from 'zod'
import type { JsonSchema } from '../examples.ts'
import { BODY_MAX_BYTES, BODY_MAX_VALUES } from '../limits.ts'
import { exampleId } from '../ids.ts'
import { rolesWith } from '../member-roles.ts'
import { type Audience, bodyLimitsOf, isReadById, type Operation } from '../operation.ts'
import { agreeingRequest, agreeingResponse, exampleIn } from './agreeing-examples.ts'
import type { CodeSample, Components, Content, DescribedOperation, Parameter, RequestBody } from './document.ts'
import { errorResponses, exampleEntityTag, successHeaders, unchangedResponse } from './responses.ts'
import { schemaOf } from './schema-of.ts'

/** Addresses that serve the document's operations. The card frame's operations have their own origin. */
export interface Servers {
  api: readonly string[]
  vault: readonly string[]
}

/** How callers of each audience authenticate. */
export const securityOf: Record<Audience, keyof typeof securitySchemes> = {
  key: 'apiKey',
  admin: 'apiKey',
  frame: 'publishableKey',
  page: 'publishableKey',
  session: 'sessionToken',
  console: 'signIn',
}

/** All authentication schemes. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret API key, `test_sk_...` or `live_sk_...`, for your server only.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A publishable key, `test_pk_...` or `live_pk_...`, for the buyer’s browser: in the card frame, and to create a session.',
  },
  sessionToken: { type: 'http', scheme: 'bearer', description: 'The token of a buyer’s session, for the browser.' },
  signIn: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tillwright_console',
    description:
      'The session of a signed-in member, on pages of the console alone: requests also need the header `Tillwright-Console: 1`. Members may call every operation that their role has the scope of.',
  },
} as const

/** Describes an operation of the contract as an OpenAPI operation. */
export function describeOperation(
  id: { group: string; name: string },
  operation: Operation,
  { servers, components }: { servers: Servers; components: Components },
): DescribedOperation {
  const { audience, status, existingStatus, response, body, summary } = operation
  const operationId = `${id.group}.${id.name}`
  const docsUrl = `${servers.api[0] ?? ''}/docs`
  const schema = schemaOf(response, 'output', components.schemas)
  const request = body && schemaOf(body, 'input', components.schemas)
  const sent = request && agreeingRequest(operationId, exampleIn(request, components))
  const [baseUrl = ''] = audience === 'frame' && servers.vault.length > 0 ? servers.vault : servers.api
  const example = agreeingResponse(operationId, exampleIn(schema, components))
  const success = () => ({
    headers: successHeaders(operation, components.headers),
    content: {
      ...(operation.eventStream ? messageContent(schema, example) : jsonContent(schema, example)),
      ...(operation.list && allEntries),
    },
  })
  return {
    operationId,
    tags: [id.group],
    summary,
    description: descriptionOf(operation),
    ...(audience === 'frame' && servers.vault.length > 0 && { servers: servers.vault.map((url) => ({ url })) }),
    'x-codeSamples': codeSamples({
      operationId,
      operation,
      baseUrl,
      params: exampleValues(operation.params, components),
      query: exampleValues(operation.query, components),
      body: sent,
    }),
    security: [{ [securityOf[audience]]: [] }],
    parameters: parameters(operationId, operation, components),
    ...(request && { requestBody: { required: true, content: jsonContent(request, sent) } }),
    ...(operation.bytes && { requestBody: plainBytes }),
    responses: {
      [status]: { description: status === 201 ? 'Created.' : 'Success.', ...success() },
      ...(existingStatus && { [existingStatus]: { description: 'Success; nothing was created.', ...success() } }),
      ...unchangedResponse(operation, components.headers),
      ...errorResponses(operation, docsUrl, components),
    },
  }
}

/** The schema of a body that is a file. */
const plainBytes: RequestBody = {
  required: true,
  description: 'The bytes of the file.',
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

/** A list as a table of values. Source: RFC 4180. */
const allEntries: Content = {
  'text/csv': { schema: { type: 'string', description: 'All entries, with a header.' } },
}

/** A stream of messages. JSON Schema has no word for it, so that of the data is an extension. */
function messageContent(data: JsonSchema, example: unknown): Content {
  const { id = '', eventType = 'message' } = Object(example)
  const schema: JsonSchema = { type: 'string', description: 'Server-Sent Events, each with its data on one line.' }
  const message = `id: ${id}\nevent: ${eventType}\ndata: ${JSON.stringify(example)}\n\n`
  return { 'text/event-stream': { schema, example: message, 'x-message-data': data } }
}

function jsonContent(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, example } }
}

/** The operation's own description, followed by its properties in words. */
function descriptionOf(operation: Operation): string {
  const { description, audience, operator, emits = [], idempotent } = operation
  const [first, ...others] = emits.map((type) => `\`${type}\``)
  const notes = [
    ...(description === undefined ? [] : [description]),
    [
      audience === 'admin' ? `Requires a key with the role \`org:admin\`${operator ? ' or the scope' : ''}.` : '',
      operator === true ? "Only for the account of the platform's operator." : '',
      scopeNote(operation),
      idempotent === undefined ? '' : 'Accepts an `Idempotency-Key`.',
      bodySize(operation),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    first === undefined ? '' : `Emits ${[first, ...others].join(', ')}.`,
  ]
  return notes.filter((paragraph) => paragraph !== '').join('\n\n')
}

/** Whom the scope lets in: a key by the scope or its role, a member by the role. */
function scopeNote({ audience, scope }: Operation): string {
  if (scope === undefined) return ''
  const ofMembers = `Members need \`${scope}\`, which ${rolesWith(scope)} ${rolesWith(scope).includes(' and ') ? 'have' : 'has'}.`
  return audience === 'admin'
    ? ofMembers
    : `Requires the scope \`${scope}\`, or a role that includes it; of members, ${rolesWith(scope)}.`
}

/** The maximum body size, if it differs from the one in the introduction. */
function bodySize(operation: Operation): string {
  const { bytes, values } = bodyLimitsOf(operation)
  if (operation.bytes) return `Accepts a body of up to ${inUnits(bytes)}.`
  if (!operation.body || (bytes === BODY_MAX_BYTES && values === BODY_MAX_VALUES)) return ''
  return `Accepts a body of up to ${inUnits(bytes)} and ${values.toLocaleString('en')} values.`
}

function inUnits(bytes: number): string {
  return bytes < BODY_MAX_BYTES ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`
}

function parameters(operationId: string, operation: Operation, components: Components): Parameter[] {
  const { params, query, idempotent, eventStream } = operation
  return [
    ...placed('path', params, components),
    ...placed('query', query, components),
    ...(idempotent ? [idempotencyKey(operationId)] : []),
    ...(eventStream ? [lastEventId] : []),
    ...(isReadById(operation) ? [ifNoneMatch] : []),
  ]
}

/** Example values of the fields that a request cannot leave out. */
function exampleValues(fields: z.ZodObject | undefined, components: Components): Record<string, unknown> {
  const required = Object.entries(fields?.shape ?? {}).filter(([, field]) => !field.safeParse(undefined).success)
  return Object.fromEntries(
    required.map(([name, field]) => [name, exampleIn(schemaOf(field, 'input', components.schemas), components)]),
  )
}

function placed(place: 'path' | 'query', fields: z.ZodObject | undefined, components: Components): Parameter[] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description = '', ...schema } = schemaOf(field, 'input', components.schemas)
    const required = place === 'path' || !field.safeParse(undefined).success
    return { name, in: place, required, description, schema, example: exampleIn(schema, components) }
  })
}

/**
 * The header with a key of the operation's own: importers fill it in, and one key for all operations would make the second
 * request of a collection a reuse of the first one's. Some make a value from the pattern instead, and take the lengths from
 * nowhere else.
 */
function idempotencyKey(operationId: string): Parameter {
  const example = `0198a3c4-4b1a-7c53-9a58-2d0f${fnv1a(operationId).toString(16).padStart(8, '0')}`
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: the same key with the same request returns the same response for 24 hours. After that it executes the request again, so look up whether it was executed before you repeat it.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]{1,255}$', examples: [example] },
    example,
  }
}

/** A hash of 32 bits. Source: RFC 9923, "The FNV Non-Cryptographic Hash Algorithm". */
function fnv1a(text: string): number {
  return new TextEncoder().encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5)
}

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last message that was received: the stream goes on after it, whatever `after` says.',
  schema: { type: 'string', examples: [exampleId('event')] },
  example: exampleId('event'),
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer that you have: if it is still the same, the answer is 304 and has no body.',
  schema: { type: 'string', examples: [exampleEntityTag] },
  example: exampleEntityTag,
}

/** A request as the reference shows it. */
export interface SampleRequest {
  operationId: string
  operation: Operation
  /** The base address of the origin that serves the operation. */
  baseUrl: string
  /** Example values of the path's parameters and of the query's required ones. */
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  /** The example of the body; `undefined` without one. */
  body: unknown
}

/** The same request in every language of which there are samples, in the form of the extension `x-codeSamples`. */
function codeSamples(request: SampleRequest): CodeSample[] {
  const shell = { lang: 'shell', label: 'curl', source: curlSample(request) }
  if (!['key', 'admin'].includes(request.operation.audience) || request.operation.bytes) return [shell]
  return [shell, { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) }]
}

/** The shell variable with the credential of each audience. */
const credentials: Record<Audience, string> = {
  key: 'API_KEY',
  admin: 'API_KEY',
  frame: 'PUBLISHABLE_KEY',
  page: 'PUBLISHABLE_KEY',
  session: 'SESSION_TOKEN',
  console: 'CONSOLE_SESSION',
}

function curlSample({ operation, baseUrl, params, query, body }: SampleRequest): string {
  const { method, path, audience, bytes, eventStream } = operation
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const url = `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`
  const isPlain = body === undefined && !bytes
  const lines = [
    `curl ${eventStream ? '-N ' : ''}${method === (isPlain ? 'GET' : 'POST') ? '' : `-X ${method} `}${search === '' ? url : `'${url}'`}`,
    ...(audience === 'console'
      ? ['-H "Tillwright-Console: 1"', `-b "__Host-tillwright_console=$${credentials.console}"`]
      : [`-H "Authorization: Bearer $${credentials[audience]}"`]),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted(body)}'`]),
    ...(bytes ? ['-H "Content-Type: application/octet-stream"', '--data-binary @file'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** JSON between single quotes of a shell. */
function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)
}

function typescriptSample({ operationId, operation, baseUrl, params, query, body }: SampleRequest): string {
  const input = { ...Object(body), ...query, ...params }
  const sent = Object.keys(input).length === 0 ? '' : literal(input, '')
  const call = `tillwright.${operationId}(${sent})`
  const used = operation.eventStream
    ? `for await (const message of ${call}) console.log(message)`
    : `const result = await ${call}`
  return `import { createClient } from '@tillwright/client'

const tillwright = createClient({ apiKey: process.env.API_KEY ?? '', baseUrl: '${baseUrl}' })
${used}`
}

/** A value as TypeScript writes it: JSON with single quotes, and without quotes around names. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name, '')}: ${literal(item, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
