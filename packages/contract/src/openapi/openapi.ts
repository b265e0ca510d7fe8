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
 * @param vaultServers Base addresses of the vault's origin, where the card frame's operations are.
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
    tags: Object.entries(groups).map(([name, description]) => ({ name, 'x-displayName': spoken(name), description })),
    paths: paths({ api: servers, vault: vaultServers }, components),
    webhooks: describeWebhooks(components.schemas),
    components: { ...components, securitySchemes: usedSecuritySchemes() },
  }
}

/** What each group of operations is about, for the reference page. */
const groups: Record<keyof Contract | 'webhooks', string> = {
  accounts: 'Whose key this is and what it may do.',
  stores: 'A store sells products and has a payment flow.',
  products: 'What is sold: a product has variants, a variant has prices.',
  shippingOptions: 'Beside the public API: the ways in which a store ships, and what they cost.',
  promotions: 'What reduces the price of an order: when, by how much, how often, and beside what.',
  paymentFlows: 'How a payment finds its processor.',
  paymentInstruments: 'Cards that may be charged, made from the card frame’s service tokens.',
  payments: 'Beside the public API: paying an order with a payment instrument.',
  orders: 'Beside the public API: what was bought, what it costs with its promotions, and whether it is paid.',
  subscriptions: 'Beside the public API: recurring prices that customers have bought, and their renewal.',
  disputes: 'Beside the public API: captured payments that their cardholders dispute.',
  funnels: 'The steps that a buyer is led through, and previews of them; all but the preview is beside the public API.',
  funnelSessions: 'One buyer’s way through a funnel.',
  processors: 'Who charges cards; a payment flow picks one of them.',
  threeds: '3-D Secure: the cardholder proves to the issuer who pays.',
  events: 'What has happened, one by one and counted.',
  eventLog: 'Beside the public API: following events as they happen, trying out and repeating them.',
  pluginManagement: 'What becomes of deployments: what a store uses, aliases, removal and previews.',
  plugins: 'Pages of a store: deployed from a manifest and files, configured, and put on a domain.',
  session:
    'For the buyer’s page: one buyer’s way through a funnel, with the order that is being put together. No cookies; any origin may call it.',
  vault: 'For the card frame alone, on the vault’s own origin.',
  threedsFrame: 'For the 3-D Secure frame alone, on the vault’s own origin.',
  webhooks: 'Events as they are sent to your endpoint, signed as Standard Webhooks 1.0.0.',
}

/** `paymentFlows` as `Payment flows`. */
function spoken(name: string): string {
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
