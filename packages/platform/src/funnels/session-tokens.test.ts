import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { newSessionToken } from './session-tokens.ts'

test('a token says what it is, holds 256 random bits, and is stored as its SHA-256', () => {
  const randomness = seededRandomness('a')
  const token = newSessionToken(randomness)
  expect(token.text).toMatch(/^fstok_[0-9A-Za-z]{43}$/)
  expect(token.hash).toBe(hash('sha256', token.text))
  expect(newSessionToken(randomness).text).not.toBe(token.text)
})
