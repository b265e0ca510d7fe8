import { expect, test } from 'vitest'
import { type CountryHints, guessCountry } from './use-country.ts'

const nothing: CountryHints = { known: null, preview: null, preferred: '', languages: [] }
const allowed = ['DE', 'FR', 'US']

test.for([
  ['what was typed before', { known: 'FR', preview: 'DE' }, 'FR'],
  ['what a preview asks for', { preview: 'DE', preferred: 'FR' }, 'DE'],
  ['what the shop has set', { preferred: 'FR', languages: ['de-DE'] }, 'FR'],
  ['the region of the first language that has one', { languages: ['de', 'de-DE', 'fr-FR'] }, 'DE'],
  ['a place that goods are sent to', { known: 'JP', languages: ['en-GB', 'fr-FR'] }, 'FR'],
  ['the United States where nothing speaks for another', { languages: ['no tag'] }, 'US'],
] as const)('a form begins with %s', ([, hints, country]) => {
  expect(guessCountry({ ...nothing, ...hints }, allowed)).toBe(country)
})

test('a shop that sends to one country begins with it', () => {
  expect(guessCountry({ ...nothing, languages: ['en-US'] }, ['IE'])).toBe('IE')
})
