import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { newInstrument, pay } from '../../../test/pay-with-card.ts'
import { addProducts } from '../../../test/many-rows.ts'
import { sharedPlatform, startTestPlatform } from '../../../test/test-platform.ts'
import { asksForCsv, csvColumns, csvStream } from './csv.ts'

const platform = sharedPlatform()

/** The rows of a CSV file. Source: RFC 4180. */
function rowsOf(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/g)]
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

async function csv(path: string): Promise<{ headers: Headers; rows: string[][] }> {
  const { apiUrl, local } = platform()
  const response = await fetch(`${apiUrl}${path}`, {
    headers: { Authorization: `Bearer ${local.apiKey}`, Accept: 'text/csv' },
  })
  expect(response.status).toBe(200)
  return { headers: response.headers, rows: rowsOf(await response.text()) }
}

test('a list is one file with all pages, filtered as it was asked for', async () => {
  const buyer = await newInstrument(platform(), { customerData: { email: 'ada@example.com', firstName: '=1+1' } })
  for (let count = 0; count < 3; count += 1) await pay(platform(), buyer.id)
  const { headers, rows } = await csv(`${contract.payments.list.path}?limit=1&status=succeeded`)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
  expect(headers.get('vary')).toBe('Accept')
  const [header = [], ...entries] = rows
  const at = (name: string) => entries.map((entry) => entry[header.indexOf(name)])
  const { data } = await platform().call(contract.payments.list, { query: { status: 'succeeded' } })
  expect(at('id')).toEqual(data.map(({ id }) => id))
  expect(at('amount')).toEqual(['1999', '1999', '1999'])
  expect(header).toContain('routing.abuseAction')
  expect(header).not.toContain('attempts')
  const [names = [], customer = []] = (await csv(`${contract.customers.list.path}?q=ada`)).rows
  expect(customer[names.indexOf('firstName')]).toBe("'=1+1")
})

test('who takes a list as a file is in the audit log, without what was searched for; who is refused is not', async () => {
  const { apiUrl, local, call } = platform()
  const taken = async () => {
    const { data } = await call(contract.audit.list, { query: { operation: 'customers.list' } })
    return data
  }
  const before = (await taken()).length
  await csv(`${contract.customers.list.path}?q=ada`)
  const headers = { Authorization: `Bearer ${local.apiKey}`, Accept: 'text/csv' }
  await fetch(`${apiUrl}${contract.customers.list.path}?after=x`, { headers })
  const [entry, ...older] = await taken()
  expect(older).toHaveLength(before)
  expect(entry).toMatchObject({ actor: { kind: 'key' }, resourceType: 'customer', status: 200 })
  expect(JSON.stringify(entry)).not.toContain('ada')
})

test('an error is answered as JSON, before a file has begun', async () => {
  const { apiUrl, local } = platform()
  const headers = { Authorization: `Bearer ${local.apiKey}`, Accept: 'text/csv' }
  const response = await fetch(`${apiUrl}${contract.payments.list.path}?after=x`, { headers })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8'])
})

test('a file costs a token for each page, as if its pages were asked for', async () => {
  const limited = await startTestPlatform({ rateLimits: true })
  onTestFinished(() => limited.remove())
  await addProducts(limited, 1_100)
  const left = async (accept: string) => {
    const headers = { Authorization: `Bearer ${limited.local.apiKey}`, Accept: accept }
    const response = await fetch(`${limited.apiUrl}${contract.products.list.path}`, { headers })
    await response.arrayBuffer()
    return Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
  }
  const first = await left('application/json')
  expect(await left('text/csv')).toBe(first - 1)
  expect(await left('application/json')).toBe(first - 4)
})

const noMore = { more: () => Promise.reject(new Error('more')), breakOff: () => {} }

test('text that a spreadsheet would run is marked as text; quotes, commas and lines stay in their cell', async () => {
  const entry = z.object({
    name: z.string(),
    amount: z.int(),
    tags: z.array(z.string()),
    more: z.record(z.string(), z.string()).nullable(),
  })
  const data = [
    { name: '=HYPERLINK("x")', amount: -5, tags: ['a', 'b'], more: null },
    { name: '@SUM(1)\n,"', amount: 0, tags: [], more: { key: 'value' } },
    { name: '-1', amount: 1, tags: ['+x'], more: {} },
  ]
  const text = await new Response(csvStream(csvColumns(entry), { data, nextCursor: null }, noMore)).text()
  expect(rowsOf(text)).toEqual([
    ['name', 'amount', 'tags', 'more'],
    ['\'=HYPERLINK("x")', '-5', 'a b', ''],
    ['\'@SUM(1)\n,"', '0', '', '{"key":"value"}'],
    ["'-1", '1', "'+x", '{}'],
  ])
})

test.each([
  ['Ada;=HYPERLINK("x")', `Ada;'=HYPERLINK("x")`],
  ['Ada;"=A1&"";', `Ada;'"=A1&"";`],
  ['Ada\r\n@SUM(1)', "Ada\r\n'@SUM(1)"],
  ['＝1+1', "'＝1+1"],
  ['1-2; a=b\r\nc', '1-2; a=b\r\nc'],
])('where semicolons part cells, no part of a text is run either: %j', async (name, safe) => {
  const data = [{ name }]
  const columns = csvColumns(z.object({ name: z.string() }))
  const text = await new Response(csvStream(columns, { data, nextCursor: null }, noMore)).text()
  expect(rowsOf(text)).toEqual([['name'], [safe]])
})

test.each([
  ['text/csv', true],
  ['application/json, text/csv;q=0.5', true],
  ['text/csv;q=0', false],
  ['*/*', false],
  [undefined, false],
])('Accept: %s asks for CSV: %s', (accept, isAsked) => expect(asksForCsv(accept)).toBe(isAsked))
