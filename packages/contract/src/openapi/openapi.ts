import { byteOperations } from '../byte-operations.ts'
import { contract, type Contract } from '../contract.ts'
import { exampleProperties } from '../examples.ts'
import { exampleId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { type EventType, eventTypes } from '../resources/event-types.ts'
import { event, webhookPayload } from '../resources/events.ts'
import { exampleIn } from './agreeing-examples.ts'
import { describeOperation, securityOf, securitySchemes, type Servers } from './describe-operation.ts'
import { introduction } from './introduction.ts'
import type { Components, DescribedEvent, EventExample, EventSchema, OpenApiDocument, Parameter } from './document.ts'
import { schemaOf } from './schema-of.ts'

/**
 * The OpenAPI 3.1 document of the whole contract.
 *
 * @param version The platform's version.
 * @param servers Base addresses of the API, such as `http://localhost:4400`.
 * @param vaultServers Base addresses of the vault's origin, which serves the card frame's operations.
 */
export function openApi(
  version: string,
  servers: readonly string[],
  vaultServers: readonly string[] = [],
): OpenApiDocument {
  const components: Components = { schemas: {}, headers: {}, examples: {} }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tillwright API',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(servers[0] ?? ''),
    },
    servers: servers.map((url) => ({ url })),
    tags: Object.entries(groups).map(([name, description]) => ({
      name,
      'x-displayName': displayName(name),
      description,
    })),
    paths: paths({ api: servers, vault: vaultServers }, components),
    webhooks: describeWebhooks(components),
    components: { ...components, securitySchemes: usedSecuritySchemes() },
  }
}

/** Descriptions of the groups of operations, for the reference page. */
const groups: Record<keyof Contract | 'webhooks', string> = {
  accounts: 'The account of the API key, its plan and limits, and what the key may do.',
  apiKeys: 'Not in the reference: the API keys of an account, without the keys themselves.',
  stores: 'A store has products and a payment flow.',
  products: 'Goods that a store sells: a product has variants, a variant has prices.',
  variants: 'Not in the reference: adding, changing and archiving variants of a product.',
  prices: 'Not in the reference: adding, changing and archiving prices of a variant.',
  shippingOptions: 'Not in the reference: the shipping options of a store and their prices.',
  hooks:
    'Questions about orders that your own server answers while the buyer waits: tax, shipping rates, stock and risk. Requests are signed like webhooks. Not in the reference.',
  promotions: 'Discounts, gifts and free trials: their conditions, effects, usage limits and combinations.',
  customers: 'Not in the reference: the buyers of a store.',
  erasures: 'Receipts of customers who were erased.',
  paymentFlows: 'Rules for picking the processor of a payment.',
  paymentInstruments: 'Cards that can be charged, created from the card frame’s service tokens.',
  payments: 'Not in the reference: payments of orders with a payment instrument.',
  orders: 'Not in the reference: orders with their lines, prices, promotions and payment status.',
  refunds: 'Not in the reference: money returned to buyers.',
  refundLimits: 'Not in the reference: above which sum a refund needs a second person.',
  refundRequests: 'Not in the reference: refunds that wait for a second person.',
  subscriptions: 'Not in the reference: recurring purchases of customers and their renewal.',
  disputes: 'Not in the reference: captured payments disputed by their cardholders.',
  funnels: 'The steps that lead a buyer through a purchase. Only previews are in the reference.',
  funnelSessions: 'A buyer’s session in a funnel.',
  processors: 'Services that charge cards; a payment flow picks one of them.',
  threeds: '3-D Secure: the cardholder authenticates with the issuer.',
  threedsProviders: 'Not in the reference: who authenticates cardholders, and which one the account’s payments use.',
  statistics: 'Not in the reference: payments, refunds, disputes and webhooks, counted by hours and days.',
  events: 'Everything that happened in an account, as single events and as counts.',
  eventLog: 'Not in the reference: following, simulating and resending events.',
  webhookEndpoints: 'Not in the reference: where events are sent, and what was sent there.',
  pluginManagement: 'Managing deployments: activation, aliases, removal and previews.',
  members: 'Not in the reference: the people of an account, their roles and where they are signed in.',
  me: 'Not in the reference: for pages of the console, the signed-in member.',
  plugins: 'Pages of a store: deployed from a manifest and files, configured, and promoted to a domain.',
  recoveries: 'The page behind a recovery link, where the buyer of a subscription pays a period that was declined.',
  session:
    'For the buyer’s page: a buyer’s session in a funnel, with the order being built. No cookies; callable from any origin.',
  vault: 'For the card frame only, on the vault’s own origin.',
  threedsFrame: 'For the 3-D Secure frame only, on the vault’s own origin.',
  audit: 'Not in the reference: who changed what, when and from where.',
  platform: 'Not in the reference: the state of the platform itself, for its operator.',
  testClock: 'Not in the reference: the clock of a local platform.',
  requests: 'Not in the reference: requests that failed, by the id that their answer carries.',
  webhooks: 'Events sent to your endpoint, signed according to Standard Webhooks 1.0.0.',
}

