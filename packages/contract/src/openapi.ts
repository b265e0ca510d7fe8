import { z } from 'zod'
import { contract, type Contract } from './contract.ts'
import { errorBody, errorKinds, type ErrorCode } from './errors.ts'
import { eventTypes } from './event-types.ts'
import type { Operation } from './operation.ts'
import { webhookPayload } from './resources/webhooks.ts'

type Json = { [key: string]: unknown }

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Json {
  openapi: '3.1.1'
  paths: Record<string, Json>
}

/** What any request may be answered with, whatever the operation. */
const always: readonly ErrorCode[] = ['internal', 'unavailable', 'rate_limit_exceeded']

/**
 * The OpenAPI 3.1 document of the whole contract.
 *
 * @param version The platform's version.
 * @param servers Base addresses, such as `http://localhost:4400`.
 */
export function openApi(version: string, servers: readonly string[]): OpenApiDocument {
  const schemas: Json = {}
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tillwright API',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'Commerce and payments: stores, products, payment flows, card instruments, payments and events.',
    },
    servers: servers.map((url) => ({ url })),
    tags: Object.entries(groups).map(([name, description]) => ({ name, 'x-displayName': spoken(name), description })),
    paths: paths(schemas),
    webhooks: webhooks(schemas),
    components: { schemas, securitySchemes },
  }
}

/** What each group of operations is about, for the reference page. */
const groups: Record<keyof Contract | 'webhooks', string> = {
  accounts: 'Whose key this is and what it may do.',
  stores: 'A store sells products and has a payment flow.',
  products: 'What is sold: a product has variants, a variant has prices.',
  promotions: 'What reduces the price of an order: when, by how much, how often, and beside what.',
  paymentFlows: 'How a payment finds its processor.',
  paymentInstruments: 'Cards that may be charged, made from the card frame’s service tokens.',
  payments: 'Beside the public API: paying an order with a payment instrument.',
  orders: 'Beside the public API: what was bought, what it costs with its promotions, and whether it is paid.',
  funnels: 'The steps that a buyer is led through, and previews of them; all but the preview is beside the public API.',
  funnelSessions: 'One buyer’s way through a funnel.',
  processors: 'Who charges cards; a payment flow picks one of them.',
  threeds: '3-D Secure: the cardholder proves to the issuer who pays.',
  events: 'What has happened, one by one and counted.',
  plugins: 'Pages of a store: deployed from a manifest and files, configured, and put on a domain.',
  vault: 'For the card frame alone, on the vault’s own origin.',
  webhooks: 'Events as they are sent to your endpoint, signed as Standard Webhooks 1.0.0.',
}

/** `paymentFlows` as `Payment flows`. */
function spoken(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A secret API key: `test_sk_...` or `live_sk_...`.' },
  publishableKey: { type: 'http', scheme: 'bearer', description: 'A publishable key, in the card frame only.' },
}

function paths(schemas: Json): Record<string, Json> {
  const all: Record<string, Json> = {}
  for (const [group, operations] of Object.entries(contract)) {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const path = (all[operation.path] ??= {})
      path[operation.method.toLowerCase()] = describe(`${group}.${name}`, operation, schemas)
    }
  }
  return all
}

function describe(operationId: string, operation: Operation, schemas: Json): Json {
  const errors = errorResponses(operation, schemas)
  return {
    operationId,
    tags: [operationId.split('.')[0]],
    summary: operation.summary,
    ...(operation.audience === 'admin' && { description: 'Requires the role `org:admin`.' }),
    security: [operation.audience === 'frame' ? { publishableKey: [] } : { apiKey: [] }],
    parameters: parameters(operation, schemas),
    ...(operation.body && {
      requestBody: { required: true, content: json(schemaOf(operation.body, 'input', schemas)) },
    }),
    responses: {
      [operation.status]: { description: 'Success.', content: json(schemaOf(operation.response, 'output', schemas)) },
      ...errors,
    },
  }
}

function errorResponses(operation: Operation, schemas: Json): Json {
  const auth: ErrorCode[] = ['api_key_missing', 'api_key_invalid', 'api_key_revoked', 'api_key_wrong_environment']
  const role: ErrorCode[] =
    operation.audience === 'admin' ? ['role_required'] : operation.scope ? ['scope_missing'] : []
  const body: ErrorCode[] = operation.body
    ? ['parameter_missing', 'parameter_invalid', 'json_invalid', 'body_too_large', 'content_type_unsupported']
    : operation.query || operation.params
      ? ['parameter_invalid']
      : []
  const key: ErrorCode[] = operation.idempotent
    ? ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use']
    : []
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const code of [...auth, ...role, ...body, ...key, ...operation.errors, ...always]) {
    const { status } = errorKinds[code]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const content = json(schemaOf(errorBody, 'output', schemas))
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, { description: [...codes].map((code) => `\`${code}\``).join(', '), content }]),
  )
}

function parameters(operation: Operation, schemas: Json): Json[] {
  const place = (where: 'path' | 'query', schema: z.ZodObject | undefined) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: where,
      required: where === 'path' || !field.safeParse(undefined).success,
      schema: schemaOf(field, 'input', schemas),
    }))
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a retry safe: the same key gets the same answer for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return [
    ...place('path', operation.params),
    ...place('query', operation.query),
    ...(operation.idempotent ? [idempotencyKey] : []),
  ]
}

function webhooks(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, properties]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['webhooks'],
          security: [], // the receiver is called with a signature, not with a key
          summary: `The event ${type}`,
          description: 'Signed as Standard Webhooks 1.0.0: webhook-id, webhook-timestamp, webhook-signature.',
          requestBody: {
            content: json({
              allOf: [
                schemaOf(webhookPayload, 'output', schemas),
                { properties: { data: { properties: { properties: schemaOf(properties, 'output', schemas) } } } },
              ],
            }),
          },
          responses: { 200: { description: 'Any 2xx acknowledges the delivery.' } },
        },
      },
    ]),
  )
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** A schema as JSON Schema; those with an id go to the components once and are referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  // What zod returns is a JSON Schema object, which is JSON.
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json }
  return componentised(rest, $defs ?? {}, schemas)
}

function componentised(schema: Json, definitions: Json, schemas: Json): Json {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string'
          ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
          : [key, rewrite(inner)],
      ),
    )
  }
  for (const [id, definition] of Object.entries(definitions)) {
    const { id: _, ...body } = rewrite(definition) as Json // rewrite keeps an object an object
    schemas[id] = body
  }
  const { id, ...body } = rewrite(schema) as Json // as above
  if (typeof id !== 'string') return body
  schemas[id] = body
  return { $ref: `#/components/schemas/${id}` }
}
