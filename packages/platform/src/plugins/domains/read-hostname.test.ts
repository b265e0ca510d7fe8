import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../runtime/errors.ts'
import { readHostname } from './promote.ts'

test.for([
  ['Shop.Example.COM', 'shop.example.com'],
  ['shop.example.com.', 'shop.example.com'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['ａ．example', 'a.example'],
  ['中文。com', 'xn--fiq228c.com'],
  ['shop.localhost', 'shop.localhost'],
])('the host name %s is read as %s', ([sent = '', read]) => {
  expect(readHostname(sent, 'hostname')).toBe(read)
})

test.for([
  '',
  'localhost',
  '127.0.0.1',
  '0x7f.1',
  '1.2.3',
  '2130706433',
  '１２７.0.0.1',
  '[::1]',
  '::1',
  'shop.example:443',
  'https://shop.example',
  'shop.example/path',
  'user@shop.example',
  'a b.example',
  'a%2eb.example',
  '*.shop.example',
  '.shop.example',
  'shop..example',
  'shop.example..',
  '_tillwright.shop.example',
  '-a.example',
  'a-.example',
  `${'x'.repeat(64)}.example`,
  `${'a.'.repeat(125)}example`,
  'a\u0000b.example',
])('%j is no host name', (sent) => {
  expect(() => readHostname(sent, 'customDomain')).toThrow(/^customDomain must be a host name/)
})

test('whatever is read reads the same again, and is plain lower-case ASCII', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.domain(),
        fc.string({ unit: 'grapheme' }).map((text) => `${text}.example`),
      ),
      (sent) => {
        const read = attempt(sent)
        if (read === null) return
        expect(read).toMatch(/^[a-z0-9.-]+$/)
        expect(readHostname(read, 'hostname')).toBe(read)
      },
    ),
  )
})

function attempt(sent: string): string | null {
  try {
    return readHostname(sent, 'hostname')
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    return null
  }
}
