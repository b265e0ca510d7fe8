import { expect, test } from 'vitest'
import { pluginSlug } from './deploy.ts'

test.for([
  ['One-Page  Checkout!', 'one-page-checkout'],
  ['  one page checkout ', 'one-page-checkout'],
  ['Größe 42', 'größe-42'],
  ['cafe\u0301', 'caf\u00e9'],
  ['お支払い', 'お支払い'],
  ['***', '***'],
])('the name %j is known as %s', ([name = '', slug]) => {
  expect(pluginSlug(name)).toBe(slug)
})
