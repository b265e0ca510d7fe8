import { expect, test } from 'vitest'
import { addressLines } from './thank-you-page.tsx'

const ada = { firstName: 'Ada', lastName: 'Byrne', locale: 'de' }

test('an address is written as its country writes it, in the words of the page', () => {
  const berlin = { line1: '1 Torstraße', line2: null, postalCode: '10119', city: 'Berlin', country: 'DE' }
  expect(addressLines(berlin, ada)).toEqual(['Ada Byrne', '1 Torstraße', '10119 Berlin', 'Deutschland'])
  const oakland = { line1: '12 Weaver Street', city: 'Oakland', state: 'CA', postalCode: '94607', country: 'US' }
  expect(addressLines(oakland, ada).slice(2)).toEqual(['Oakland CA 94607', 'Vereinigte Staaten'])
})
