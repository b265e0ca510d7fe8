import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
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

test('a key that expires within two weeks is a warning, and one that lasts longer is not', async () => {
  const operator = await openOperator(readConfig(settings))
  const lasting = async (days: number) =>
    (await operator.keys.createSecret({ account, roles: [], scopes: [], expiresAtMs: Date.now() + days * DAY_MS })).id
  const [soon, later] = [await lasting(13), await lasting(15)]
  await operator.close()
  const { warns } = await diagnosed(settings)
  expect(warns).toContain(`the key ${soon} expires within two weeks`)
  expect(warns.join()).not.toContain(later)
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

test('every check of the channel has warned or failed above', () => {
  expect(unseen('Channel between roles')).toEqual([])
})
