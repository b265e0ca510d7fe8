import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { findsCardNumber } from '../vault/finds-card-number.ts'
import { parseJson } from './parse-request.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

test('every JSON value comes out as it went in', () => {
  // What a body may hold: no lone surrogates, no NUL, no "__proto__", at most 64 levels.
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
  const startMs = performance.now()
  for (const piece of ['\\\\', '\\"', '\\u0061', 'a']) {
    parseJson(bytes(`{"a":"${piece.repeat(1_000_000 / piece.length)}"}`))
  }
  expect(performance.now() - startMs).toBeLessThan(1_000)
})

function read(sent: Uint8Array): unknown {
  try {
    return parseJson(sent)
  } catch (error) {
    return error
  }
}
