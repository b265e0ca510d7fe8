import { expect, test } from 'vitest'
import { seededRandomness } from './randomness.ts'
import { secretBox } from './secret-box.ts'

const plaintext = Buffer.from('a shop’s credentials')
const boxOf = (byte: number, seed = 'a') => secretBox(new Uint8Array(32).fill(byte), seededRandomness(seed))

test('what was sealed is opened again', () => {
  const sealed = boxOf(1).seal('purpose', plaintext, 'store_1')
  expect(Buffer.from(sealed, 'base64').includes(plaintext)).toBe(false)
  expect(Buffer.from(boxOf(1, 'b').open('purpose', sealed, 'store_1'))).toEqual(plaintext)
})

test('the same text is sealed differently each time', () => {
  const box = boxOf(1)
  expect(box.seal('purpose', plaintext, 'store_1')).not.toBe(box.seal('purpose', plaintext, 'store_1'))
})

test('a box opens with its own key, purpose and row alone', () => {
  const sealed = boxOf(1).seal('purpose', plaintext, 'store_1')
  expect(() => boxOf(2).open('purpose', sealed, 'store_1')).toThrow()
  expect(() => boxOf(1).open('another', sealed, 'store_1')).toThrow()
  expect(() => boxOf(1).open('purpose', sealed, 'store_2')).toThrow()
})

test('a box in which any byte was altered does not open', () => {
  const sealed = Buffer.from(boxOf(1).seal('purpose', plaintext, 'store_1'), 'base64')
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(() => boxOf(1).open('purpose', altered.toString('base64'), 'store_1'), String(at)).toThrow()
  }
})

test('a MAC depends on key, purpose and text, and on nothing else', () => {
  const mac = (byte: number, purpose: string, text: string) =>
    boxOf(byte, String(byte)).mac(purpose, text).toString('hex')
  const macs = [mac(1, 'p', 't'), mac(2, 'p', 't'), mac(1, 'q', 't'), mac(1, 'p', 'u')]
  expect(new Set(macs).size).toBe(4)
  expect(boxOf(1, 'other').mac('p', 't').toString('hex')).toBe(macs[0])
})

test('a key has a name that does not give it away, and 32 bytes', () => {
  expect(boxOf(1).keyId).toMatch(/^[0-9a-f]{8}$/)
  expect(boxOf(1).keyId).not.toBe(boxOf(2).keyId)
  expect(() => secretBox(new Uint8Array(16), seededRandomness('a'))).toThrow('32 bytes')
})
