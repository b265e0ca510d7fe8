import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packTexts } from './language-files.ts'
import { directionOf, localeTags } from './locale.ts'
import { en } from './texts.ts'

const folder = join(import.meta.dirname, 'languages')
const english = packTexts(en)
const languages = await Promise.all(
  localeTags.map(async (tag) => {
    const texts = JSON.parse(await readFile(join(folder, `${tag}.json`), 'utf8'))
    return { tag, texts, packed: packTexts({ ...texts, locale: tag }) }
  }),
)

test('the form speaks at least 35 languages, and every file is one of them', async () => {
  expect(localeTags.length + 1).toBeGreaterThanOrEqual(35)
  expect((await readdir(folder)).toSorted()).toEqual(localeTags.map((tag) => `${tag}.json`).toSorted())
})

test.each(languages)('$tag says all that English says, and no more', ({ tag, texts, packed }) => {
  expect(paths({ locale: tag, ...texts })).toEqual(paths(en))
  // A text left in English would show here; only the digits of the first placeholder are the same everywhere.
  const untranslated = packed.filter((text) => /[a-z]{2}/.test(text) && english.includes(text))
  expect(untranslated).toEqual([])
})

test.each(languages)('$tag counts digits where English does', ({ packed }) => {
  const counts = (text: string): string[] => text.match(/\{.*?\}/g) ?? []
  expect(packed.map(counts)).toEqual(english.map(counts))
})

test.each(languages)(
  '$tag has tidy texts and shows an expiry date as it is typed, on one line',
  ({ texts, packed }) => {
    for (const text of packed) expect(text).toMatch(/^\S.*\S$/)
    for (const text of packed) expect(text.length).toBeLessThanOrEqual(110)
    expect(texts.placeholders.expiry).toMatch(/^\S+ \/ \S+$/)
    expect(texts.incomplete.expiry).toContain('04\u00a0/\u00a030')
  },
)

test.each(languages.filter(({ tag }) => directionOf(tag) === 'rtl'))(
  '$tag keeps month and year in their order among words that run the other way',
  ({ texts }) => {
    expect(texts.incomplete.expiry).toContain('\u206604\u00a0/\u00a030\u2069')
    expect(texts.placeholders.cvc).toMatch(/^\u200f/)
  },
)

test('a language without one of the texts is not built', () => {
  expect(() => packTexts({ ...en, labels: { number: 'Numéro', expiry: 'Date' } })).toThrow(
    'texts.labels.cvc is missing',
  )
  expect(() => packTexts(null)).toThrow('texts.locale is missing')
})

/** The names of all texts, in order. */
function paths(texts: object, prefix = ''): string[] {
  return Object.entries(texts)
    .flatMap(([key, value]) => (typeof value === 'string' ? [prefix + key] : paths(value, `${prefix}${key}.`)))
    .toSorted()
}
