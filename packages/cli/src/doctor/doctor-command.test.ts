import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import { openOperator, readConfig, setUpOperator, simulatorDriver } from '@tillwright/platform'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { type RunningLocal, startLocal } from '../testing/start-local.ts'
import { checkChromium, checkNode, checkSkew, type Finding } from './checks.ts'

let local: RunningLocal
beforeAll(async () => {
  local = await startLocal()
  return local.stop
})

/** Settings of a healthy machine on which nothing is running. */
async function healthy(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const ports = { TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' }
  return { ...ports, TILLWRIGHT_HOME: folder, XDG_CONFIG_HOME: folder, CHROME_PATH: process.execPath }
}

async function diagnosed(settings: Record<string, string>): Promise<{ code: number; bad: Finding[]; all: string[] }> {
  const { code, out } = await runCommand(['doctor', '--json'], settings)
  const findings: Finding[] = JSON.parse(out).findings
  return { code, bad: findings.filter(({ level }) => level !== 'ok'), all: findings.map(({ what }) => what) }
}

async function keepLogin(
  settings: Record<string, string>,
  apiUrl: string,
  { apiKey, target = 'local' }: { apiKey: string; target?: string },
): Promise<string> {
  const folder = join(settings['XDG_CONFIG_HOME'] ?? '', 'tillwright')
  await mkdir(folder, { mode: 0o700 })
  const file = join(folder, 'credentials.json')
  const credentials = { targets: { [target]: apiUrl }, platforms: { [apiUrl]: { apiKey, storeId: null } } }
  await writeFile(file, JSON.stringify(credentials), { mode: 0o600 })
  return file
}

test('if all is well, every line says ok, with or without a running platform', async () => {
  const idle = await diagnosed(await healthy())
  expect([idle.code, idle.bad]).toEqual([0, []])
  const running = await diagnosed({ ...(await healthy()), TILLWRIGHT_HOME: local.home })
  expect([running.code, running.bad]).toEqual([0, []])
  const { apiUrl, accountId } = local.file
  expect(running.all).toContain(`local: ${apiUrl} accepts the key of ${accountId} (org:admin)`)
  expect(running.all).toContain(`local: ${apiUrl}: the clocks agree`)
  const printed = await runCommand(['doctor'], await healthy())
  expect(printed.out).toMatch(/^(ok {4}\S.*\n)+$/)
})

test('credentials readable by others and an unreachable platform exit with 1 and a fix', async () => {
  const settings = await healthy()
  const file = await keepLogin(settings, 'http://localhost:9', { apiKey: `test_sk_${'x'.repeat(36)}` })
  await chmod(file, 0o644)
  const { code, bad } = await diagnosed(settings)
  expect(code).toBe(1)
  expect(bad).toMatchObject([
    { level: 'fail', fix: `chmod 600 ${file}` },
    {
      level: 'fail',
      what: expect.stringContaining('local: http://localhost:9 could not be reached'),
    },
  ])
  const { out } = await runCommand(['doctor'], settings)
  expect(out).toContain(`\n      chmod 600 ${file}\n`)
})

test('a login that would send its key unencrypted and a refused key are reported', async () => {
  for (const [target, apiKey, what] of [
    ['development', local.file.apiKey, 'unencrypted'],
    ['local', `test_sk_${'x'.repeat(36)}`, ': '],
  ] as const) {
    const settings = await healthy()
    await keepLogin(settings, local.file.apiUrl, { apiKey, target })
    const { code, bad } = await diagnosed(settings)
    expect(code).toBe(1)
    expect(bad).toMatchObject([
      { level: 'fail', what: expect.stringContaining(what), fix: expect.stringContaining('tillwright login') },
    ])
  }
})

test('the key that is checked is the one that commands use, and a finding says where that is from', async () => {
  const settings: Record<string, string> = { ...(await healthy()), TILLWRIGHT_HOME: local.home }
  const unknown = { TILLWRIGHT_API_KEY: `test_sk_${'x'.repeat(36)}` }
  const refused = await diagnosed({ ...settings, ...unknown })
  expect(refused).toMatchObject({ code: 1, bad: [{ level: 'fail' }] })
  expect(refused.bad[0]?.fix).toBe(
    'It is the one in TILLWRIGHT_API_KEY, which goes before that of a login: set another there, or unset it.',
  )

  const admin = createClient({ apiKey: local.file.adminApiKey, baseUrl: local.file.apiUrl })
  const { apiKey, key } = await admin.apiKeys.create({ kind: 'secret' })
  const { apiKey: next } = await admin.apiKeys.roll({ keyId: apiKey.id, overlapHours: 1 })
  const rolled = await diagnosed({ ...settings, TILLWRIGHT_API_KEY: key })
  expect(rolled).toMatchObject({ code: 0, bad: [{ level: 'warn' }] })
  expect(rolled.bad[0]?.what).toContain(`${apiKey.id}, ends at `)
  expect(rolled.bad[0]?.what).toContain(`; it was rolled to ${next.id}`)
})

test('a taken port is a warning, and a dead local platform a failure', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const home = await healthy()
  const settings = { ...home, TILLWRIGHT_HOST: '127.0.0.1', TILLWRIGHT_PORT: String(port) }
  expect(await diagnosed(settings)).toMatchObject({ code: 0, bad: [{ level: 'warn' }] })
  const dead = { ...local.file, apiUrl: 'http://localhost:9', vaultUrl: 'http://localhost:9' }
  await writeFile(join(home['TILLWRIGHT_HOME'] ?? '', 'local.json'), JSON.stringify(dead), { mode: 0o600 })
  expect((await diagnosed(settings)).bad[0]).toMatchObject({
    level: 'fail',
    fix: expect.stringContaining('tillwright start'),
  })
})

