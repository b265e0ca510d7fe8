import { expect, test } from 'vitest'
import { readFrameAddress, readFrameSettings } from './config.ts'

test('an address says for whom the form is, by the first of each of its parameters', () => {
  const search = '?key=test_pk_1&origin=https%3A%2F%2Fshop.example&id=f_1&origin=https%3A%2F%2Fevil.example'
  expect(readFrameAddress(search)).toEqual({ key: 'test_pk_1', origin: 'https://shop.example', id: 'f_1' })
})

test('settings that the vault has not filled in are none', () => {
  expect(() => readFrameSettings('{{frame}}')).toThrow(SyntaxError)
})
