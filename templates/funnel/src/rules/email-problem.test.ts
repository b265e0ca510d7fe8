import assert from 'node:assert/strict'
import { test } from 'node:test'
import { texts } from '../texts.ts'
import { emailProblem } from './email-problem.ts'

test('an address that may be one has no problem', () => {
  assert.equal(emailProblem('ada@example.com'), null)
})

test('nothing, and an address without a domain, are told apart', () => {
  assert.equal(emailProblem(''), texts.emailMissing)
  for (const email of ['ada', 'ada@', 'ada@example', 'ada l@example.com'])
    assert.equal(emailProblem(email), texts.emailWrong)
})
