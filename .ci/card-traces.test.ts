import { expect, test } from 'vitest'
import { cardTraces } from './card-traces.ts'

const NUMBER = '4000001234567899'

test.each([
  ['plain', NUMBER],
  ['in groups', 'card 4000 0012 3456 7899!'],
  ['with hyphens', '4000-0012-3456-7899'],
  ['in a query', 'number=4000+0012+3456+7899'],
  ['in hexadecimal', Buffer.from(`x${NUMBER}`).toString('hex')],
  ['in base64', Buffer.from(JSON.stringify({ number: NUMBER })).toString('base64')],
  ['in base64, one later', Buffer.from(JSON.stringify({ number: `+${NUMBER}` })).toString('base64')],
  ['in base64url, two later', Buffer.from(JSON.stringify({ number: `++${NUMBER}` })).toString('base64url')],
  ['in UTF-16', Buffer.from(NUMBER, 'utf16le')],
])('a number that stands there %s is found', (_, text) => {
  expect(cardTraces(Buffer.from(text), NUMBER)).not.toEqual([])
})

test('another number and the last four digits are not taken for it', () => {
  expect(cardTraces(Buffer.from('4242424242424242 **** 7899 400000 12345678'), NUMBER)).toEqual([])
})
