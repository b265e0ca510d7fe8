import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createClient } from '@tillwright/client'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../.ci/free-port.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { proxyRequest } from '../../../plugin-dev/src/serve/proxy.ts'
import { runCommand } from '../testing/run-command.ts'
import { startLocal, type RunningLocal } from '../testing/start-local.ts'
import { tillwright } from '../testing/tillwright.ts'

let local: RunningLocal
beforeAll(async () => {
  local = await startLocal()
  return local.stop
})

/** Settings of a new user. */
async function newcomer(): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return { XDG_CONFIG_HOME: home, TILLWRIGHT_HOME: home }
}

test('a key is checked, stored for its owner only, found by other commands, never shown, and removed', async () => {
  const env = await newcomer()
  const { apiUrl, apiKey, accountId, storeId } = local.file
  const login = ['login', '--target', 'local', '--url', apiUrl, '--store', storeId, '--json']
  const kept = await runCommand(login, { ...env, TILLWRIGHT_API_KEY: apiKey })
  expect(kept).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(kept.out)).toMatchObject({ target: 'local', apiUrl, accountId, storeId })
  const file = join(env['XDG_CONFIG_HOME'] ?? '', 'tillwright', 'credentials.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const who = await runCommand(['whoami', '--target', 'local', '--json'], env)
  expect(JSON.parse(who.out)).toMatchObject({ target: 'local', accountId, storeId, environment: 'local' })
  expect(who.err).toContain(apiUrl)
  for (const text of [kept.out, who.out, who.err]) expect(text).not.toContain(apiKey)
  expect(await runCommand(['logout', '--target', 'local'], env)).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).not.toContain(apiKey)
})

test('the local platform is the default; without it the command line is wrong', async () => {
  const here = await runCommand(['whoami', '--json'], { TILLWRIGHT_HOME: local.home })
  expect(JSON.parse(here.out)).toMatchObject({ target: 'local', accountId: local.file.accountId })
  const nowhere = await runCommand(['whoami'], await newcomer())
  expect(nowhere.code).toBe(2)
  expect(nowhere.err).toContain('--target (local, development, production)')
})

test.for([
  ['production', 'test_sk_abc', 4, 'Production requires a live key'],
  ['development', 'live_sk_abc', 4, 'A live key is for --target production'],
  ['development', 'test_pk_abc', 4, 'not a secret key'],
  ['development', ' ', 4, 'The key is missing'],
] as const)('a login to %s with %s exits with %i', async ([target, key, code, message]) => {
  const env = { ...(await newcomer()), TILLWRIGHT_API_KEY: key }
  const { err, ...ran } = await runCommand(['login', '--target', target, '--url', 'https://localhost:9'], env)
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(err).toContain(message)
})

test('a store of another account is refused when logging in, and nothing is stored', async () => {
  const env = await newcomer()
  const { apiUrl, accountId, adminApiKey } = local.file
  const other = 'store_0000000000000000000000'
  const login = ['login', '--target', 'local', '--url', apiUrl, '--store', other]
  const { code, err } = await runCommand(login, { ...env, TILLWRIGHT_API_KEY: adminApiKey })
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`${other} is not a store of the key's account, ${accountId}`),
  ])
  expect((await runCommand(['logout', '--target', 'local'], env)).err).toContain('there is no login')
})

test('a key that may not read stores is stored with the store that was named', async () => {
  const { apiUrl, adminApiKey, storeId } = local.file
  const admin = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const { key } = await admin.apiKeys.create({ kind: 'secret', roles: [], scopes: ['plugins:read'] })
  const env = { ...(await newcomer()), TILLWRIGHT_API_KEY: key }
  const kept = await runCommand(['login', '--target', 'local', '--url', apiUrl, '--store', storeId, '--json'], env)
  expect(JSON.parse(kept.out)).toMatchObject({ storeId })
})

/** The same platform behind an HTTPS proxy whose certificate this process trusts for the test. */
async function overHttps(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  const certificate = await localCertificate(folder, ['localhost', '127.0.0.1'], Date.now())
  const server = createServer(certificate, (request, response) =>
    proxyRequest(request, response, {
      url,
      path: request.url ?? '/',
      headers: { host: new URL(url).host },
      unreachable: () => {},
    }),
  )
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve))
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  onTestFinished(async () => {
    setDefaultCACertificates(trusted)
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return `https://localhost:${(server.address() as AddressInfo).port}` // it listens on TCP
}

test('a platform in another environment, one that refuses the key and an unreachable one give different errors', async () => {
  const { apiUrl, apiKey } = local.file
  const secure = await overHttps(apiUrl)
  const login = async (target: string, url: string, key: string) => {
    const env = { ...(await newcomer()), TILLWRIGHT_API_KEY: key }
    const { code, out } = await runCommand(['login', '--target', target, '--url', url, '--json'], env)
    return [code, JSON.parse(out).error.code]
  }
  expect(await login('development', secure, apiKey)).toEqual([5, 'conflict'])
  expect(await login('local', apiUrl, `test_sk_${'x'.repeat(36)}`)).toEqual([4, 'api_key_invalid'])
  expect(await login('local', 'http://localhost:9', apiKey)).toEqual([6, 'network_failed'])
  expect(await login('local', `${apiUrl}/some/path`, apiKey)).toEqual([2, 'usage'])
  const args = ['login', '--target', 'local', '--url']
  const nobody = `http://127.0.0.1:${await freePort()}`
  const away = await runCommand([...args, nobody], { ...(await newcomer()), TILLWRIGHT_API_KEY: apiKey })
  expect(away.err).toContain(`${nobody} could not be reached`)
  expect(away.err).toContain('the connection was refused (ECONNREFUSED)')
  const path = await runCommand([...args, `${apiUrl}/some/path`], { ...(await newcomer()), TILLWRIGHT_API_KEY: apiKey })
  expect(path.err).toBe(`error --url: a platform has no path; write ${apiUrl}.\n`)
})

test('a certificate of an authority that this machine does not know is refused, with how to name one', async () => {
  const secure = await overHttps(local.file.apiUrl) // trusted by this process, and not by the one that is started
  const env = { TILLWRIGHT_API_KEY: local.file.apiKey }
  const { ended, printed } = await tillwright(['whoami', '--target', 'development', '--url', secure], env)
  expect(await ended).toBe(6)
  expect(printed().err).toMatch(/TLS failed .* set NODE_EXTRA_CA_CERTS to the file/)
})
