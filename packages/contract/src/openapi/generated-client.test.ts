import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import typescript from 'typescript5'
import { expect, test } from 'vitest'
import { inSoak } from '../../../../.ci/soaks.ts'
import { openApi } from './openapi.ts'

/** A program written without knowledge of our own client. */
const program = `
import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './api.ts'

const { GET, POST } = createClient<paths>({ baseUrl: 'http://localhost:4400', headers: { Authorization: 'Bearer key' } })

export async function sell(storeId: string, serviceToken: string): Promise<components['schemas']['Payment']> {
  const made = await POST('/api/public/v1/products/create', {
    params: { header: { 'Idempotency-Key': 'tote-1' } },
    body: { storeId, name: 'Tote', variants: [{ name: 'Natural', prices: [{ currencyOptions: { USD: { amount: 1999 } } }] }] },
  })
  if (made.error !== undefined) throw new Error(made.error.error.code + made.error.issues.length)
  const { data: product } = await GET('/api/public/v1/products/{productId}', {
    params: { path: { productId: made.data.productId } },
  })
  const variantId = product?.variants[0]?.id ?? ''
  const { data: card } = await POST('/api/public/v1/payment-instruments/create-from-token', { body: { serviceToken, storeId } })
  const { data: payment } = await POST('/api/payments/v1/payments', {
    body: {
      storeId,
      paymentInstrumentId: card?.paymentInstrument.id ?? '',
      currency: 'USD',
      lines: [{ variantId, quantity: 2 }],
    },
  })
  if (payment === undefined) throw new Error('not paid')
  return payment
}

export async function route(processorId: string): Promise<'weighted' | 'ordered'> {
  const flow = await POST('/api/public/v1/payment-flows/create', {
    body: { data: { name: 'Cards', strategy: 'cascade', processorConfigs: [{ processorId }], abuseDetectionConfig: { enabled: true } } },
  })
  const { data: flows = [], response } = await GET('/api/public/v1/payment-flows', { params: { query: { limit: 20 } } })
  const weights: number[] = flows.flatMap((each) => each.processorConfigs.map(({ weight }) => weight))
  console.log(weights, response.headers.get('Link'))
  return flow.data?.pickProcessorStrategy ?? 'weighted'
}

export function ship(event: webhooks['s_order_paid']['post']['requestBody']['content']['application/json']): string {
  return event.type === 's_order_paid' ? event.id : ''
}

export async function mistakes(storeId: string): Promise<void> {
  // @ts-expect-error a field that is required is missing
  await POST('/api/public/v1/stores/create', { body: { baseCurrency: 'USD' } })
  // @ts-expect-error a field of another type
  await POST('/api/public/v1/stores/create', { body: { name: 'Shop', createDemoProducts: 'yes' } })
  // @ts-expect-error an amount that is text
  await POST('/api/payments/v1/payments', { body: { storeId, paymentInstrumentId: '', currency: 'USD', amount: '1999' } })
  // @ts-expect-error a strategy that there is not
  await POST('/api/public/v1/payment-flows/create', { body: { data: { name: '', strategy: 'random', processorConfigs: [] } } })
  // @ts-expect-error an address that there is not
  await GET('/api/public/v1/products')
  // @ts-expect-error a parameter of the address is missing
  await GET('/api/public/v1/products/{productId}', {})
}
`

test('a client generated from the document compiles under TypeScript 5, and refuses what the API would', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
  try {
    const document = openApi('1.2.3', ['http://localhost:4400']) as object as OpenAPI3 // linters confirm this
    await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(document)))
    await writeFile(join(folder, 'program.ts'), program)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
    expect(problemsOf(join(folder, 'program.ts'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

function problemsOf(file: string): string[] {
  const compiled = typescript.createProgram([file], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
    target: typescript.ScriptTarget.ES2022,
    module: typescript.ModuleKind.NodeNext,
  })
  return typescript.getPreEmitDiagnostics(compiled).map(({ file: place, start = 0, messageText }) => {
    const line = place === undefined ? 0 : place.getLineAndCharacterOfPosition(start).line + 1
    return `${place?.fileName}:${line}: ${typescript.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

/** An entry of a Postman collection: a folder or a request. */
interface Item {
  item?: Item[]
  request?: { url: { variable: { key: string; value: string }[] }; header: { key: string; value: string }[] }
}

test.each(inSoak.flatMap(() => ['Example', 'Schema']))(
  'a Postman collection made by %s sends each operation its own key, and by examples ids where ids belong',
  async (parametersResolution) => {
    const requests = requestsIn(await collection(parametersResolution))
    expect(requests.length).toBeGreaterThan(180)
    const keys = requests.flatMap(({ header }) => header.filter(({ key }) => key === 'Idempotency-Key'))
    expect(keys.length).toBeGreaterThan(60)
    expect(new Set(keys.map(({ value }) => value)).size).toBe(keys.length)
    const ids = requests.flatMap(({ url }) => url.variable).filter(({ key }) => key.endsWith('Id'))
    const blank = ids.filter(({ value }) => !/^[\w-]+$/.test(value))
    expect(blank.length).toBe(parametersResolution === 'Example' ? 0 : ids.length)
  },
)

async function collection(parametersResolution: string): Promise<Item> {
  const converter: unknown = (await import('openapi-to-postmanv2')).default
  const { convertV2 } = converter as { convertV2: Convert } // as its README describes it
  const data = JSON.stringify(openApi('1.2.3', ['http://localhost:4400'], ['http://localhost:4401']))
  return new Promise((resolve, reject) => {
    convertV2({ type: 'string', data }, { parametersResolution }, (error, { output, reason }) => {
      const made = output?.[0]?.data
      if (made === undefined) reject(error ?? new Error(reason))
      else resolve(made)
    })
  })
}

type Convert = (
  input: { type: 'string'; data: string },
  options: { parametersResolution: string },
  done: (error: Error | null, result: { output?: { data: Item }[]; reason?: string }) => void,
) => void

function requestsIn({ request, item = [] }: Item): NonNullable<Item['request']>[] {
  return [...(request === undefined ? [] : [request]), ...item.flatMap(requestsIn)]
}
