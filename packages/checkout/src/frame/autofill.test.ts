import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldNames } from '../card/check-card.ts'

const html = await readFile(join(import.meta.dirname, 'card.html'), 'utf8')

/** An input's attributes, by its id. */
const inputs = new Map(
  Array.from(html.matchAll(/<input\s([^>]*)\/>/g), ([, attributes = '']) => {
    const pairs = Array.from(attributes.matchAll(/([\w-]+)="([^"]*)"/g), ([, key, value]) => [key, value])
    const input: Record<string, string> = Object.fromEntries(pairs)
    return [input['id'], input]
  }),
)

test.each([
  ['number', 'cc-number'],
  ['expiry', 'cc-exp'],
  ['cvc', 'cc-csc'],
  ['name', 'cc-name'],
])('the HTML standard’s name for %s, which all browsers and password managers ask for first, is %s', (id, token) => {
  expect(inputs.get(id)?.['autocomplete']).toBe(token)
})

// If the attribute is switched off, browsers guess by `name` and `id`. Chromium's patterns are public in its
// source, and Firefox has taken them over.
test.each([
  ['number', /card.?n(umber|um|o)/],
  ['expiry', /exp.*date/],
  ['cvc', /cvc/],
  ['name', /(card|cc).?name/],
])('Chrome and Firefox guess %s by its name', (id, guessed) => {
  expect(inputs.get(id)?.['name']).toMatch(guessed)
})

// Apple publishes nothing; that this name brings up the scanner is known from trials.
test('Safari offers to scan a card into the number', () => {
  expect(inputs.get('number')?.['name']).toBe('cardnumber')
})

// From the lists in Bitwarden's source, which compares `autocomplete`, `name` and `id` with them in this order. 1Password
// publishes none.
test.each([
  ['number', ['cc-number', 'card-number', 'number']],
  ['expiry', ['cc-exp', 'card-expiry', 'expiry']],
  ['cvc', ['cc-csc', 'cvv', 'cvc']],
  ['name', ['cc-name', 'card-name', 'name']],
])('Bitwarden knows %s by its attribute, and without that by its id', (id, words) => {
  expect(words).toContain(inputs.get(id)?.['autocomplete'])
  expect(words).toContain(inputs.get(id)?.['id'])
})

test('the fields stand in one form, in the order in which they are judged, and nothing is filled in unasked', () => {
  expect([...inputs.keys()]).toEqual([...fieldNames])
  expect(html.match(/<form /g)).toHaveLength(1)
  expect(html).not.toMatch(/autocomplete="(off|on)"/)
})
