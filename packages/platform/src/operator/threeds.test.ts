import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../test/threeds/directory/self-signed.ts'
import type { DirectorySettings } from '../threeds/directory/settings.ts'
import { checkDirectorySettings } from './threeds.ts'

const settings: DirectorySettings = {
  serverReferenceNumber: 'REF',
  serverOperatorId: null,
  requestorId: null,
  url: 'https://ds.example/',
  networkUrls: {},
  clientCertificate: null,
  clientKey: null,
  authorities: null,
  resultCertificates: null,
}

test('without files of its own a provider shows nothing and trusts whom the machine trusts', async () => {
  const own = { ...settings, resultCertificates: await resultCertificates() }
  expect(await checkDirectorySettings(own)).toEqual(own)
})

test('a provider needs the certificates of those who bring its results', async () => {
  await expect(checkDirectorySettings(settings)).rejects.toThrow('--result-certificates: name a file in PEM')
  const without = { ...settings, resultCertificates: await resultCertificates('no certificate') }
  await expect(checkDirectorySettings(without)).rejects.toThrow('holds no certificate in PEM')
})

test('a certificate needs its own key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [clientCertificate, clientKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const one = selfSigned('one')
  await writeFile(clientCertificate, one.certificate)
  await writeFile(clientKey, one.key)
  const own = { ...settings, clientCertificate, clientKey, resultCertificates: await resultCertificates() }
  expect(await checkDirectorySettings(own)).toEqual(own)
  await writeFile(clientKey, selfSigned('another').key)
  await expect(checkDirectorySettings(own)).rejects.toThrow('the key that of the certificate')
})

test.for([
  [{ serverReferenceNumber: '' }, '--server-reference-number: must have 1 to 32 characters'],
  [{ serverOperatorId: 'x'.repeat(33) }, '--server-operator-id: must have 1 to 32'],
  [{ url: null }, '--directory-url: must be given'],
  [{ url: 'http://ds.example/' }, '--directory-url: must be an https: address'],
  [{ networkUrls: { visa: 'ds.example' } }, '--directory-url: must be an https: address'],
  [{ resultCertificates: 'ds.pem' }, '--result-certificates: must be an absolute path'],
  [{ authorities: 'ca.pem' }, '--authorities: must be an absolute path'],
  [{ clientCertificate: '/cert.pem' }, '--client-key: goes with --client-certificate'],
  [{ authorities: '/none/of/these.pem' }, 'the files cannot be used (ENOENT'],
] as const)('%j is refused: %s', async ([change, message]) => {
  await expect(checkDirectorySettings({ ...settings, ...change })).rejects.toThrow(message)
})

async function resultCertificates(text = selfSigned('directory').certificate): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'results-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'results.pem'), text)
  return join(folder, 'results.pem')
}
