import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SHOP_URL, sharedPlatform, startTestPlatform } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { openOperator, type Operator } from './operator.ts'

const merchantIdentifier = 'merchant.com.example.shop'
const merchantName = 'Canvas & Co'
/** For how long the certificates below are good: the clock of a platform under test is years ahead. */
const DAYS = 3_650

describe('an operator', () => {
  const platform = sharedPlatform()
  let operator: Operator
  beforeAll(async () => void (operator = await openOperator(readConfig({ TILLWRIGHT_HOME: platform().folder }))))
  afterAll(() => operator.close())
  const shown = () => platform().call(contract.vault.readWallets, { query: { origin: SHOP_URL } })

  test('lets an account take Apple Pay, renews its keys, and ends it', async () => {
    const [first, second] = [appleFile(merchantIdentifier), appleFile(merchantIdentifier)]
    const own = {
      wallet: 'apple_pay',
      merchantIdentifier,
      merchantName,
      key: first,
      identity: appleFile(null),
    } as const
    const added = await operator.wallets.add({ ...own, domainAssociation: '7B227073704964' })
    expect(added).toMatchObject({ wallet: 'apple_pay', merchantName, keys: [{ expiresAt: expect.any(String) }] })
    expect(JSON.stringify(await operator.wallets.list(undefined))).not.toMatch(/PRIVATE|certificate/i)
    expect(await shown()).toMatchObject({ applePay: { merchantName }, googlePay: null, simulator: null })
    await expect(operator.wallets.add({ ...own, domainAssociation: null })).rejects.toThrow('takes apple_pay already')
    const { keys } = await operator.wallets.rotate({ wallet: 'apple_pay', key: second })
    expect(keys).toHaveLength(2)
    const rotated = operator.wallets.rotate({ wallet: 'apple_pay', key: second })
    await expect(rotated).rejects.toThrow('has this key already')
    const [former = { id: '' }, newest = { id: '' }] = keys
    await operator.wallets.removeKey(former.id, { wallet: 'apple_pay' })
    const last = operator.wallets.removeKey(newest.id, { wallet: 'apple_pay' })
    await expect(last).rejects.toThrow('the only key')
    await operator.wallets.remove('apple_pay', undefined)
    expect(await shown()).toMatchObject({ simulator: expect.stringContaining('/v1/simulated-wallets.js') })
    await expect(operator.wallets.remove('apple_pay', undefined)).rejects.toThrow('takes no apple_pay')
  })

  test('pages have Google encrypt to the newest key of an account', async () => {
    const own = { wallet: 'google_pay', merchantId: 'BCR2DN4T6Z3WLIJ5', merchantName } as const
    await operator.wallets.add({ ...own, key: googleFile() })
    const { keys } = await operator.wallets.rotate({ wallet: 'google_pay', key: googleFile() })
    const { googlePay } = await shown()
    expect(googlePay).toMatchObject({ environment: 'TEST', publicKey: keys[1]?.id })
    expect(Buffer.from(googlePay?.publicKey ?? '', 'base64')).toHaveLength(65)
    const ofApple = operator.wallets.rotate({ wallet: 'google_pay', identity: appleFile(null) })
    await expect(ofApple).rejects.toThrow('are of Apple Pay')
    await operator.wallets.remove('google_pay', undefined)
  })

  test.each([
    ['no certificate', { key: googleFile() }, '--key: There is no certificate in it'],
    ['another merchant', { key: appleFile('merchant.other') }, '--key: The certificate is for another merchant'],
    ['no key', { key: appleFile(merchantIdentifier).split('-----BEGIN PRIVATE')[0] ?? '' }, 'no private key in it'],
    ['the key of another', { key: mixed() }, '--key: The private key is not that of'],
    ['no identity', { identity: 'nothing' }, '--identity: There is no certificate in it'],
    ['no identifier', { merchantIdentifier: 'com.example' }, '--merchant-identifier: must begin with "merchant."'],
    ['no name', { merchantName: '' }, '--merchant-name: must have 1 to 64'],
    ['no file of a domain', { domainAssociation: '' }, '--domain-association: must be the file'],
  ])('is told that it is %s', async (_, change, message) => {
    const good = { key: appleFile(merchantIdentifier), identity: appleFile(null), domainAssociation: null }
    const wanted = { wallet: 'apple_pay', merchantIdentifier, merchantName, ...good, ...change } as const
    await expect(operator.wallets.add(wanted)).rejects.toThrow(message)
  })
})

test('/metrics has when the certificates of wallets and of 3-D Secure end, and 0 for one that cannot be read', async () => {
  const platform = await startTestPlatform({ env: { TILLWRIGHT_METRICS_PORT: '0' } })
  const operator = await openOperator(readConfig({ TILLWRIGHT_HOME: platform.folder }))
  onTestFinished(async () => (await operator.close(), await platform.remove()))
  const [key, identity] = [appleFile(merchantIdentifier), appleFile(null)]
  const apple = { wallet: 'apple_pay', merchantIdentifier, merchantName, domainAssociation: null } as const
  await operator.wallets.add({ ...apple, key, identity })
  const [client, senders] = [join(platform.folder, 'client.pem'), join(platform.folder, 'senders.pem')]
  for (const file of [client, senders]) writeFileSync(file, identity)
  const ids = { serverReferenceNumber: 'REF', serverOperatorId: null, requestorId: null, authorities: null }
  const files = { clientCertificate: client, clientKey: client, resultCertificates: senders }
  const addresses = { url: 'https://ds.example/', networkUrls: {} }
  await operator.threeds.add({ name: 'vendor_a', settings: { ...ids, ...files, ...addresses } })
  writeFileSync(senders, 'nothing')
  const scrape = await (await fetch(platform.metricsUrl ?? '')).text()
  const daysOf = (kind: string) => {
    const line = new RegExp(
      `^tillwright_certificate_expiry_seconds\\{tillwright_certificate_kind="${kind}"\\} (.+)$`,
      'm',
    )
    return Math.ceil(Number(line.exec(scrape)?.[1]) / 86_400)
  }
  const left = Math.ceil((Date.now() + DAYS * 86_400_000 - platform.clock.machineNow()) / 86_400_000)
  expect(['apple_pay_identity', 'apple_pay_processing', 'threeds_client'].map(daysOf)).toEqual([left, left, left])
  expect(daysOf('threeds_directory')).toBe(0)
})

/** Certificate and key, marked as Apple marks those of a merchant unless that is `null`. */
function appleFile(merchant: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'apple-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const hash = createHash('sha256')
    .update(merchant ?? '')
    .digest('hex')
    .toUpperCase()
  const marked = merchant === null ? [] : ['-addext', `1.2.840.113635.100.6.32=ASN1:UTF8String:${hash}`]
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    `${DAYS}`,
  ]
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate, '-subj', '/CN=Merchant', ...marked], {
    stdio: 'ignore',
  })
  const text = readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8')
  rmSync(folder, { recursive: true })
  return text
}

function mixed(): string {
  const [one, other] = [appleFile(merchantIdentifier), googleFile()]
  return (one.split('-----BEGIN PRIVATE')[0] ?? '') + other
}

function googleFile(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'pem', type: 'sec1' })
}
