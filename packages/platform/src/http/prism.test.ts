import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CreateProxyServerOptions, createSingleProcessPrism } from '@stoplight/prism-cli/dist/util/createServer.js'
import { contract, type Operation } from '@tillwright/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { soaks } from '../../../../.ci/soaks.ts'
import { addressOf } from '../../test/address-of.ts'
import { happyRequests } from '../../test/happy-requests.ts'
import { newInstrument } from '../../test/pay-with-card.ts'
import { type Answer, sendRequest, type SentRequest } from '../../test/send-request.ts'
import { sharedPlatform, SHOP_URL, type TestPlatform } from '../../test/test-platform.ts'

const operations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)

const platform = sharedPlatform()
/** Prism before the API: one that checks requests and answers by the document, one that lets every request pass. */
const proxies = { strict: '', lenient: '', vault: '' }
const running: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  const { apiUrl, vaultUrl, request } = platform()
  // The first request makes the document, which takes longer than Prism waits where other programs have the machine.
  await request('GET', '/openapi.json')
  const paths = new Set<string>(asked.map(({ operation }) => operation.path))
  const part = soaks ? {} : { document: await documentOf((path) => paths.has(path)) }
  proxies.strict = await startPrism({ upstream: apiUrl, ...part })
  const refusable = await documentOf((path) => refused.some(([, , sent]) => fits(path, sent)))
  proxies.lenient = await startPrism({ upstream: apiUrl, validateRequest: false, document: refusable })
  const framed = new Set<string>(
    operations.flatMap(({ operation }) => (operation.audience === 'frame' ? operation.path : [])),
  )
  proxies.vault = await startPrism({ upstream: vaultUrl, document: await documentOf((path) => framed.has(path)) })
})

afterAll(async () => {
  for (const proxy of running) await proxy.close()
})

/** The console's are for its own pages: Prism sends no cookie on. An event stream has no end, which Prism waits for. */
const ofPrograms = operations.filter(
  ({ operation: { audience, eventStream } }) => audience !== 'console' && eventStream !== true,
)

/**
 * All of them in a soak, otherwise those that the rest is like: each audience, each method and number of parts of an address,
 * with and without query, body and created resource. That each operation's request and answer are the contract's, of which
 * the document is made, is proved by the walk.
 */
const asked = soaks ? ofPrograms : [...Map.groupBy(ofPrograms, likeness).values()].flatMap((alike) => alike.slice(0, 1))

