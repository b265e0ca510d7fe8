import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readConfig, setUpOperator } from '@tillwright/platform'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { canMountDisk, smallDisk } from '../../../platform/faults/small-disk.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { productionSettings, testedDoctor } from '../testing/diagnose-production.ts'
import { portOf } from '../testing/start-development.ts'
import { spaceFinding } from './production.ts'

const { diagnosed, diagnosedApart, unseen } = testedDoctor()
let home = ''
/** Of a machine on which no platform runs, with a database that is a file. */
let settings: Record<string, string>

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'production-settings-'))
  settings = {
    ...productionSettings(home),
    TILLWRIGHT_TRUSTED_PROXIES: '10.0.0.0/16, fd00::/48',
  }
  await (await setUpOperator(readConfig(settings))).close()
})
afterAll(() => rm(home, { recursive: true }))

test('settings that are wrong are all named, and nothing else is tried', async () => {
  const { code, findings } = await diagnosed({ TILLWRIGHT_PORT: 'x' })
  expect(code).toBe(1)
  expect(findings.slice(1).map(({ level, what }) => [level, what.split(':')[0]])).toEqual(
    [
      'TILLWRIGHT_PORT',
      'TILLWRIGHT_TRUSTED_PROXIES',
      'TILLWRIGHT_VAULT_KEY',
      'TILLWRIGHT_SECRETS_KEY',
      'TILLWRIGHT_API_URL',
      'TILLWRIGHT_VAULT_URL',
      'TILLWRIGHT_PLUGINS_URL',
    ].map((name) => ['fail', name]),
  )
})

test('the folder may still be made, keys may be in files, and a captcha and narrow proxies are well', async () => {
  const files = { TILLWRIGHT_VAULT_KEY: join(home, 'vault.key'), TILLWRIGHT_SECRETS_KEY: join(home, 'secrets.key') }
  for (const [name, file] of Object.entries(files)) await writeFile(file, settings[name] ?? '', { mode: 0o600 })
  const { code, fails, warns, oks } = await diagnosed({
    ...settings,
    TILLWRIGHT_HOME: join(home, 'not', 'yet'),
    TILLWRIGHT_CHALLENGE_VERIFY_URL: 'https://captcha.example/verify',
    TILLWRIGHT_CHALLENGE_SECRET: 'secret',
    ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `file:${file}`])),
  })
  expect(code).toBe(1)
  expect(fails[0]).toBe('TILLWRIGHT_HOME: the database cannot be used')
  expect(warns).toEqual([expect.stringMatching(/^TILLWRIGHT_TRUSTED_PROXIES: could not be tried/)])
  expect(oks).toContainEqual(expect.stringMatching(/GiB are free at .*\/not\/yet$/))
})

test('of trusted proxies the first range is named that is too wide, however the list is written', async () => {
  const lists = { '10.0.0.5,10.0.0.0/15': '10.0.0.0/15', '10.0.0.5 10.0.0.0/8': '10.0.0.0/8', 'fd00::/47': 'fd00::/47' }
  for (const [list, wide] of Object.entries(lists)) {
    const { warns } = await diagnosed({ ...settings, TILLWRIGHT_TRUSTED_PROXIES: list })
    expect(warns[0]).toBe(`TILLWRIGHT_TRUSTED_PROXIES: ${wide} trusts more machines than proxies have`)
  }
})

test('a database in a file is a warning, and its folder of files is well', async () => {
  const { fails, warns, oks } = await diagnosed({ ...settings, TILLWRIGHT_ENVIRONMENT: '' })
  expect(fails[0]).toBe('TILLWRIGHT_ENVIRONMENT: is not set')
  expect(warns.map((what) => what.split(':')[0])).toEqual([
    'TILLWRIGHT_CHALLENGE_VERIFY_URL',
    'TILLWRIGHT_VAULT_KEY',
    'TILLWRIGHT_SECRETS_KEY',
    'the database is a file on this machine',
    'no whole backup of this database was ever taken by "tillwright backup"',
    'there is no processor, so no payment can be taken',
    'TILLWRIGHT_TRUSTED_PROXIES',
  ])
  expect(oks).toEqual(
    expect.arrayContaining([
      `TILLWRIGHT_HOME (${home}/blobs) stores files and gives them back`,
      '0 webhook endpoints and all keys are fit for production',
    ]),
  )
})

