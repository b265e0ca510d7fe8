import { TillwrightError } from '@tillwright/client'
import { expect, test } from 'vitest'
import { declined, refusal } from './refusal.ts'
import { languageOf, languages } from './texts/index.ts'

test.each([
  ['insufficient_funds', 'insufficientFunds'],
  ['expired_card', 'expiredCard'],
  ['incorrect_cvc', 'incorrectCode'],
  ['card_declined', 'declined'],
  ['a_reason_of_next_year', 'declined'],
])('%s is explained in the shop’s own words', (code, text) => {
  const error = new TillwrightError(code, 'The platform’s.', { status: 402, type: 'card_error' })
  expect(refusal(error)).toEqual({ status: 402, field: 'card', text })
})

test.each([
  ['authentication_cancelled', 'cancelled'],
  ['authentication_timed_out', 'timedOut'],
  ['authentication_failed', 'unauthenticated'],
])('of an authentication that ended as %s, the bank is blamed only where it was the bank', (declineCode, text) => {
  const error = new TillwrightError('authentication_required', 'No.', { status: 402, type: 'card_error', declineCode })
  expect(refusal(error).text).toBe(text)
  expect(declined(declineCode, 'card').text).toBe(text)
})

test.each([
  ['buyer_canceled', 'paymentCancelled'],
  ['payment_expired', 'paymentTimedOut'],
  ['debit_refused', 'debitRefused'],
  ['a_reason_of_next_year', 'unpaid'],
])('of a payment without a card that ended as %s, no card is spoken of', (declineCode, text) => {
  expect(declined(declineCode, 'ideal').text).toBe(text)
})

test('a buyer who cancelled reads nothing of a bank, in any language', () => {
  const banks = /bank|banque|banco|banca|銀行|مصرف/i
  for (const [language, { cancelled, declined: said }] of languages) {
    expect(cancelled, language).not.toMatch(banks)
    expect(said, language).toMatch(banks)
  }
})

test('a buyer reads the first of their languages that the shop has, in the way of their region', () => {
  expect(languageOf('de-AT,de;q=0.9,en;q=0.8')).toMatchObject({ tag: 'de-AT', direction: 'ltr' })
  expect(languageOf('fi-FI,fi;q=0.9,ar;q=0.4,nl;q=0.6')).toMatchObject({ tag: 'nl', texts: languages.get('nl') })
  expect(languageOf('AR-eg')).toMatchObject({ tag: 'ar-EG', direction: 'rtl' })
  for (const unknown of ['', '*', 'fil', 'fi', 'de;q=0', '"><script>', 'de-', 'x'.repeat(500)]) {
    expect(languageOf(unknown).tag, unknown).toBe('en')
  }
})

test('no text lacks what is put into it, and none is left in English', () => {
  const english = languages.get('en')
  for (const [language, texts] of languages) {
    expect(texts.pay, language).toContain('{amount}')
    expect(texts.blocked, language).toContain('{host}')
    if (language === 'en') continue
    expect(texts.cancelled, language).not.toBe(english?.cancelled)
  }
})

test.each([
  new TillwrightError('timed_out', 'Too late.'),
  new TillwrightError('internal', 'Oops.', { status: 500 }),
  new RangeError('a bug'),
])('an unknown outcome asks to try again, never says that nothing was charged: %s', (error) => {
  expect(refusal(error)).toMatchObject({ status: 502, text: 'unconfirmed' })
})

test('an e-mail address that the platform refuses is the field to correct', () => {
  const error = new TillwrightError('parameter_invalid', 'No.', { status: 400, param: 'customerData.email' })
  expect(refusal(error)).toMatchObject({ status: 400, field: 'email' })
})

test.each(['state_conflict', 'idempotency_key_in_use'])('%s asks again: another tab may be at it', (code) => {
  expect(refusal(new TillwrightError(code, 'Not yet.', { status: 409 })).text).toBe('unconfirmed')
})

test.each([
  ['rate_limit_exceeded', 429, 'rate_limit_error'],
  ['api_key_revoked', 401, 'authentication_error'],
  ['role_required', 403, 'permission_error'],
  ['response_invalid', 404, null],
])('%s says nothing of a purchase that was sent before, which may be paid', (code, status, type) => {
  expect(refusal(new TillwrightError(code, 'No.', { status, type })).text).toBe('unconfirmed')
})

test('a webhook that is not signed is refused', () => {
  expect(refusal(new TillwrightError('webhook_invalid', 'No.')).status).toBe(400)
})
