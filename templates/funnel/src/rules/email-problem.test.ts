import assert from 'node:assert/strict'
import { test } from 'node:test'
import { texts } from '../texts.ts'
import { emailOf, emailProblem } from './email-problem.ts'

test('an address that may be one has no problem, and no spaces around it', () => {
  const form = new FormData()
  form.set('email', ' ada@example.com ')
  assert.equal(emailOf(form), 'ada@example.com')
  assert.equal(emailProblem('ada@example.com'), null)
})

test('nothing, and an address without a domain, are told apart', () => {
  assert.equal(emailProblem(''), texts.emailMissing)
  for (const email of ['ada', 'ada@', 'ada@example', 'ada l@example.com'])
    assert.equal(emailProblem(email), texts.emailWrong)
})
