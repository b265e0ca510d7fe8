import { contract, ISSUES_MAX } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { ApiError } from '../../runtime/errors.ts'
import { findsCardNumber } from '../../vault/finds-card-number.ts'
import { parseJson, parseRequest } from './parse-request.ts'

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

test('a byte order mark is named as what is wrong', async () => {
  const { error } = await platform().request('POST', STORES, { body: '\uFEFF{"name":"Shop"}' })
  expect(error).toMatchObject({
    code: 'json_invalid',
    message: 'The body begins with a byte order mark; save or send it as UTF-8 without one.',
  })
})

test.for([
  ['a record', STORES, { name: 'S', baseCurrency: 7 }, 'baseCurrency must be a string, not a number.'],
  ['a map', PRODUCTS, { storeId: 's', name: 'x', variants: {} }, 'variants must be a list, not an object.'],
  ['a body', STORES, [], 'The body must be an object, not a list.'],
  [
    'a time',
    STORES,
    { name: 'S', createdAt: '2030-01-02' },
    /^createdAt is a date without a time: must be an ISO 8601/,
  ],
] as const)('%s of another type is refused in plain words', async ([, path, body, message]) => {
  const { error } = await platform().request('POST', path, { body })
  if (typeof message === 'string') expect(error.message).toBe(message)
  else expect(error.message).toMatch(message)
})

test('a number of the query that is none is refused in plain words', async () => {
  const key = platform().local.adminApiKey
  const { error } = await platform().request('GET', '/api/public/v1/payment-flows?limit=x', { key })
  expect(error).toMatchObject({ param: 'limit', message: 'limit must be a number.' })
})

test('a time may be sent without seconds, with its offset in hours, and comes back in UTC', async () => {
  const body = { name: 'Shop', createdAt: '20300102T0304+02' }
  const { body: store } = await platform().request('POST', STORES, { body })
  expect(store).toMatchObject({ createdAt: '2030-01-02T01:04:00.000Z' })
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

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

test('every JSON value comes out as it went in', () => {
  // Limits of a body: no lone surrogates, no NUL, no "__proto__", at most 64 levels.
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  const name = text.filter((value) => value !== '__proto__')
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key }).map(Object.fromEntries),
    ),
  })).value
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (sent, space) => {
      fc.pre(!findsCardNumber(JSON.stringify(sent)))
      expect(parseJson(bytes(JSON.stringify(sent, null, space)))).toEqual(sent)
    }),
  )
})

test('whatever bytes come, it is parsed as JSON.parse would or refused as json_invalid', () => {
  const jsonish = fc.string({ unit: fc.constantFrom(...'{}[]":,\\u0061 tfn-1e"'), maxLength: 40 }).map(bytes)
  fc.assert(
    fc.property(fc.oneof(jsonish, fc.uint8Array({ maxLength: 40 })), (sent) => {
      const outcome = read(sent)
      if (outcome instanceof ApiError) expect(outcome.code).toBe('json_invalid')
      else expect(outcome).toEqual(JSON.parse(new TextDecoder().decode(sent)))
    }),
    { numRuns: 2_000 },
  )
})

test.for([
  ['nothing', ''],
  ['white space', ' \n'],
  ['half an object', '{"a":1'],
  ['an object with a trailing comma', '{"a":1,}'],
  ['two values', '{} {}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{} // x'],
  ['NaN', '{"a":NaN}'],
  ['a number with a leading zero', '[01]'],
  ['a byte order mark', '\uFEFF{}'],
  ['an unclosed string', '"abc'],
  ['an unclosed name', '{"abc'],
  ['a line break in a string', '"a\nb"'],
  ['a NUL', '"a\0b"'],
  ['an escaped NUL', '"a\\u0000b"'],
  ['an escaped NUL in a name', '{"a\\u0000b":1}'],
  ['half of a surrogate pair', '"\\ud800"'],
  ['the other half', '["\\udc00"]'],
  ['a surrogate pair the wrong way round', '"\\udc00\\ud800"'],
  ['a name twice', '{"a":1,"a":1}'],
  ['a name twice, once by an escape', '{"a":1,"\\u0061":2}'],
  ['a name twice, deep inside', '[{"b":[{"a":1,"c":{"a":1},"a":2}]}]'],
  ['a name twice with space before the colon', '{"a" :1,"a"\n\t:2}'],
  ['__proto__', '{"__proto__":{"admin":true}}'],
  ['__proto__ by an escape', '{"\\u005f_proto__":1}'],
  ['a number beyond all doubles', '{"a":1e400}'],
  ['the same below zero', '{"a":-1E+400}'],
  ['a number of 400 digits', `[${'9'.repeat(400)}]`],
  ['an integer of 30 digits', '[123456789012345678901234567890]'],
  ['an integer that a double rounds', '{"a":{"b":9007199254740993}}'],
  ['65 arrays in each other', nested(65)],
  ['65 objects in each other', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ['10,000 arrays in each other', nested(10_000)],
  ['a million arrays in each other', '['.repeat(1_000_000)],
  ['10,001 values', JSON.stringify(Array.from({ length: 10_000 }, () => 1))],
  ['10,001 objects', JSON.stringify(Array.from({ length: 10_000 }, () => ({})))],
  ['a name of 1,025 characters', JSON.stringify({ ['a'.repeat(1_025)]: 1 })],
] as const)('%s is refused', ([, text]) => {
  expect(read(bytes(text))).toMatchObject({ code: 'json_invalid', status: 400 })
})

test.for([
  ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ['an overlong form', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
] as const)('%s is refused', ([, sent]) => {
  expect(read(sent)).toMatchObject({ code: 'json_invalid' })
})

test.for([
  ['64 levels', nested(64)],
  ['10,000 values', JSON.stringify(Array.from({ length: 9_999 }, () => null))],
  ['a name of 1,024 characters', JSON.stringify({ ['a'.repeat(1_024)]: 1 })],
  ['the same name in two objects', '[{"a":1},{"a":1}]'],
  ['the same name above and below', '{"a":{"a":1}}'],
  ['a value that is the name', '{"a":"a","b":"a"}'],
  ['a string full of brackets', `"${'['.repeat(100)}"`],
  ['escaped quotes and backslashes', String.raw`{"a\"":"\\","a\\":"\""}`],
  ['__proto__ as a value', '["__proto__"]'],
  ['a proper surrogate pair', '"\\ud83d\\ude00"'],
  ['a number that a double keeps only roughly', '[0.1234567890123456789, 1e308, 1E-400, -0]'],
  ['the first integer over 2^53', '[9007199254740992]'],
] as const)('%s is accepted', ([, text]) => {
  expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
})

test('no message quotes what was sent', () => {
  for (const text of [
    '{"number":"4242424242424242"',
    '{"a":4242424242424242,}',
    '4242424242424242 x',
    '{"4242":1,"4242":2}',
  ]) {
    const error = read(bytes(text))
    expect(error).toBeInstanceOf(ApiError)
    expect(String(error)).not.toContain('4242')
  }
})

test('a megabyte of backslashes or quotes takes no longer than any other', () => {
  const before = process.threadCpuUsage() // not the clock: other programs may have the machine for seconds
  for (const piece of ['\\\\', '\\"', '\\u0061', 'a']) {
    parseJson(bytes(`{"a":"${piece.repeat(1_000_000 / piece.length)}"}`))
  }
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
})

function read(sent: Uint8Array): unknown {
  try {
    return parseJson(sent)
  } catch (error) {
    return error
  }
}