/** Turns `paymentFlows` into `Payment flows`. */
function displayName(name: string): string {
  if (name === 'apiKeys') return 'API keys'
  if (name === 'threeds') return '3-D Secure'
  if (name === 'threedsFrame') return '3-D Secure frame'
  if (name === 'threedsProviders') return '3-D Secure providers'
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function paths(servers: Servers, components: Components): OpenApiDocument['paths'] {
  const all: OpenApiDocument['paths'] = {}
  for (const [group, operations] of [...Object.entries(contract), ...Object.entries(byteOperations)]) {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const path = (all[operation.path] ??= {})
      path[operation.method.toLowerCase()] = describeOperation({ group, name }, operation, { servers, components })
    }
  }
  return all
}

function usedSecuritySchemes(): Record<string, object> {
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))
  const used = new Set(operations.map(({ audience }) => securityOf[audience]))
  return Object.fromEntries([...used].map((name) => [name, securitySchemes[name]]))
}

/** The headers of a delivery. Source: Standard Webhooks 1.0.0, "Webhook Headers". */
const parameters = [
  header(
    'webhook-id',
    'The id of the event, the same for every attempt: ignore an event you have already processed.',
    exampleId('event'),
  ),
  header('webhook-timestamp', 'The time of this attempt: Unix time in seconds.', '1795167000'),
  header(
    'webhook-signature',
    'One signature per live secret, separated by spaces.',
    'v1,5jVq0mXcH4rWq1oYzQkqgYb0m7Yw2hJkP3nJ0r4xT8s=',
  ),
]

/** Describes each event type as the delivery sent to an endpoint. */
function describeWebhooks({ schemas }: Pick<Components, 'schemas'>): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, properties]) => {
      const schema: EventSchema = {
        allOf: [
          schemaOf(webhookPayload, 'output', schemas),
          {
            properties: {
              type: { const: type, description: 'The type of the event.' },
              data: {
                properties: {
                  properties: { description: 'The details of the event.', ...schemaOf(properties, 'output', schemas) },
                },
                description: 'The event.',
              },
            },
          },
        ],
      }
      const payload = exampleIn(schemaOf(webhookPayload, 'output', schemas), { schemas })
      const happened = exampleIn(schemaOf(event.omit({ customer: true, store: true }), 'output', schemas), { schemas })
      const data = { ...Object(happened), eventType: type, properties: exampleProperties(type as EventType) } // the table's keys are the types
      const composed = { ...Object(payload), type, data }
      return [type, { post: describeWebhook(type, properties.description, { schema, example: composed }) }]
    }),
  )
}

function describeWebhook(
  type: string,
  meaning: string | undefined,
  body: { schema: EventSchema; example: EventExample },
): DescribedEvent {
  return {
    operationId: type,
    tags: ['webhooks'],
    security: [], // deliveries are signed and carry no key
    summary: type,
    description: meaning ?? `Sent for each event of type \`${type}\`.`,
    parameters,
    requestBody: { required: true, content: { 'application/json': body } },
    responses: { 200: { description: 'Any 2xx acknowledges the delivery; after anything else it is retried.' } },
  }
}

function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] }, example }
}
