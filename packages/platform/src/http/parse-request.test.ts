import { contract, ISSUES_MAX } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../test/test-platform.ts'
import { ApiError } from '../runtime/errors.ts'
import { parseRequest } from './parse-request.ts'

const platform = sharedPlatform()
const STORES = '/api/public/v1/stores/create'
const PRODUCTS = '/api/public/v1/products/create'
const raw = { params: {}, query: {}, contentType: 'application/json', body: new Uint8Array() }

test.for(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])(
  'a body of the type %s is read',
  async (type) => {
    const answer = await platform().request('POST', STORES, {
      body: '{"name":"Shop"}',
      headers: { 'Content-Type': type },
    })
    expect(answer.status).toBe(201)
  },
)

test.for(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/problem+json', ''])(
  'a body of the type %j is a 415',
  async (type) => {
    const answer = await platform().request('POST', STORES, {
      body: '{"name":"Shop"}',
      headers: { 'Content-Type': type },
    })
    expect(answer.status).toBe(415)
    expect(answer.error.code).toBe('content_type_unsupported')
  },
)

test('a body without a type is a 415', () => {
  expect(refusal(() => parseRequest(contract.stores.create, { ...raw, contentType: undefined }))).toMatchObject({
    status: 415,
  })
})

test.for([
  ['no body', ''],
  ['half an object', '{"name":'],
  ['a name twice', '{"name":"a","\\u006eame":"b"}'],
  ['__proto__', '{"name":"a","__proto__":{}}'],
  ['a NUL', '{"name":"a\\u0000"}'],
  ['half a surrogate pair', '{"name":"\\ud800"}'],
  ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)],
  ['10,000 levels', '{"name":'.repeat(10_000)],
  ['65 levels', `{"name":"a","x":${'['.repeat(64)}${']'.repeat(64)}}`],
] as const)('%s is answered with json_invalid', async ([, body]) => {
  const answer = await platform().request('POST', STORES, { body })
  expect(answer.status).toBe(400)
  expect(answer.error).toMatchObject({ type: 'invalid_request_error', code: 'json_invalid' })
})

test('64 levels are read', async () => {
  const body = `{"name":"a","x":${'['.repeat(63)}${']'.repeat(63)}}`
  expect((await platform().request('POST', STORES, { body })).status).toBe(201)
})

test('a body on a GET is not looked at', async () => {
  expect(
    (await platform().request('GET', '/api/public/v1/auth/test', { body: '{', headers: { 'Content-Length': 1 } }))
      .status,
  ).toBe(200)
})

test('what is missing is parameter_missing, named by its path', async () => {
  const answer = await platform().request('POST', PRODUCTS, { body: {} })
  expect(answer.status).toBe(400)
  expect(answer.error).toMatchObject({ code: 'parameter_missing', param: 'storeId', message: 'storeId is required.' })
  expect(answer.error.issues).toEqual(
    ['storeId', 'name', 'variants'].map((path) => ({ path, code: 'parameter_missing', message: 'is required' })),
  )
})

test.for([
  ['a choice', '/api/public/v1/payment-flows/create', { data: { name: 'x', processorConfigs: [] } }, 'data.strategy'],
  [
    'an amount',
    PRODUCTS,
    { storeId: 's', name: 'x', variants: [{ name: 'A', prices: [{ currencyOptions: { USD: {} } }] }] },
    'variants[0].prices[0].currencyOptions.USD.amount',
  ],
] as const)('%s that is missing is parameter_missing as well', async ([, address, body, path]) => {
  const { error } = await platform().request('POST', address, { body })
  expect(error).toMatchObject({ code: 'parameter_missing', param: path, message: `${path} is required.` })
})

test('what is wanted because of another field says so', async () => {
  const body = { storeId: 's', paymentInstrumentId: 'p', currency: 'USD' }
  const { error } = await platform().request('POST', '/api/payments/v1/payments', { body })
  expect(error).toMatchObject({ code: 'parameter_missing', param: 'lines' })
  expect(error.message).toContain('is required unless `amount` is given')
})

