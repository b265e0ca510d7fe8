import { expect, test } from 'vitest'
import { withTemplate } from './use-settings.ts'

const settings = {
  look: { hero: 'split', accent: '#000' },
  landing: { headline: { en: 'Hello', de: 'Hallo' }, faq: [{ id: 1 }], eyebrow: { en: 'New' } },
}

test('without a template the settings are the same object', () => {
  expect(withTemplate(settings, undefined)).toBe(settings)
})

test('a template replaces single settings, whole lists and whole texts, and leaves the rest', () => {
  const template = { look: { hero: 'poster' }, landing: { headline: { en: 'Gifts' }, faq: [] } }
  expect(withTemplate(settings, template)).toEqual({
    look: { hero: 'poster', accent: '#000' },
    landing: { headline: { en: 'Gifts' }, faq: [], eyebrow: { en: 'New' } },
  })
})
