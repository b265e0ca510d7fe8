import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { openAnswer, sealAnswer } from './idempotency.ts'

const secrets = secretBox(new Uint8Array(32).fill(1), seededRandomness('a'))
const key = { accountId: 'acc_1', key: 'k', fingerprint: 'f' }
const answer = { status: 201, body: '{"token":"fstok_ü"}' }

test('a sealed answer does not show what it holds, and is opened again', () => {
  const kept = sealAnswer(answer, key, secrets)
  expect(kept.body).not.toContain('fstok_')
  expect(kept.status).toBe(201)
  expect(openAnswer(kept, key, secrets)).toEqual(answer)
})

test('a sealed answer opens for its own key alone', () => {
  const kept = sealAnswer(answer, key, secrets)
  for (const other of [
    { ...key, key: 'l' },
    { ...key, accountId: 'acc_2' },
  ]) {
    expect(() => openAnswer(kept, other, secrets)).toThrow()
  }
})

test('an answer that was kept as it is stays so', () => {
  expect(openAnswer(answer, key, secrets)).toEqual(answer)
})
