import assert from 'node:assert/strict'
import { test } from 'node:test'
import { period } from './period.ts'

test('a price says how often it is paid, in words of the language', () => {
  assert.deepEqual(period({ interval: 'month', intervalCount: 1 }), { en: '/ month', de: '/ Monat' })
  assert.deepEqual(period({ interval: 'week', intervalCount: 2 }), { en: '/ 2 weeks', de: '/ 2 Wochen' })
})