test('few descriptors are a warning, and those of an old default fail', { timeout: 240_000 }, async () => {
  const said = async (count: number) => {
    const { findings } = await diagnosedApart(settings, `ulimit -n ${count}`)
    return findings.find(({ what }) => what === `this process may open ${count} files and connections`)?.level
  }
  expect(await Promise.all([1_024, 1_025, 8_191].map(said))).toEqual(['fail', 'warn', 'warn'])
  const { oks } = await diagnosed(settings)
  expect(oks).toContainEqual(expect.stringMatching(/^this process may open \d{5,} files and connections$/))
})

test.each([
  [0.9, 0.95, 'fail'],
  [1.1, 8, 'ok'],
  [9.9, 100, 'warn'],
  [10.1, 100, 'ok'],
])('%d of %d GiB free is %s', (free, size, level) => {
  const [bsize, perGib] = [4_096, 2 ** 30 / 4_096]
  expect(spaceFinding('/', { bavail: free * perGib, blocks: size * perGib, bsize }).level).toBe(level)
})

test.skipIf(!canMountDisk())('a home on a small disk fails (needs to be root, to mount one)', async () => {
  const disk = smallDisk(16)
  expect((await diagnosed({ ...settings, TILLWRIGHT_HOME: disk })).fails[0]).toBe(
    `TILLWRIGHT_HOME: 0.0 GiB are free at ${disk}`,
  )
})

/** An S3 store over HTTPS that keeps one object after the other, as they are or damaged. */
async function startBucket(damage: boolean): Promise<Record<string, string>> {
  const certificate = await localCertificate(home, ['localhost'], Date.now())
  const objects = new Map<string, Buffer>()
  const store = createServer(certificate, async (request, response) => {
    const name = new URL(request.url ?? '', 'https://localhost').pathname
    const kept = objects.get(name)
    if (request.method === 'PUT') objects.set(name, damage ? Buffer.from('damaged') : await buffer(request))
    if (request.method === 'PUT') return void response.writeHead(200, { ETag: '"1"' }).end()
    if (request.method === 'DELETE') return void response.writeHead(204).end(objects.delete(name) ? undefined : '')
    if (kept === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Length': kept.length }).end(request.method === 'GET' ? kept : undefined)
  })
  await once(store.listen(0, 'localhost'), 'listening')
  onTestFinished(() => void store.close())
  const trusted = join(home, 'certificate.pem')
  await writeFile(trusted, certificate.cert)
  return {
    ...settings,
    TILLWRIGHT_BLOBS: `s3://files?endpoint=https://localhost:${portOf(store)}`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    NODE_EXTRA_CA_CERTS: trusted,
  }
}

test(
  'a bucket that gives files back is well; one that damages them, or is not there, fails',
  { timeout: 240_000 },
  async () => {
    const damaging = await startBucket(true)
    const [good, bad] = await Promise.all([diagnosedApart(await startBucket(false)), diagnosedApart(damaging)])
    expect(good.oks).toContain('TILLWRIGHT_BLOBS stores files and gives them back')
    expect(bad.fails).toContain('TILLWRIGHT_BLOBS does not give back what was written')
    const away = { ...damaging, TILLWRIGHT_BLOBS: 's3://files?endpoint=https://localhost:2' }
    expect((await diagnosed(away)).fails).toContainEqual(expect.stringMatching(/^TILLWRIGHT_BLOBS cannot be written: /))
  },
)

test('every check of settings and files has warned or failed above, but for a folder that processes share', () => {
  expect(unseen('Settings', 'Files')).toEqual(['Files, warns: a folder, with a database that several processes share'])
})
