import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from '../../test/threeds/directory/self-signed.ts'
import { readClientCertificate } from './threeds-pages.ts'

const { certificate: pem } = selfSigned('directory')
const { raw, fingerprint256 } = new X509Certificate(pem)
const base64 = raw.toString('base64')
const lines = base64.replaceAll(/.{64}/g, '$&\n')

test.for([
  ['RFC 9440', `:${base64}:`],
  ['HAProxy', base64],
  ['nginx', encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`)],
  [
    'AWS, which leaves + = / as they are',
    encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`)
      .replaceAll('%2B', '+')
      .replaceAll('%3D', '=')
      .replaceAll('%2F', '/'),
  ],
] as const)('a certificate is read as %s writes it', ([, header]) => {
  expect(readClientCertificate({ 'client-cert': header }, 'client-cert')?.fingerprint256).toBe(fingerprint256)
})

test.for([
  '',
  '::',
  ':!:',
  '%',
  '%zz',
  'CN=directory',
  `${base64}, ${base64}`,
  `:${base64.slice(0, 100)}:`,
  'A'.repeat(20_000),
])('%.20s is no certificate', (header) => {
  expect(readClientCertificate({ 'client-cert': header }, 'client-cert')).toBeNull()
})

test('without the header there is none', () => {
  expect(readClientCertificate({}, 'client-cert')).toBeNull()
})
