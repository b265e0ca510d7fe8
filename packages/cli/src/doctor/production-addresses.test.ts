import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createPlain } from 'node:http'
import { createServer, type Server } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readConfig, setUpOperator } from '@tillwright/platform'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { hasOpenssl } from '../../../platform/test/channel-files.ts'
import { productionSettings, testedDoctor } from '../testing/diagnose-production.ts'
import { portOf } from '../testing/start-development.ts'

const { diagnosed, diagnosedApart, unseen } = testedDoctor()
/** An address of this machine that other machines reach. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

let home = ''
let settings: Record<string, string>
const trusted: string[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'production-addresses-'))
  settings = {
    ...productionSettings(home),
    NODE_EXTRA_CA_CERTS: join(home, 'trusted.pem'),
  }
  await (await setUpOperator(readConfig(settings))).close()
})
afterAll(() => rm(home, { recursive: true }))

/** Statuses and bodies by path; any other path is not found. */
type Answers = Readonly<Record<string, readonly [number, string]>>

/** A proxy whose certificate is good for so many days more, which gives these answers. */
async function startProxy(
  daysLeft: number,
  { host = 'localhost', answers = {} }: { host?: string; answers?: Answers } = {},
): Promise<string> {
  const certificate = await certificateFor(host, daysLeft)
  trusted.push(certificate.cert)
  await writeFile(settings['NODE_EXTRA_CA_CERTS'] ?? '', trusted.join('\n'))
  const proxy: Server = createServer(certificate, ({ url = '' }, response) => {
    const [status, body] = answers[url] ?? [404, '']
    response.writeHead(status).end(body)
  })
  await once(proxy.listen(0, host), 'listening')
  onTestFinished(() => void proxy.close())
  return `https://${host}:${portOf(proxy)}`
}

/** Of an authority of its own, so that several can be trusted at once. A moment more than whole days are left. */
async function certificateFor(host: string, daysLeft: number): Promise<{ cert: string; key: string }> {
  const folder = await mkdtemp(join(home, 'proxy-'))
  const names = `subjectAltName=DNS:localhost,DNS:*.plugins.localhost,${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'cert.pem',
  ]
  const about = ['-days', String(daysLeft + 1), '-subj', `/CN=${basename(folder)}`, '-addext', names]
  execFileSync('openssl', ['req', '-x509', ...key, ...about], { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  return { cert: await read('cert.pem'), key: await read('key.pem') }
}

const METRICS = '# HELP up\n# TYPE up gauge\nup 1\n'
const AUTH = '/api/public/v1/auth/test'

test('addresses where nothing answers fail, and what cannot be tried is said', async () => {
  const { code, fails, warns } = await diagnosed(settings)
  expect(code).toBe(1)
  expect(fails).toEqual([
    'TILLWRIGHT_API_URL: no trusted HTTPS at localhost:2 (ECONNREFUSED)',
    'TILLWRIGHT_VAULT_URL: no trusted HTTPS at localhost:3 (ECONNREFUSED)',
    'TILLWRIGHT_PLUGINS_URL: doctor.plugins.invalid has no address in DNS',
    'TILLWRIGHT_API_URL: https://localhost:2/readyz does not answer (ECONNREFUSED)',
    'TILLWRIGHT_VAULT_URL: https://localhost:3/readyz does not answer (ECONNREFUSED)',
  ])
  expect(warns).toContain('TILLWRIGHT_TRUSTED_PROXIES: could not be tried, because the API answers ECONNREFUSED')
})

test.skipIf(!hasOpenssl)(
  'certificates that end, a platform that is not ready, public metrics and an untrusted proxy are named',
  async () => {
    const answers: Answers = { '/readyz': [503, '{}'], '/metrics': [200, METRICS], [AUTH]: [400, ''] }
    const apiUrl = await startProxy(20, { answers })
    const vaultUrl = await startProxy(2)
    const { port } = new URL(await startProxy(21))
    const { code, fails, warns, oks } = await diagnosedApart({
      ...settings,
      TILLWRIGHT_API_URL: apiUrl,
      TILLWRIGHT_VAULT_URL: vaultUrl,
      TILLWRIGHT_PLUGINS_URL: `https://plugins.localhost:${port}`,
    })
    expect(code).toBe(1)
    expect(fails).toEqual([
      'TILLWRIGHT_VAULT_URL: the certificate of localhost is valid for 2 days',
      `TILLWRIGHT_API_URL: ${apiUrl}/readyz answers 503`,
      `TILLWRIGHT_VAULT_URL: ${vaultUrl}/readyz answers 404`,
      'TILLWRIGHT_TRUSTED_PROXIES: requests through the public address are taken for plain HTTP',
      'the metrics are public at TILLWRIGHT_API_URL',
    ])
    expect(warns).toContain('TILLWRIGHT_API_URL: the certificate of localhost is valid for 20 days')
    expect(oks).toContain('TILLWRIGHT_PLUGINS_URL: the certificate of doctor.plugins.localhost is valid for 21 days')
  },
)

test.skipIf(outside === undefined || !hasOpenssl)(
  "the platform's own ports and metrics that answer at a public address are named (needs a network interface)",
  async () => {
    const host = outside ?? ''
    const answers: Answers = { '/readyz': [200, '{}'], '/metrics': [200, '<html>'], [AUTH]: [500, ''] }
    const apiUrl = await startProxy(30, { host, answers })
    const vaultUrl = await startProxy(3, { host, answers })
    const metrics = createPlain((_, response) => void response.end(METRICS))
    await once(metrics.listen(0, host), 'listening')
    onTestFinished(() => void metrics.close())
    const own = createPlain()
    await once(own.listen(0, host), 'listening')
    onTestFinished(() => void own.close())
    const found = await diagnosedApart({
      ...settings,
      TILLWRIGHT_API_URL: apiUrl,
      TILLWRIGHT_VAULT_URL: vaultUrl,
      TILLWRIGHT_PORT: String(portOf(own)),
      TILLWRIGHT_VAULT_PORT: String(await freePort()),
      TILLWRIGHT_METRICS_PORT: String(portOf(metrics)),
    })
    expect(found.fails).toEqual([
      'TILLWRIGHT_PLUGINS_URL: doctor.plugins.invalid has no address in DNS',
      `the metrics are public at port ${portOf(metrics)} of ${host}`,
    ])
    expect(found.warns).toEqual(
      expect.arrayContaining([
        `TILLWRIGHT_VAULT_URL: the certificate of ${host} is valid for 3 days`,
        'TILLWRIGHT_TRUSTED_PROXIES: could not be tried, because the API answers 500',
        `TILLWRIGHT_PORT: port ${portOf(own)} answers at ${host} without HTTPS`,
      ]),
    )
    expect(found.oks).toEqual(
      expect.arrayContaining([
        `TILLWRIGHT_API_URL: the certificate of ${host} is valid for 30 days`,
        `TILLWRIGHT_API_URL: ${apiUrl}/readyz says that the platform is ready`,
        'TILLWRIGHT_VAULT_PORT: is not public by itself',
      ]),
    )
  },
)

test.skipIf(outside === undefined || !hasOpenssl)(
  'every check of the public addresses has warned or failed above',
  () => {
    expect(unseen("Public addresses (API, vault, plugins' wildcard, promoted domains)")).toEqual([])
  },
)
