import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../../platform/test/threeds/directory/self-signed.ts'
import { runCommand } from '../testing/run-command.ts'
import { directoryUrls } from './threeds.ts'

test('a directory server applies to all networks, or to one', () => {
  expect(directoryUrls(['https://ds.example/?a=b', 'visa=https://visa.example/'])).toEqual({
    url: 'https://ds.example/?a=b',
    networkUrls: { visa: 'https://visa.example/' },
  })
  expect(directoryUrls(['amex=https://amex.example/'])).toEqual({
    url: null,
    networkUrls: { amex: 'https://amex.example/' },
  })
})

test.for([
  [['constructor=https://x.example'], "'constructor' must be one of: visa"],
  [['visa=https://x.example', 'visa=https://y.example'], "'visa' is given twice"],
  [['https://x.example', 'https://y.example'], 'pass it once'],
] as const)('%j is refused: %s', ([texts, message]) => {
  expect(() => directoryUrls(texts)).toThrow(message)
})

test('update changes what is named and nothing else; a certificate goes with its own key', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const files = ['first.pem', 'first.key', 'second.pem', 'second.key'].map((name) => join(home, name))
  const [first = '', firstKey = '', second = '', secondKey = ''] = files
  const pairs = [selfSigned('first'), selfSigned('second')].flatMap(({ certificate, key }) => [certificate, key])
  await Promise.all(files.map((file, at) => writeFile(file, pairs[at] ?? '')))
  const threeds = (...args: string[]) => runCommand(['threeds', ...args], { TILLWRIGHT_HOME: join(home, 'platform') })
  const changed = async (...args: string[]) => JSON.parse((await threeds('update', 'vendor_a', ...args, '--json')).out)
  expect(
    (await runCommand(['accounts', 'create', '--name', 'Shop'], { TILLWRIGHT_HOME: join(home, 'platform') })).code,
  ).toBe(0)

  const asked = ['--provider', 'vendor_a', '--server-reference-number', 'REF', '--directory-url', 'https://ds.example/']
  const pair = ['--client-certificate', first, '--client-key', firstKey, '--result-certificates', first]
  const { code, out } = await threeds('add', ...asked, ...pair, '--json')
  expect(code).toBe(0)
  const before = JSON.parse(out)
  expect(await threeds('add', ...asked, ...pair)).toMatchObject({
    code: 1,
    err: expect.stringContaining('threeds update'),
  })

  expect((await changed('--client-certificate', second)).error.message).toContain('the key that of the certificate')
  expect((await changed()).error.message).toContain('Name what changes')
  const after = { ...before, clientCertificate: second, clientKey: secondKey }
  expect(await changed('--client-certificate', second, '--client-key', secondKey)).toEqual(after)
  const urls = { url: null, networkUrls: { visa: 'https://visa.example/' } }
  expect(await changed('--directory-url', 'visa=https://visa.example/')).toEqual({ ...after, ...urls })
})
