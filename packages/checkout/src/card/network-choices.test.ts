import { expect, test } from 'vitest'
import { networkChoices, takenNetworks } from './accepts-brand.ts'

test('the holder of a European co-badged card chooses between its networks', () => {
  expect(networkChoices(['bancontact', 'maestro'])).toEqual(['bancontact', 'maestro'])
  expect(networkChoices(['cartes_bancaires', 'visa'])).toEqual(['cartes_bancaires', 'visa'])
})

test('where the shop takes only one of them there is nothing to choose', () => {
  expect(takenNetworks('6703', {})).toEqual(['bancontact', 'maestro'])
  expect(takenNetworks('6703', { blocked: ['bancontact'] })).toEqual(['maestro'])
  expect(takenNetworks('6703', { allowed: ['bancontact'] })).toEqual(['bancontact'])
  expect(takenNetworks('6703', { allowed: ['visa'] })).toEqual([])
  for (const taken of [['maestro'], ['bancontact'], ['visa'], []] as const) expect(networkChoices(taken)).toEqual([])
})

test('buyers are not asked about the network that only carries a card abroad', () => {
  expect(networkChoices(['troy', 'discover'])).toEqual([])
  expect(networkChoices(['unionpay', 'discover'])).toEqual([])
})
