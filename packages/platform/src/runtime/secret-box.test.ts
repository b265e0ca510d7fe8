import { createHmac, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRandomness } from './randomness.ts'
import { type BoxKeys, boxOf as keyedBox, secretBox } from './secret-box.ts'

const plaintext = Buffer.from('a shop’s credentials')
const boxOf = (byte: number, seed = 'a') => secretBox(new Uint8Array(32).fill(byte), seededRandomness(seed))

test('what was sealed is opened again', () => {
  const sealed = boxOf(1).seal('purpose', plaintext, 'store_1')
  expect(Buffer.from(sealed.replace('1:', ''), 'base64').includes(plaintext)).toBe(false)
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
  const sealed = Buffer.from(boxOf(1).seal('purpose', plaintext, 'store_1').replace('1:', ''), 'base64')
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(() => boxOf(1).open('purpose', `1:${altered.toString('base64')}`, 'store_1'), String(at)).toThrow()
  }
})

test('a MAC is HMAC-SHA256 under a key derived for its purpose, whatever the length of the text', () => {
  const key = Buffer.from(hkdfSync('sha256', new Uint8Array(32).fill(1), '', 'tillwright p', 32))
  for (const text of ['', 'text', 'é€😀', 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(10_000)]) {
    expect(boxOf(1).mac('p', text)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
  }
})

test('a MAC depends on key, purpose and text, and on nothing else', () => {
  const mac = (byte: number, purpose: string, text: string) => boxOf(byte, String(byte)).mac(purpose, text)
  const macs = [mac(1, 'p', 't'), mac(2, 'p', 't'), mac(1, 'q', 't'), mac(1, 'p', 'u')]
  expect(new Set(macs).size).toBe(4)
  expect(boxOf(1, 'other').mac('p', 't')).toBe(macs[0])
})

test('after a new data key, the former one opens and verifies, and MACs stay the same', () => {
  const random = seededRandomness('keys')
  const [one, two, mac] = [random.bytes(32), random.bytes(32), random.bytes(32)]
  const keys: BoxKeys = { active: 1, kept: new Map([[1, one]]), mac }
  const box = keyedBox(() => keys, random)
  const [sealed, signed, fingerprint] = [box.seal('p', plaintext, 'row'), box.sign('p', 'text'), box.mac('p', 'text')]
  Object.assign(keys, {
    active: 2,
    kept: new Map([
      [1, one],
      [2, two],
    ]),
  })
  expect(Buffer.from(box.open('p', sealed, 'row'))).toEqual(plaintext)
  expect(box.signatures('p', 'text')).toContainEqual(signed)
  expect(box.sign('p', 'text')).not.toEqual(signed)
  expect(box.mac('p', 'text')).toEqual(fingerprint)
  const resealed = box.reseal('p', sealed, 'row')
  expect(resealed).toMatch(/^2:/)
  expect(box.reseal('p', resealed, 'row')).toBe(resealed)
  Object.assign(keys, { kept: new Map([[2, two]]) })
  expect(() => box.open('p', sealed, 'row')).toThrow('data key 1')
  expect(box.signatures('p', 'text')).not.toContainEqual(signed)
  expect(Buffer.from(box.open('p', resealed, 'row'))).toEqual(plaintext)
})

test('each use is counted by operation, purpose and key', () => {
  const random = seededRandomness('uses')
  const keys: BoxKeys = { active: 3, kept: new Map([[3, random.bytes(32)]]), mac: random.bytes(32) }
  const uses: string[] = []
  const box = keyedBox(
    () => keys,
    random,
    (...use) => uses.push(use.join(' ')),
  )
  box.open('p', box.seal('p', plaintext, 'row'), 'row')
  box.sign('q', '')
  box.signatures('q', '')
  box.mac('r', '')
  expect(uses).toEqual(['seal p 3', 'open p 3', 'sign q 3', 'verify q 3', 'mac r 0'])
})

test('a key has 32 bytes', () => {
  expect(() => secretBox(new Uint8Array(16), seededRandomness('a'))).toThrow('32 bytes')
})