function likeness({ operation: { audience, method, path, status, query, body } }: (typeof operations)[number]): string {
  return [audience, method, path.match(/\{/g)?.length, status, query !== undefined, body !== undefined].join(' ')
}

test.for(asked)('$id: Prism finds nothing in its request and its answer', async ({ id, operation }) => {
  const sent = (await happyRequests[id]?.(platform())) ?? {}
  const { method, path } = addressOf(operation, sent)
  const { key } = sent.token === undefined ? keyFor(operation, platform()) : { key: sent.token }
  const headers = { 'Idempotency-Key': `prism-${id}`, ...(operation.audience === 'page' && { Origin: SHOP_URL }) }
  const request = { key, body: sent.body, headers }
  const proxied = await sendRequest(method, proxyOf(operation) + path, request)
  expectUntouched(proxied)
  expect(proxied.status, proxied.text).toBe(operation.status)
  // A card is encrypted once, each buyer has a session, and an export names its time; all else may be asked for again, for the same bytes.
  if (operation.audience === 'frame' || operation.audience === 'page' || id === 'customers.export') return
  const direct = await platform().request(method, path, request)
  expect(proxied.text).toBe(direct.text)
})

const refused: readonly [
  what: string,
  method: string,
  path: string,
  (platform: TestPlatform) => Promise<SentRequest>,
][] = [
  ['401 api_key_invalid', 'GET', '/api/public/v1/auth/test', async () => ({ key: 'test_sk_wrong' })],
  ['403 role_required', 'GET', '/api/public/v1/payment-flows', async ({ local }) => ({ key: local.apiKey })],
  [
    '403 scope_missing',
    'GET',
    '/api/public/v1/products/none',
    async ({ addKey }) => ({ key: await addKey({ scopes: ['stores:read'] }) }),
  ],
  ['404 resource_missing', 'GET', '/api/public/v1/products/none', async () => ({})],
  ['400 parameter_missing', 'POST', '/api/public/v1/stores/create', async () => ({ body: { baseCurrency: 'USD' } })],
  [
    '400 parameter_invalid',
    'GET',
    '/api/public/v1/payment-flows?limit=0',
    async ({ local }) => ({ key: local.adminApiKey }),
  ],
  [
    '400 currency_unsupported',
    'POST',
    '/api/public/v1/stores/create',
    async () => ({ body: { name: 'S', baseCurrency: 'XYZ' } }),
  ],
  [
    '400 idempotency_key_invalid',
    'POST',
    '/api/public/v1/stores/create',
    async () => ({ body: { name: 'S' }, headers: { 'Idempotency-Key': 'x'.repeat(256) } }),
  ],
  [
    '402 card_declined',
    'POST',
    '/api/payments/v1/payments',
    async (here) => {
      const { id } = await newInstrument(here, { number: '4000000000000002' })
      return { body: { storeId: here.local.storeId, paymentInstrumentId: id, currency: 'USD', amount: 100 } }
    },
  ],
  [
    '409 resource_exists',
    'POST',
    '/api/public/v1/stores/create',
    async ({ local }) => ({ body: { id: local.storeId, name: 'Twice' } }),
  ],
  [
    '415 content_type_unsupported',
    'POST',
    '/api/public/v1/stores/create',
    async () => ({ body: 'name=Shop', headers: { 'Content-Type': 'text/plain' } }),
  ],
]

test.for(refused)('%s: Prism finds nothing in the refusal', async ([what, method, path, build]) => {
  const sent = await build(platform())
  const answer = await sendRequest(method, proxies.lenient + path, { key: platform().local.apiKey, ...sent })
  expectUntouched(answer)
  expect(`${answer.status} ${answer.error.code}`).toBe(what)
})

test('Prism does look: it stops a request that the document does not allow', async () => {
  const sent = { key: platform().local.apiKey, body: { baseCurrency: 'USD' } }
  const answer = await sendRequest('POST', `${proxies.strict}/api/public/v1/stores/create`, sent)
  expect([answer.status, answer.headers['content-type']]).toEqual([422, 'application/problem+json'])
})

test('Prism does look: it stops an answer that the document does not describe', async () => {
  const { apiUrl, local } = platform()
  const document = await documentOf(
    (path) => path.endsWith('/auth/test'),
    (text) => text.replace('"environment":{"type":"string"', '"environment":{"type":"integer"'),
  )
  const liar = await startPrism({ upstream: apiUrl, document })
  const answer = await sendRequest('GET', `${liar}/api/public/v1/auth/test`, { key: local.apiKey })
  expect([answer.status, answer.headers['content-type']]).toEqual([500, 'application/problem+json'])
  expect(answer.headers['sl-violations']).toContain('environment')
})

/** Prism reports a violation in a header, or replaces the answer with an error of its own. */
function expectUntouched({ headers, text }: Answer): void {
  expect(headers['sl-violations'], text).toBeUndefined()
  expect(headers['content-type'], text).toBe('application/json; charset=utf-8')
  expect(headers['x-request-id']).toMatch(/^req_/)
}

function keyFor({ audience }: Operation, { local }: TestPlatform): { key: string } {
  return { key: audience === 'frame' || audience === 'page' ? local.publishableKey : local.adminApiKey }
}

let documents = 0

/**
 * Writes the part of the document that one proxy needs: reading all of it takes each a second and more.
 *
 * @returns The file.
 */
async function documentOf(has: (path: string) => boolean, change = (text: string) => text): Promise<string> {
  const document = JSON.parse((await platform().request('GET', '/openapi.json')).text)
  const paths = Object.entries(document.paths).filter(([path]) => has(path))
  expect(paths.length).toBeGreaterThan(0)
  const file = join(platform().folder, `part-${(documents += 1)}.json`)
  await writeFile(file, change(JSON.stringify({ ...document, webhooks: undefined, paths: Object.fromEntries(paths) })))
  return file
}

/** Whether a path with its ids and query is the document's, which has `{name}` for each id. */
function fits(path: string, sent: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`).test(sent)
}

function proxyOf({ audience }: Operation): string {
  return audience === 'frame' ? proxies.vault : proxies.strict
}

interface PrismOptions {
  upstream: string
  validateRequest?: boolean
  document?: string
}

/** Starts Prism with `--errors` and, unless another is named, the document that the platform serves. */
async function startPrism({ upstream, validateRequest = true, document }: PrismOptions): Promise<string> {
  const options: CreateProxyServerOptions = {
    document: document ?? `${platform().apiUrl}/openapi.json`,
    upstream: new URL(upstream),
    validateRequest,
    errors: true,
    host: '127.0.0.1',
    port: await freePort(),
    verboseLevel: 'silent',
    upstreamProxy: undefined,
    multiprocess: false,
    cors: false,
    dynamic: false,
    ignoreExamples: false,
    seed: '',
    jsonSchemaFakerFillProperties: false,
  }
  const server = await createSingleProcessPrism(options)
  if (server) running.push(server)
  return `http://${options.host}:${options.port}`
}
