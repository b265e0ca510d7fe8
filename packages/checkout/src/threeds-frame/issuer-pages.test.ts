import { expect, test } from 'vitest'
import { isIssuerUrl } from './session.ts'

const secure = { issuers: ['https://'] }
const local = { issuers: ['https://', 'http://localhost:', 'http://127.0.0.1:', 'http://[::1]:'] }
const long = 'https://bank.example/'

test.each(['https://bank.example/acs', 'https://bank.example:8443/acs?x=1', long.padEnd(2_048, 'x')])(
  'a form may be sent to %.40s',
  (url) => {
    expect(isIssuerUrl(url, secure)).toBe(true)
  },
)

test.each([
  '',
  'http://bank.example/',
  'http://localhost:4400/acs',
  'javascript:alert(1)//https://',
  'data:text/html,https://',
  ' https://bank.example/',
  '//bank.example/',
  '/acs',
  'blob:https://bank.example/1',
  'HTTPS://bank.example/',
  long.padEnd(2_049, 'x'),
])('none may be sent to %.40s', (url) => {
  expect(isIssuerUrl(url, secure)).toBe(false)
})

test('on this machine a bank may do without HTTPS, when the vault says so', () => {
  expect(isIssuerUrl('http://localhost:4400/acs/challenge', local)).toBe(true)
  expect(isIssuerUrl('http://[::1]:4400/acs', local)).toBe(true)
  expect(isIssuerUrl('http://localhost.example/', local)).toBe(false)
  expect(isIssuerUrl('http://bank.example/', local)).toBe(false)
})
