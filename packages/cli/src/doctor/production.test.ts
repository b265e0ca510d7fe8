import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPlatformLog,
  openOperator,
  type Platform,
  readConfig,
  setUpOperator,
  startPlatform,
  withKeys,
} from '@tillwright/platform'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { createDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { secretBox, systemRandomness } from '../../../platform/src/runtime/index.ts'
import { noteBackup, openDatabaseBeside } from '../../../platform/src/storage/index.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { productionSettings, testedDoctor } from '../testing/diagnose-production.ts'
import { openProxy, portOf } from '../testing/start-development.ts'

const { diagnosed, diagnosedApart, unseen } = testedDoctor()
const server = inject('postgresUrl')

describe.skipIf(server === null)('on a production platform on PostgreSQL, behind HTTPS', () => {
  let settings: Record<string, string>
  let platform: Platform
  let proxies: Server[]
  let account: string
  let home: string
  let database: string

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'production-doctor-'))
    database = await createDatabase(server ?? '')
    const names = ['localhost', '*.plugins.localhost', '127.0.0.1']
    const certificate = await localCertificate(home, names, Date.now())
    const trusted = join(home, 'certificate.pem')
    await writeFile(trusted, certificate.cert)
    const [port, vaultPort] = [await freePort(), await freePort()]
    proxies = await Promise.all([port, vaultPort].map((to) => openProxy(certificate, to)))
    const [apiUrl = '', vaultUrl = ''] = proxies.map((proxy) => `https://localhost:${portOf(proxy)}`)
    settings = {
      ...productionSettings(home),
      TILLWRIGHT_HOST: '127.0.0.1',
      TILLWRIGHT_PORT: String(port),
      TILLWRIGHT_VAULT_PORT: String(vaultPort),
      TILLWRIGHT_API_URL: apiUrl,
      TILLWRIGHT_VAULT_URL: vaultUrl,
      TILLWRIGHT_PLUGINS_URL: `https://plugins.localhost:${new URL(apiUrl).port}`,
      TILLWRIGHT_DRAIN_SECONDS: '0',
      TILLWRIGHT_METRICS_PORT: '0',
      DATABASE_URL: database,
      NODE_EXTRA_CA_CERTS: trusted,
    }
    const operator = await setUpOperator(readConfig(settings))
    account = (await operator.accounts.create({ name: 'Shop', plan: 'standard' })).id
    await operator.close()
    platform = await started()
  })
  afterAll(async () => {
    await platform.stop()
    for (const proxy of proxies) proxy.closeAllConnections()
    await Promise.all(proxies.map((proxy) => new Promise((resolve) => proxy.close(resolve))))
    await dropDatabase(server ?? '', database)
    await rm(home, { recursive: true, force: true })
  })

  async function started(changes: Record<string, string> = {}): Promise<Platform> {
    const config = readConfig({ ...settings, ...changes })
    return startPlatform(withKeys(config), { log: createPlatformLog(config, join(home, 'platform.log')) })
  }

  async function write(statements: { sql: string; params: (string | number)[] }[]): Promise<void> {
    const db = await openDatabaseBeside({ url: database, folder: home })
    expect(await db.write(statements)).toMatchObject({ outcome: 'committed' })
    await db.close()
  }

  test('nothing fails where all is well, and what could be better is a warning', async () => {
    const { code, fails, warns, oks } = await diagnosedApart(settings)
    expect([code, fails]).toEqual([0, []])
    for (const [what, list] of [
      ['leads to a primary whose commits are durable', oks],
      ['the database is on this machine', oks],
      ['the database user may migrate', oks],
      [/TILLWRIGHT_API_URL: the certificate of localhost is valid for \d+ days/, oks],
      [/TILLWRIGHT_PLUGINS_URL: the certificate of doctor\.plugins\.localhost/, oks],
      [/TILLWRIGHT_VAULT_URL: .*\/readyz says that the platform is ready/, oks],
      ['the proxy is trusted', oks],
      ['the metrics are not public', oks],
      [/this machine's clock is \d+ ms/, oks],
      ['is the only process at work', warns],
      ['no standby is synchronous', warns],
      ['is a superuser', warns],
      ['TILLWRIGHT_VAULT_KEY: is in the environment', warns],
      ['there is no processor', warns],
      [/^TILLWRIGHT_HOME \(.*\) works, but is a folder/, warns],
      ['archive_mode is off', warns],
      ['no pooler is between the platform and its database', oks],
      ['no whole backup of this database was ever taken', warns],
      ['the data key of cards is 0 days old', oks],
      ['the master key of secrets is 0 days old', oks],
    ] as const) {
      expect(list).toContainEqual(what instanceof RegExp ? expect.stringMatching(what) : expect.stringContaining(what))
    }
  })

  test('the ages of backups and keys are named, each with its fix, and /metrics has the ends of certificates', async () => {
    const db = await openDatabaseBeside({ url: database, folder: home })
    const [hourMs, dayMs] = [3_600_000, 86_400_000]
    await noteBackup(db, { takenAtMs: Date.now() - 27 * hourMs, version: '0.0.0', missingBlobs: 2 })
    await db.close()
    const old = Date.now() - 401 * dayMs
    await write([
      { sql: "UPDATE data_keys SET created_at = ? WHERE ring = 'cards'", params: [old] },
      { sql: "UPDATE data_key_wraps SET created_at = ? WHERE ring = 'secrets'", params: [old] },
    ])
    const { findings } = await diagnosed(settings)
    const of = (what: string) => findings.find((each) => each.what === what)
    expect(of('the newest backup is 27 hours old')).toMatchObject({
      level: 'warn',
      fix: expect.stringContaining('tillwright backup --to'),
    })
    expect(of('the newest backup was never proved')?.fix).toContain('restore --from PLACE --verify')
    expect(of('the newest backup lacks 2 files of plugins that the store no longer had')?.level).toBe('warn')
    expect(of('the data key of cards is 401 days old')?.fix).toContain('tillwright keys rotate cards')
    expect(of('the master key of secrets is 401 days old')?.fix).toContain('tillwright keys rotate secrets --to')
    const later = await openDatabaseBeside({ url: database, folder: home })
    await later.write([{ sql: 'UPDATE last_backup SET taken_at = ?', params: [Date.now() - 8 * dayMs] }])
    await later.close()
    expect((await diagnosed(settings)).fails).toContain('the newest backup is 8 days old')
    await write([
      { sql: 'DELETE FROM last_backup', params: [] },
      { sql: 'UPDATE data_keys SET created_at = ?', params: [Date.now()] },
      { sql: 'UPDATE data_key_wraps SET created_at = ?', params: [Date.now()] },
    ])
    const scrape = await (await fetch(platform.metricsUrl ?? '')).text()
    for (const kind of ['api', 'vault']) {
      const line = new RegExp(
        `^tillwright_certificate_expiry_seconds\\{tillwright_certificate_kind="${kind}"\\} (\\d+)`,
        'm',
      )
      expect([kind, Number(line.exec(scrape)?.[1]) > 3_600]).toEqual([kind, true])
    }
  })

  test('what accounts, processors and other machines have wrong is named with a fix', async () => {
    const config = readConfig(settings)
    const operator = await openOperator(config)
    const stripe = {
      account,
      driver: 'stripe',
      settings: { currencies: null, brands: null, merchant: null, acquirer: null, apiUrl: null },
    }
    const live = await operator.processors.add({ ...stripe, name: 'Stripe', secret: `sk_live_${'x'.repeat(24)}` })
    const sealedElsewhere = await operator.processors.add({
      ...stripe,
      name: 'Stripe',
      secret: `sk_live_${'y'.repeat(24)}`,
    })
    const signedElsewhere = await operator.processors.add({ ...stripe, name: 'S', secret: `sk_live_${'z'.repeat(24)}` })
    await operator.processors.setWebhookSecret(signedElsewhere.id, `whsec_${'z'.repeat(32)}`)
    await operator.close()
    const testing = await openOperator({ ...config, environment: 'development' })
    const forTests = await testing.processors.add({ ...stripe, name: 'Stripe', secret: `sk_test_${'x'.repeat(24)}` })
    await testing.close()
    const endpoint =
      "INSERT INTO webhook_endpoints (account_id, id, url, event_types, drafts, secrets, enabled, created_at) VALUES (?, ?, ?, '[]', 0, '[]', ?, 0)"
    const key =
      "INSERT INTO api_keys (account_id, id, kind, hash, last4, roles, scopes, allowed_origins, created_at) VALUES (?, 'key_local', 'publishable', 'h', 'xxxx', '[]', '[]', ?, 0)"
    const domain = "INSERT INTO domain_hostnames (hostname, account_id, created_at) VALUES ('gone.invalid', ?, 0)"
    const elsewhere = secretBox(randomBytes(32), systemRandomness())
    const sealed = elsewhere.seal('processor secret', Buffer.from('y'), sealedElsewhere.id)
    const signing = elsewhere.seal('processor webhook secret', Buffer.from('z'), signedElsewhere.id)
    await write([
      {
        sql: 'UPDATE processors SET sealed_secret = ? WHERE account_id = ? AND id = ?',
        params: [sealed, account, sealedElsewhere.id],
      },
      {
        sql: 'UPDATE processors SET sealed_webhook_secret = ? WHERE account_id = ? AND id = ?',
        params: [JSON.stringify([{ sealed: signing, expiresAt: null }]), account, signedElsewhere.id],
      },
      { sql: endpoint, params: [account, 'whe_plain', 'http://shop.example/hooks', 1] },
      { sql: endpoint, params: [account, 'whe_off', 'https://shop.example/hooks', 0] },
      { sql: key, params: [account, '["http://localhost:*"]'] },
      { sql: domain, params: [account] },
    ])
    const { code, fails, warns, findings } = await diagnosedApart(settings)
    expect(code).toBe(1)
    const shut = 'does not open under TILLWRIGHT_SECRETS_KEY'
    expect(fails).toEqual([
      ...[
        [forTests.id, `the processor ${forTests.id} of ${account} has a secret that is not for production`],
        [sealedElsewhere.id, `the secret of the processor ${sealedElsewhere.id} of ${account} ${shut}`],
        [signedElsewhere.id, `the webhook secret of the processor ${signedElsewhere.id} of ${account} ${shut}`],
      ]
        .toSorted()
        .map(([, finding]) => finding),
      'the webhook endpoint whe_plain is not on https://',
      'the promoted domain: gone.invalid has no address in DNS',
    ])
    expect(warns).toEqual(
      expect.arrayContaining([
        'the webhook endpoint whe_off is disabled after failures',
        'the publishable key key_local works on pages without https://',
      ]),
    )
    expect(findings.filter(({ level, fix }) => (level === 'ok') !== (fix === null))).toEqual([])
    expect(JSON.stringify(findings)).not.toMatch(new RegExp(`sk_live|sk_test|${live.id}`))
    const tables = ['processors', 'webhook_endpoints', 'api_keys', 'domain_hostnames']
    await write(tables.map((name) => ({ sql: `DELETE FROM ${name}`, params: [] })))
  })

  test(
    'a wrong environment, folder, certificate, proxy or database, and a platform that is stopped, fail',
    { timeout: 240_000 },
    async () => {
      const file = join(home, 'certificate.pem')
      const machine = await diagnosed({
        ...settings,
        TILLWRIGHT_ENVIRONMENT: 'development',
        TILLWRIGHT_HOME: file,
      })
      expect(machine.code).toBe(1)
      const wanted = [
        'TILLWRIGHT_ENVIRONMENT: is development',
        `TILLWRIGHT_HOME (${file}/blobs) cannot be written`,
        'TILLWRIGHT_API_URL: no trusted HTTPS at localhost',
        'TILLWRIGHT_VAULT_URL: no trusted HTTPS at localhost',
      ]
      for (const what of wanted) expect(machine.fails).toContainEqual(expect.stringContaining(what))

      await platform.stop()
      platform = await started({ TILLWRIGHT_TRUSTED_PROXIES: '192.0.2.1' })
      expect((await diagnosedApart(settings)).fails).toEqual([
        'TILLWRIGHT_TRUSTED_PROXIES: requests through the public address are taken for plain HTTP',
      ])

      await platform.stop()
      const away = await diagnosedApart({ ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
      expect(away.fails).toEqual([
        'DATABASE_URL: the database cannot be used',
        expect.stringMatching(/^TILLWRIGHT_API_URL: .*\/readyz answers 502$/),
        expect.stringMatching(/^TILLWRIGHT_VAULT_URL: .*\/readyz answers 502$/),
      ])
      platform = await started()
    },
  )

  test('every check of what grows old and of what accounts have has warned or failed above, or in the tests of accounts', () => {
    expect(unseen('Backups', 'Keys', 'Processors', 'Webhooks and keys')).toEqual([
      'Keys, warns: the replacement of a master key is not finished',
      'Processors, fails: a payment flow uses a simulated processor',
      'Webhooks and keys, warns: a key expires within two weeks',
    ])
  })
})
