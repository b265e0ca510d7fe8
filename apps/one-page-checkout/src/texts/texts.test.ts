import { expect, test } from 'vitest'
import en from './en.json'
import { languageOf, languages } from './languages.ts'
import { loadTexts } from './load-texts.ts'

test.for(languages.map(({ tag }) => tag))('%s says all that English says, with the same values in it', async (tag) => {
  const texts: Record<string, string> = await loadTexts(tag)
  const valuesOf = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted())
  for (const [key, text] of Object.entries(en)) expect(valuesOf(texts[key]), key).toEqual(valuesOf(text))
  if (tag !== 'en') expect(texts['checkoutTitle']).not.toBe(en.checkoutTitle)
})

test('a region takes its language, and an unknown language is English', () => {
  expect(['de-AT', 'AR', 'fr', 'pt-BR'].map(languageOf)).toEqual(['de', 'ar', 'fr', 'en'])
})
