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

// Where somebody has switched the attribute off, they guess by `name` and `id`. Chromium's patterns are public in its
// source, and Firefox has taken them over; of Safari the names are known that its card scanner was tried out with.
test.each([
  ['number', /card.?n(umber|um|o)/, 'cardnumber'],
  ['expiry', /exp.*date/, 'exp-date'],
  ['cvc', /cvc/, 'cvc'],
  ['name', /(card|cc).?name/, 'ccname'],
])('Chrome and Firefox guess %s by its name, and Safari knows it', (id, guessed, scanned) => {
  expect(inputs.get(id)?.['name']).toMatch(guessed)
  expect(inputs.get(id)?.['name']).toBe(scanned)
})

// Of the lists in Bitwarden's source those ids that are also the plain words which 1Password's own guide names.
test.each([
  ['number', ['number', 'card-number', 'cc-number']],
  ['expiry', ['expiry', 'card-expiry', 'cc-exp']],
  ['cvc', ['cvc', 'cvv', 'cc-csc']],
  ['name', ['name', 'card-name', 'cc-name']],
])('Bitwarden and 1Password know %s by its id', (id, words) => {
  expect(words).toContain(inputs.get(id)?.['id'])
})

test('the fields stand in one form, in the order in which they are judged, and nothing is filled in unasked', () => {
  expect([...inputs.keys()]).toEqual([...fieldNames])
  expect(html.match(/<form /g)).toHaveLength(1)
  expect(html).not.toMatch(/autocomplete="(off|on)"/)
})
