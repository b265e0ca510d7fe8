import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness, systemRandomness } from '../runtime/randomness.ts'
import { hashKeyText, newKeyText, readKeyText } from './api-keys.ts'

test.for([
  ['secret', 'local', 'test_sk_'],
  ['secret', 'development', 'test_sk_'],
  ['secret', 'production', 'live_sk_'],
  ['publishable', 'local', 'test_pk_'],
  ['publishable', 'production', 'live_pk_'],
] as const)('a %s key of "%s" is %s, 30 random characters and 6 of checksum', ([kind, environment, prefix]) => {
  const text = newKeyText(kind, environment, systemRandomness())
  expect(text).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{36}$`))
  expect(readKeyText(text)).toEqual({ kind, live: prefix.startsWith('live') })
})

test('a key in which one character was changed is no key', () => {
  const text = newKeyText('secret', 'local', seededRandomness('a'))
  const change = fc.tuple(
    fc.nat(text.length - 1),
    fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
  )
  fc.assert(
    fc.property(change, ([at, character]) => {
      fc.pre(text[at] !== character)
      return readKeyText(text.slice(0, at) + character + text.slice(at + 1)) === null
    }),
  )
})

test('whatever is not a key is read as none', () => {
  const text = newKeyText('secret', 'local', seededRandomness('a'))
  for (const other of [
    '',
    'test_sk_',
    text.slice(1),
    `${text}0`,
    ` ${text}`,
    `${text}\n`,
    text.replace('_sk_', '_xk_'),
  ]) {
    expect(readKeyText(other), other).toBeNull()
  }
  fc.assert(fc.property(fc.string(), (garbage) => readKeyText(garbage) === null))
})

test('the checksum of a known key stays what it is', () => {
  expect(readKeyText(newKeyText('secret', 'local', { bytes: (length) => new Uint8Array(length) }))).not.toBeNull()
})

test('a key is stored as its SHA-256', () => {
  expect(hashKeyText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