test('where a value may have several shapes, the problems of the one that was meant are told', async () => {
  const { request, local } = platform()
  const send = (eventType: unknown) =>
    request('POST', '/api/public/v1/events/statistics', { body: { eventType }, key: local.adminApiKey })
  expect((await send(['s_order_paid', 1])).error).toMatchObject({ code: 'parameter_invalid', param: 'eventType[1]' })
  expect((await send(['s_order_paid', ''])).error).toMatchObject({ code: 'parameter_invalid', param: 'eventType[1]' })
  expect((await send(1)).error).toMatchObject({ code: 'parameter_invalid', param: 'eventType' })
})

test('all problems of a body are told together, each with its path and code', async () => {
  const variants = [
    { name: 'A', prices: [{ currencyOptions: { USD: { amount: 1 } } }, { currencyOptions: { USD: { amount: 1.5 } } }] },
    { name: '', prices: [{ currencyOptions: { ABC: { amount: 1 } } }] },
  ]
  const { error } = await platform().request('POST', PRODUCTS, {
    body: { storeId: 's', name: 'x', active: 'yes', variants },
  })
  expect(error.issues.map(({ path, code }) => [path, code])).toEqual([
    ['active', 'parameter_invalid'],
    ['variants[0].prices[1].currencyOptions.USD.amount', 'amount_invalid'],
    ['variants[1].name', 'parameter_invalid'],
    ['variants[1].prices[0].currencyOptions.ABC', 'currency_unsupported'],
  ])
})

test('the first problem gives the error its code and param', async () => {
  const price = { currencyOptions: { USD: { amount: -1 } } }
  const { error } = await platform().request('POST', PRODUCTS, {
    body: { storeId: 's', name: 'x', variants: [{ name: 'A', prices: [price] }] },
  })
  expect(error).toMatchObject({ code: 'amount_invalid', param: 'variants[0].prices[0].currencyOptions.USD.amount' })
})

test('an unknown currency is currency_unsupported, wherever it stands', async () => {
  const price = { currencyOptions: { ABC: { amount: 1 } } }
  const inPrice = await platform().request('POST', PRODUCTS, {
    body: { storeId: 's', name: 'x', variants: [{ name: 'A', prices: [price] }] },
  })
  expect(inPrice.error).toMatchObject({
    code: 'currency_unsupported',
    param: 'variants[0].prices[0].currencyOptions.ABC',
  })
  const inStore = await platform().request('POST', STORES, { body: { name: 'Shop', baseCurrency: 'usd' } })
  expect(inStore.error).toMatchObject({ code: 'currency_unsupported', param: 'baseCurrency' })
})

test('at most 50 problems are told', async () => {
  const { error } = await platform().request('POST', PRODUCTS, {
    body: { storeId: 's', name: 'x', variants: Array(100).fill({}) },
  })
  expect(error.issues).toHaveLength(ISSUES_MAX)
})

test('a body that is no object is refused as a whole', async () => {
  for (const body of ['[]', 'null', '1', '"x"', 'true']) {
    const { error } = await platform().request('POST', STORES, { body })
    expect(error.code, body).toBe('parameter_invalid')
    expect(error, body).not.toHaveProperty('param')
    expect(error.message, body).toMatch(/^The body /)
  }
})

test('what a body holds is not repeated in its refusal', async () => {
  const body = { name: 4242424242424242, baseCurrency: '4242424242424242', credentials: ['4242424242424242'] }
  expect((await platform().request('POST', STORES, { body })).text).not.toContain('42424242')
})

test('an id in the address may not hold a NUL', () => {
  const error = refusal(() => parseRequest(contract.products.get, { ...raw, params: { productId: 'a\0b' } }))
  expect(error).toMatchObject({ code: 'parameter_invalid', details: { param: 'productId' } })
})

function refusal(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error('It was not refused.')
}
