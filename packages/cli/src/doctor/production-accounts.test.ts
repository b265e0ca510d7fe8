import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOperator, readConfig, setUpOperator } from '@tillwright/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteBackup, noteProof, openDatabaseBeside } from '../../../platform/src/storage/index.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { productionSettings, testedDoctor } from '../testing/diagnose-production.ts'
import { runCommand } from '../testing/run-command.ts'

const { diagnosed, unseen } = testedDoctor()
const DAY_MS = 86_400_000
/** For how long the certificates are good that dev servers are given. */
const GOOD_DAYS = 90

let home = ''
let settings: Record<string, string>
let account = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'production-accounts-'))
  settings = productionSettings(home)
  const operator = await setUpOperator(readConfig(settings))
  account = (await operator.accounts.create({ name: 'Shop', plan: 'standard' })).id
  await operator.close()
})
afterAll(() => rm(home, { recursive: true }))

const plain = { currencies: null, brands: null, merchant: null, acquirer: null, apiUrl: null }

test('a newest backup that was proved is well, and so are processors with secrets for production', async () => {
  const db = await openDatabaseBeside({ folder: home })
  const takenAtMs = Date.now() - 3_600_000
  await noteBackup(db, { takenAtMs, version: '1.0.0', missingBlobs: 0 })
  await noteProof(db, takenAtMs, Date.now())
  await db.close()
  const operator = await openOperator(readConfig(settings))
  await operator.processors.add({
    account,
    name: 'Stripe',
    driver: 'stripe',
    secret: `sk_live_${'x'.repeat(24)}`,
    settings: plain,
  })
  await operator.close()
  expect((await diagnosed(settings)).oks).toEqual(
    expect.arrayContaining([
      'the newest backup is 1 hours old',
      'the newest backup was proved: it can be restored',
      'the secrets of 1 processors open, and none is for tests',
    ]),
  )
})

test('a payment flow with a simulated processor fails', async () => {
  const development = await openOperator({ ...readConfig(settings), environment: 'development' })
  const { id } = await development.processors.add({
    account,
    name: 'Simulator',
    driver: 'simulator',
    secret: null,
    settings: plain,
  })
  await development.close()
  const db = await openDatabaseBeside({ folder: home })
  const resource = JSON.stringify({
    id: 'flow_1',
    processorConfigs: [{ processorId: id }],
    fallbackProcessorConfigs: [],
  })
  await db.write([
    {
      sql: 'INSERT INTO payment_flows (account_id, id, archived, revision, resource, created_at) VALUES (?, ?, 0, 1, ?, 0)',
      params: [account, 'flow_1', resource],
    },
  ])
  await db.close()
  expect((await diagnosed(settings)).fails).toContainEqual(
    expect.stringMatching(`^The payment flow flow_1 has the simulated processor ${id}, which moves no money`),
  )
})

test('a key that expires within two weeks is a warning, and one that lasts longer or was rolled is not', async () => {
  const operator = await openOperator(readConfig(settings))
  const lasting = async (days: number) =>
    (await operator.keys.createSecret({ account, roles: [], scopes: [], expiresAtMs: Date.now() + days * DAY_MS })).id
  const [soon, later, rolled] = [await lasting(13), await lasting(15), await lasting(100)]
  await operator.keys.roll(rolled)
  await operator.close()
  const { warns, findings } = await diagnosed(settings)
  expect(warns).toContain(`the key ${soon} expires within two weeks`)
  expect(findings.map(({ fix }) => fix)).toContain(`make its successor with "tillwright keys roll ${soon}"`)
  expect(warns.join()).not.toContain(later)
  expect(warns.join()).not.toContain(rolled)
})

test('a master key whose replacement is not finished is a warning until it is', async () => {
  const file = join(home, 'next.key')
  await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  expect(await runCommand(['keys', 'rotate', 'secrets', '--to', `file:${file}`], settings)).toMatchObject({ code: 0 })
  const begun = await diagnosed(settings)
  expect(begun.warns).toContain('the secrets open under 2 master keys: a replacement is not finished')
  const next = { ...settings, TILLWRIGHT_SECRETS_KEY: `file:${file}` }
  expect(await runCommand(['keys', 'rotate', 'secrets', '--finish'], next)).toMatchObject({ code: 0 })
  expect((await diagnosed(next)).warns.join()).not.toContain('master keys')
  settings = next
})

