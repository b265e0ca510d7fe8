import { expect, test } from 'vitest'
import { networkChoices } from './network-choices.ts'

test('the holder of a European co-badged card chooses between its networks', () => {
  expect(networkChoices(['bancontact', 'maestro'], {})).toEqual(['bancontact', 'maestro'])
  expect(networkChoices(['cartes_bancaires', 'visa'], {})).toEqual(['cartes_bancaires', 'visa'])
})

test('where the shop takes only one of them there is nothing to choose', () => {
  expect(networkChoices(['bancontact', 'maestro'], { blocked: ['bancontact'] })).toEqual([])
  expect(networkChoices(['bancontact', 'maestro'], { allowed: ['bancontact'] })).toEqual([])
  expect(networkChoices(['visa'], {})).toEqual([])
})

test('nobody is asked about the network that only carries a card abroad', () => {
  expect(networkChoices(['troy', 'discover'], {})).toEqual([])
  expect(networkChoices(['unionpay', 'discover'], {})).toEqual([])
})
