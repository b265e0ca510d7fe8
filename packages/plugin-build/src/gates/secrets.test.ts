import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSecrets } from './secrets.ts'

// In pieces, so that scanners do not report this file.
const random = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const secrets: [string, string][] = [
  ['a secret key of Tillwright', `test_sk_${random}`],
  ['a secret key of Tillwright', `live_sk_${random}`],
  ['the secret of a webhook endpoint', `whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  ['a secret key of Stripe', ['sk', 'live', random].join('_')],
  ['a secret key of Stripe', ['rk', 'test', random].join('_')],
  ['an access key of AWS', ['AKIA', 'IOSFODNN7EXAMPLE'].join('')],
  ['a secret access key of AWS', `AWS_SECRET_ACCESS_KEY = "${random}abcd`],
  ['a token of GitHub', `ghp_${random}`],
  ['a token of GitHub', `github_pat_${random}`],
  ['a token of npm', `npm_${random}`],
  ['a token of Slack', ['xoxb', '123456789012', 'abcdef'].join('-')],
  ['a private key', ['-----BEGIN', 'RSA', 'PRIVATE', 'KEY-----'].join(' ')],
]

test.for(secrets)('%s is found at its start, and not repeated in the message', ([name, secret]) => {
  const found = findSecrets(`const key = "${secret}"`, [])
  expect(found).toMatchObject([{ code: 'secret', severity: 'error', rule: `A page must not contain ${name}.` }])
  expect(found[0]?.index).toBe(name.startsWith('a secret access') ? 38 : 13)
  expect(JSON.stringify(found)).not.toContain(random)
})

test.for([
  'a publishable key: test_pk_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  'a task: task_live_a1B2c3D4e5F6g7H8',
  'prefixes alone: whsec_ sk_live_ ghp_ npm_ AKIA',
  '-----BEGIN PUBLIC KEY-----',
])('%s is not a secret', (text) => {
  expect(findSecrets(text, [])).toEqual([])
})

test('the value of a hidden variable is found literally and as escaped in a script, and never repeated', () => {
  const values = fc.string({ minLength: 8, maxLength: 40 })
  fc.assert(
    fc.property(values, (value) => {
      const hidden = [{ file: '.env', name: 'TOKEN', value }]
      for (const text of [`;${value};`, `a=${JSON.stringify(value)}`]) {
        expect(findSecrets(text, hidden).map(({ code }) => code)).toEqual(['hidden-variable'])
      }
    }),
  )
  const found = findSecrets('x = "not for buyers"', [{ file: '.env', name: 'TOKEN', value: 'not for buyers' }])
  expect(found.map(({ rule }) => rule)).toEqual(['A page must not contain the value of TOKEN from .env.'])
  expect(JSON.stringify(found)).not.toContain('not for')
})

test('a value of seven characters is ignored', () => {
  expect(findSecrets('1234567', [{ file: '.env', name: 'SHORT', value: '1234567' }])).toEqual([])
})
