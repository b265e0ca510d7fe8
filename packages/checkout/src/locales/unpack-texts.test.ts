import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTexts, unpackTexts } from './language-files.ts'
import { en } from './texts.ts'

const packed = packTexts(en)

test('any list of as many texts comes back in its order', () => {
  const list = fc.array(fc.string({ minLength: 1 }), { minLength: packed.length, maxLength: packed.length })
  fc.assert(
    fc.property(list, (texts) => {
      expect(packTexts(unpackTexts(texts))).toEqual(texts)
    }),
  )
})

test('a list that is too short or too long, and a text that is empty or none, are refused', () => {
  expect(unpackTexts(packed.slice(1))).toBeNull()
  expect(unpackTexts([...packed, 'more'])).toBeNull()
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.constantFrom('', null, 7, {}, ['text']), (place, wrong) => {
      expect(unpackTexts(packed.with(place, wrong as string))).toBeNull()
    }),
  )
})

test('whatever else a file holds is refused', () => {
  fc.assert(fc.property(fc.jsonValue(), (data) => unpackTexts(data) === null))
})
