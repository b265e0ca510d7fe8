import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactOf, contactProblems } from './contact-problems.ts'

const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }

test('what is typed is read without spaces around it, and nothing is wrong with it', () => {
  const form = new FormData()
  for (const [name, value] of Object.entries(ada)) form.set(name, ` ${value} `)
  assert.deepEqual(contactOf(form), ada)
  assert.deepEqual(contactProblems(ada), {})
})

test('each empty field is reported', () => {
  assert.deepEqual(Object.keys(contactProblems(contactOf(new FormData()))), ['email', 'firstName', 'lastName'])
})

test('an address without a domain is not complete', () => {
  for (const email of ['ada', 'ada@', 'ada@example', 'ada lovelace@example.com']) {
    assert.deepEqual(Object.keys(contactProblems({ ...ada, email })), ['email'])
  }
})
