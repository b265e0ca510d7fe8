import { expect, test } from 'vitest'
import { z } from 'zod'
import { ruleMessage } from './rule-messages.ts'

const text = z.string()
const cases: readonly [what: string, schema: z.ZodType, sent: unknown, message: string][] = [
  ['a number for a string', text, 1, 'must be a string, not a number'],
  ['null for a string', text, null, 'must be a string, not null'],
  ['a list for an object', z.object({}), [], 'must be an object, not a list'],
  ['a string for a record', z.record(text, text), 'x', 'must be an object, not a string'],
  ['an object for a list', z.array(text), {}, 'must be a list, not an object'],
  ['a string for a boolean', z.boolean(), 'yes', 'must be true or false, not a string'],
  ['a boolean for a number', z.number(), true, 'must be a number, not a boolean'],
  ['text in a query for a number', z.coerce.number(), 'x', 'must be a number'],
  ['a fraction for a whole number', z.int(), 1.5, 'must be a whole number'],
  ['a string for a whole number', z.int(), '1', 'must be a number, not a string'],
  ['another literal', z.literal('card'), 'bank', 'must be "card"'],
  ['another choice', z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  ['an empty string', text.min(1), '', 'must not be empty'],
  ['a short string', text.min(2), 'a', 'must have at least 2 characters'],
  ['a long string', text.max(1), 'ab', 'must have at most 1 character'],
  ['a string of another length', text.length(2), 'abc', 'must have exactly 2 characters'],
  ['an empty list', z.array(text).min(1), [], 'must have at least 1 entry'],
  ['a long list', z.array(text).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
  ['a small number', z.number().min(1), 0, 'must be at least 1'],
  ['a number on an open bound', z.number().gt(0), 0, 'must be more than 0'],
  ['a large number', z.number().max(100), 101, 'must be at most 100'],
  ['a number on an open upper bound', z.number().lt(100), 100, 'must be less than 100'],
  ['an e-mail address without @', z.email(), 'x', 'must be an e-mail address, such as "ada@example.com"'],
  [
    'a field that is not one',
    z.strictObject({}),
    { x: 1 },
    'is not a field of this object; correct its name or leave it out',
  ],
  ['neither of two kinds', text.or(z.array(text)), 1, 'must be a string or a list'],
]

test.for(cases)('%s is refused in plain words', ([, schema, sent, message]) => {
  expect(schema.safeParse(sent, { error: ruleMessage }).error?.issues[0]?.message).toBe(message)
})

test('a rule with a message of its own keeps it', () => {
  const schema = text.regex(/^[A-Z]+$/, 'must be upper case')
  expect(schema.safeParse('x', { error: ruleMessage }).error?.issues[0]?.message).toBe('must be upper case')
})
