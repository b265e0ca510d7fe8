import { byteOperations } from '../byte-operations.ts'
import { contract, type Contract } from '../contract.ts'
import type { Operation } from '../operation.ts'
import { describeOperation, securityOf, securitySchemes, type Servers } from './describe-operation.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import { introduction } from './introduction.ts'
import type { Components, Json } from './schema-of.ts'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Json {
  openapi: '3.1.1'
  paths: Record<string, Json>
}

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
  accounts: 'The API key’s account and permissions.',
  stores: 'A store has products and a payment flow.',
  products: 'What a store sells: a product has variants, a variant has prices.',
  shippingOptions: 'Not in the reference: the shipping options of a store and their prices.',
  promotions: 'Discounts, gifts and free trials: their conditions, effects, usage limits and combinations.',
  customers: 'Not in the reference: the buyers of a store.',
  paymentFlows: 'Rules for picking the processor of a payment.',
  paymentInstruments: 'Cards that can be charged, created from the card frame’s service tokens.',
  payments: 'Not in the reference: payments of orders with a payment instrument.',
  orders: 'Not in the reference: orders with their lines, prices, promotions and payment status.',
  subscriptions: 'Not in the reference: recurring purchases of customers and their renewal.',
  disputes: 'Not in the reference: captured payments disputed by their cardholders.',
  funnels: 'The steps that lead a buyer through a purchase. Only previews are in the reference.',
  funnelSessions: 'A buyer’s session in a funnel.',
  processors: 'Services that charge cards; a payment flow picks one of them.',
  threeds: '3-D Secure: the cardholder authenticates with the issuer.',
  events: 'Everything that happened in an account, as single events and as counts.',
  eventLog: 'Not in the reference: following, simulating and resending events.',
  pluginManagement: 'Managing deployments: activation, aliases, removal and previews.',
  members: 'Not in the reference: the people of an account, their roles and where they are signed in.',
  me: 'Not in the reference: for pages of the console, the signed-in member.',
  plugins: 'Pages of a store: deployed from a manifest and files, configured, and promoted to a domain.',
  session:
    'For the buyer’s page: a buyer’s session in a funnel, with the order being built. No cookies; callable from any origin.',
  vault: 'For the card frame only, on the vault’s own origin.',
  threedsFrame: 'For the 3-D Secure frame only, on the vault’s own origin.',
  audit: 'Not in the reference: who changed what, when and from where.',
  webhooks: 'Events sent to your endpoint, signed according to Standard Webhooks 1.0.0.',
}

/** Turns `paymentFlows` into `Payment flows`. */
function displayName(name: string): string {
  if (name === 'threeds') return '3-D Secure'
  if (name === 'threedsFrame') return '3-D Secure frame'
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function paths(servers: Servers, components: Components): Record<string, Json> {
  const all: Record<string, Json> = {}
  for (const [group, operations] of [...Object.entries(contract), ...Object.entries(byteOperations)]) {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const path = (all[operation.path] ??= {})
      path[operation.method.toLowerCase()] = describeOperation({ group, name }, operation, { servers, components })
    }
  }
  return all
}

function usedSecuritySchemes(): Json {
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))
  const used = new Set(operations.map(({ audience }) => securityOf[audience]))
  return Object.fromEntries([...used].map((name) => [name, securitySchemes[name]]))
}