test('certificates of the channel that end or cannot be read are named by their setting', async () => {
  const file = (name: string) => join(home, `channel-${name}.pem`)
  const certificate = async (name: string, daysLeft: number) => {
    const folder = await mkdtemp(join(home, 'channel-'))
    const { cert, key } = await localCertificate(
      folder,
      ['localhost'],
      Date.now() - (GOOD_DAYS - daysLeft - 0.5) * DAY_MS,
    )
    await writeFile(file(name), cert)
    await writeFile(file('key'), key)
  }
  const channel = {
    ...settings,
    TILLWRIGHT_VAULT_CHANNEL_PORT: '0',
    TILLWRIGHT_CHANNEL_CERT: file('cert'),
    TILLWRIGHT_CHANNEL_CA: file('ca'),
    TILLWRIGHT_CHANNEL_KEY: file('key'),
  }
  await certificate('ca', 21)
  await certificate('cert', 20)
  const soon = await diagnosed(channel)
  expect(soon.warns).toContain('TILLWRIGHT_CHANNEL_CERT: is valid for 20 days')
  expect(soon.oks).toContain('TILLWRIGHT_CHANNEL_CA: is valid for 21 days')
  await certificate('ca', 2)
  await copyFile(file('key'), file('cert'))
  expect((await diagnosed(channel)).fails).toEqual(
    expect.arrayContaining([
      'TILLWRIGHT_CHANNEL_CERT: holds no certificate that can be read',
      'TILLWRIGHT_CHANNEL_CA: is valid for 2 days',
    ]),
  )
})

test('certificates of Apple Pay that end are named with the command that replaces them', async () => {
  const merchantIdentifier = 'merchant.com.example.shop'
  const own = {
    wallet: 'apple_pay',
    account,
    merchantIdentifier,
    merchantName: 'Shop',
    domainAssociation: null,
  } as const
  const operator = await openOperator(readConfig(settings))
  await operator.wallets.add({ ...own, key: await appleFile(2, merchantIdentifier), identity: await appleFile(20) })
  const soon = await diagnosed(settings)
  expect(soon.fails).toContain(`the payment processing certificate of Apple Pay of ${account}: is valid for 1 days`)
  expect(soon.findings).toContainEqual({
    level: 'warn',
    what: `the merchant identity certificate of Apple Pay of ${account}: is valid for 19 days`,
    fix: expect.stringContaining(`"tillwright wallets rotate apple_pay --account ${account} --identity FILE"`),
  })
  await operator.wallets.rotate({ wallet: 'apple_pay', account, key: await appleFile(700, merchantIdentifier) })
  await operator.wallets.rotate({ wallet: 'apple_pay', account, identity: await appleFile(700) })
  await operator.close()
  const { oks, fails, warns } = await diagnosed(settings)
  expect(oks).toContain(`the payment processing certificate of Apple Pay of ${account}: is valid for 699 days`)
  expect([...fails, ...warns].join()).not.toContain('Apple Pay')
})

test('certificates of 3-D Secure that end or cannot be read are named, and a former one beside its successor is not', async () => {
  const [clientCertificate, clientKey, resultCertificates] = ['client.pem', 'client.key', 'senders.pem'].map((name) =>
    join(home, name),
  ) as [string, string, string]
  const client = await openssl(20, 'CN=3DS server')
  await writeFile(clientCertificate, client.certificate)
  await writeFile(clientKey, client.key)
  const former = (await openssl(2, 'CN=ds.visa.example')).certificate
  await writeFile(resultCertificates, former)
  const operator = await openOperator(readConfig(settings))
  const files = { clientCertificate, clientKey, resultCertificates, authorities: null }
  const ids = { serverReferenceNumber: 'REF', serverOperatorId: null, requestorId: null }
  await operator.threeds.add({
    name: 'vendor_a',
    settings: { ...ids, ...files, url: 'https://ds.example/', networkUrls: {} },
  })
  const soon = await diagnosed(settings)
  expect(soon.warns).toContain(`3-D Secure, ${clientCertificate}: is valid for 19 days`)
  expect(soon.fails).toContain(`3-D Secure, ${resultCertificates}, CN=ds.visa.example: is valid for 1 days`)
  await writeFile(resultCertificates, former + (await openssl(700, 'CN=ds.visa.example')).certificate)
  await writeFile(clientCertificate, 'nothing')
  const later = await diagnosed(settings)
  expect(later.oks).toContain(`3-D Secure, ${resultCertificates}, CN=ds.visa.example: is valid for 699 days`)
  expect(later.fails.filter((what) => what.startsWith('3-D Secure'))).toEqual([
    `3-D Secure, ${clientCertificate}: holds no certificate that can be read`,
  ])
  await operator.threeds.remove('vendor_a')
  await operator.close()
})

/** A certificate and its key in one text, marked as Apple marks those of a merchant where one is named. */
async function appleFile(days: number, merchant?: string): Promise<string> {
  const hash = createHash('sha256')
    .update(merchant ?? '')
    .digest('hex')
    .toUpperCase()
  const marked = merchant === undefined ? [] : ['-addext', `1.2.840.113635.100.6.32=ASN1:UTF8String:${hash}`]
  const { certificate, key } = await openssl(days, 'CN=Merchant', marked)
  return certificate + key
}

async function openssl(days: number, subject: string, more: readonly string[] = []) {
  const folder = await mkdtemp(join(home, 'openssl-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', certificate, '-days', String(days), '-subj', `/${subject}`]
  execFileSync('openssl', [...made, ...files, ...more], { stdio: 'ignore' })
  return { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
}

test('every check of certificates has warned or failed above', () => {
  expect(unseen('Channel between roles', 'Certificates of Apple Pay and 3-D Secure')).toEqual([])
})
