import { runInNewContext } from 'node:vm'
import { openApi } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { type Client, createClient } from './client.ts'

const BASE_URL = 'https://api.tillwright.test'
const document = openApi('1.2.3', [BASE_URL])
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
)
const samples = operations.flatMap(({ method, path, operation }) =>
  operation['x-codeSamples'].map(({ label, source }) => ({
    id: operation.operationId,
    label,
    source,
    method,
    path,
    operation,
  })),
)

test('every operation has a sample for curl, and those for servers one for this client', () => {
  const labels = new Map(
    operations.map(({ operation }) => [operation.operationId, operation['x-codeSamples'].map(({ label }) => label)]),
  )
  for (const each of labels.values()) expect(each).toContain('curl')
  expect(labels.get('payments.create')).toEqual(['curl', 'TypeScript'])
  expect(labels.get('session.pay')).toEqual(['curl'])
})

test.for(samples.filter(({ label }) => label === 'TypeScript'))(
  'the sample of $id sends the example of the document',
  async ({ source, method, path, operation }) => {
    const sent: { url: URL; method: string; body: unknown }[] = []
    const tillwright = createClient({
      apiKey: `test_sk_${'a'.repeat(36)}`,
      baseUrl: BASE_URL,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const text = await request.text()
        sent.push({ url: new URL(request.url), method: request.method, body: text === '' ? null : JSON.parse(text) })
        return Response.json({})
      },
    })
    // A stream refuses an answer that is none.
    await callOf(source)(tillwright).catch(() => {})
    const [request] = sent
    expect(request?.method).toBe(method.toUpperCase())
    expect(request?.url.pathname).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`))
    const example = operation.requestBody?.content['application/json']?.example
    if (example !== undefined) expect(request?.body).toEqual(example)
  },
)

test.for(samples.filter(({ label }) => label === 'curl'))(
  'the curl sample of $id has the address filled in',
  ({ source, path }) => {
    const [, address = ''] = /(https:[^\s']+)/.exec(source) ?? []
    expect(new URL(address).pathname).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`))
  },
)

/** The call that a sample ends with. */
function callOf(source: string): (tillwright: Client) => Promise<unknown> {
  const [, run = ''] = source.split(/^const tillwright.*$/m)
  return (tillwright) => runInNewContext(`(async () => {${run}})()`, { tillwright })
}