test('an invalid setting and an invalid folder are reported', async () => {
  const settings = await healthy()
  const wrong = await diagnosed({ ...settings, TILLWRIGHT_PORT: 'http' })
  expect(wrong).toMatchObject({ code: 1, bad: [{ what: expect.stringContaining('TILLWRIGHT_PORT: ') }] })
  const file = join(settings['TILLWRIGHT_HOME'] ?? '', 'file')
  await writeFile(file, '')
  const noFolder = await diagnosed({ ...settings, TILLWRIGHT_HOME: join(file, 'home') })
  expect(noFolder).toMatchObject({ code: 1, bad: [{ what: `no database can be created in ${join(file, 'home')}` }] })
})

test.for([
  ['22.22.2', 'ok'],
  ['22.22.1', 'fail'],
  ['22.9.9', 'fail'],
  ['23.0.0', 'ok'],
  ['26.10.0', 'ok'],
  ['20.30.40', 'fail'],
] as const)('Node %s is %s', ([version, level]) => {
  expect(checkNode(version).level).toBe(level)
})

test.for([
  [0, 'ok'],
  [-29_000, 'ok'],
  [31_000, 'warn'],
  [-301_000, 'fail'],
] as const)('a clock that is %i ms ahead is %s', ([skewMs, level]) => {
  expect(checkSkew(skewMs, 'local').level).toBe(level)
})

test('a browser is found in CHROME_PATH or in the PATH, or reported missing', () => {
  expect(checkChromium({ CHROME_PATH: process.execPath }, 'linux').level).toBe('ok')
  expect(checkChromium({ CHROME_PATH: '/none' }, 'linux').level).toBe('fail')
  expect(checkChromium({ PATH: '/none' }, 'linux').level).toBe('warn')
})

test('a processor without a driver is reported with a fix', async () => {
  const settings = await healthy()
  const config = readConfig(settings)
  const operator = await setUpOperator(config)
  const { id: account } = await operator.accounts.create({ name: 'Shop', plan: 'standard' })
  const plain = { currencies: null, brands: null, merchant: null, acquirer: null }
  const acme = { ...simulatorDriver, name: 'acme' }
  await operator.close()
  const newer = await openOperator(config, [acme]) // a platform version that has the driver
  const { id } = await newer.processors.add({ account, name: 'Acme', driver: 'acme', secret: null, settings: plain })
  await newer.close()
  const { code, bad } = await diagnosed(settings)
  expect(code).toBe(1)
  expect(bad).toEqual([
    {
      level: 'fail',
      what: `the processor ${id} of ${account} is stopped: this platform has no driver 'acme'`,
      fix: `run a platform version that has it, or "tillwright processors archive ${id}"`,
    },
  ])
  const listed = await runCommand(['processors', 'list'], settings)
  expect(listed.out).toMatch(/ acme .* stopped /)
})
