import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMessages } from './find-messages.ts'

async function messagesIn(source: string): Promise<string[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'messages-')), 'source.ts')
  await writeFile(file, source)
  return findMessages([file]).map(({ codes, text }) => `${codes.join(' ')}: ${text}`)
}

test.for([
  ['a literal', `new ApiError('a_code', 'It is wrong.')`, ['a_code: It is wrong.']],
  ['a template', 'new ApiError("a_code", `No ${thing.id} here.`)', ['a_code: No {id} here.']],
  ['a variable', `const message = 'Wrong.'\nnew ApiError('a_code', message)`, ['a_code: Wrong.']],
  ['a choice', `new ApiError('a_code', is ? 'One.' : 'Other.')`, ['a_code: One.', 'a_code: Other.']],
  ['two halves', `new ApiError('a_code', 'One, ' + 'two.')`, ['a_code: One, two.']],
  [
    'a function that is given the message',
    `function no(message: string) { return new ApiError('a_code', message) }\nno('First.')\nno('Second.')`,
    ['a_code: First.', 'a_code: Second.'],
  ],
  [
    'a function that is given code and message together',
    `function no(code: C, message: string) { return new ApiError(code, message) }\nno('a_code', 'A.')\nno('b_code', 'B.')`,
    ['a_code: A.', 'b_code: B.'],
  ],
  [
    'a function that makes the message',
    `function why() { return 'Because.' }\nnew ApiError('a_code', why())`,
    ['a_code: Because.'],
  ],
  ['a table', `const texts = { a: 'A.', b: 'B.' }\nnew ApiError('a_code', texts[x])`, ['a_code: A.', 'a_code: B.']],
  ['a problem of a field', `const issue = { path, code: 'a_code', message: 'Wrong.' }`, ['a_code: Wrong.']],
  ['a problem that a schema adds', `add({ code: 'custom', path, message: 'must be so' })`, [': must be so']],
  ['what cannot be followed', `new ApiError('a_code', elsewhere())`, ['a_code: {elsewhere}']],
] as const)('the catalogue has the message of %s', async ([, source, messages]) => {
  expect(await messagesIn(source)).toEqual(messages)
})
