import assert from 'node:assert/strict'
import { test } from 'node:test'
import { texts } from '../texts.ts'
import { debitOf, debitProblems, methodOf } from './paid-with.ts'

const debit = { iban: 'DE89 3704 0044 0532 0130 00', holderName: 'Ada Lovelace', mandateAccepted: true }

test('a debit is read from the form, and its problems are reported by field', () => {
  const form = new FormData()
  assert.deepEqual(Object.keys(debitProblems(debitOf(form))), ['iban', 'holderName', 'mandateAccepted'])
  form.set('iban', debit.iban)
  form.set('holderName', debit.holderName)
  form.set('mandateAccepted', 'on')
  assert.deepEqual(debitOf(form), debit)
  assert.deepEqual(debitProblems(debit), {})
  assert.deepEqual(debitProblems({ ...debit, iban: 'DE89 3704 0044 0532 0130 01' }), { iban: texts.ibanWrong })
})

test('a card needs no method, and a debit sends its account', () => {
  assert.equal(methodOf('card', debit), null)
  assert.deepEqual(methodOf('ideal', debit), { type: 'ideal' })
  assert.deepEqual(methodOf('sepa_debit', debit), { type: 'sepa_debit', ...debit, iban: 'DE89370400440532013000' })
})
