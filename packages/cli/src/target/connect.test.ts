import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { createClient } from '@tillwright/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { startLocal } from '../testing/start-local.ts'
import { tillwright } from '../testing/tillwright.ts'

const key = { TILLWRIGHT_API_KEY: 'test_sk_000000000000000000000000000000000000' }

test.for([
  [413, 'its limit has to be 40 MB'],
  [302, 'pass that one as --url'],
  [403, 'check its address (--url, or that of the login) and any proxy in between'],
] as const)(
  'a page of a proxy with the status %i is no answer of the platform, and what to do is said',
  async ([status, fix]) => {
    const proxy = createHttpServer((_, answer) =>
      answer.writeHead(status, { location: '/login' }).end('<h1>nginx</h1>'),
    )
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo // a listening TCP server has one
    const { code, err } = await runCommand(['whoami', '--target', 'local', '--url', `http://127.0.0.1:${port}`], key)
    expect([code, err]).toEqual([6, expect.stringContaining(fix)])
    expect(err).toContain(`status ${status}`)
  },
)

test('a platform that does not answer is waited for aloud, and Ctrl-C ends it', async () => {
  const silent = createServer((socket) => socket.resume())
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo // a listening TCP server has one
  const url = `http://127.0.0.1:${port}`
  const run = await tillwright(['payments', 'list', '--target', 'local', '--url', url], key)
  await vi.waitFor(() => expect(run.printed().err).toContain(`Waiting for ${url}`), { timeout: 15_000 })
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
})

test('a refused key is told with the place that it is from, and with how it is replaced there', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const { apiUrl, adminApiKey, storeId } = local.file
  const home = { TILLWRIGHT_HOME: local.home, XDG_CONFIG_HOME: local.home }
  const here = ['--target', 'local', '--url', apiUrl]
  const admin = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const { apiKey, key: text } = await admin.apiKeys.create({ kind: 'secret', roles: [], scopes: [] })
  const secret = { TILLWRIGHT_API_KEY: text }
  await runCommand(['login', ...here, '--store', storeId], { ...home, ...secret })
  const asked = await runCommand(['whoami'], { ...home, ...secret })
  expect(asked.err).toMatch(/^local http\S+ acc_\w+, with TILLWRIGHT_API_KEY\n$/)
  await admin.apiKeys.revoke({ keyId: apiKey.id })
  const refusal = async (args: readonly string[], env: Record<string, string>) => {
    const { code, err } = await runCommand(args, env)
    expect(code).toBe(4)
    return err
  }
  // The platform may know the key for a second.
  await vi.waitFor(() => refusal(['whoami', ...here], home), { timeout: 20_000, interval: 200 })
  expect(await refusal(['whoami', ...here], home)).toContain(
    `; use another one. It is that of the login: log in again with "tillwright login --target local --url ${apiUrl} --store ${storeId}".`,
  )
  expect(await refusal(['whoami', ...here], home)).toContain(`This API key, ${apiKey.id}, was revoked at `)
  expect(await refusal(['whoami'], { ...home, ...secret })).toContain('It is the one in TILLWRIGHT_API_KEY')
  expect(await refusal(['login', ...here], { ...home, ...secret })).toMatch(/TILLWRIGHT_API_KEY, .*or unset it/)
  const live = { TILLWRIGHT_API_KEY: 'live_sk_abc' }
  expect(await refusal(['whoami'], { ...home, ...live })).toContain('TILLWRIGHT_API_KEY: A live key is for')
})

test('while a rolled key still works, commands say when it ends and which key is next', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const { apiUrl, adminApiKey } = local.file
  const home = { TILLWRIGHT_HOME: local.home, XDG_CONFIG_HOME: local.home }
  const admin = createClient({ apiKey: adminApiKey, baseUrl: apiUrl })
  const { apiKey, key: text } = await admin.apiKeys.create({ kind: 'secret', roles: [], scopes: [] })
  const secret = { ...home, TILLWRIGHT_API_KEY: text }
  const login = ['login', '--target', 'local', '--url', apiUrl]
  expect((await runCommand(login, secret)).err).toBe('')
  const { apiKey: next } = await admin.apiKeys.roll({ keyId: apiKey.id, overlapHours: 24 })
  const { expiresAt } = await admin.apiKeys.get({ keyId: apiKey.id })
  const ends = `This API key, ${apiKey.id}, ends at ${expiresAt}; it was rolled to ${next.id}. It is `
  expect((await runCommand(['whoami'], secret)).err).toContain(`${ends}the one in TILLWRIGHT_API_KEY`)
  expect((await runCommand(login, secret)).err).toContain(`${ends}the one in TILLWRIGHT_API_KEY`)
  const { err, out } = await runCommand(['whoami', ...login.slice(1), '--json'], home)
  expect(err).toContain(
    `${ends}that of the login: log in again with "tillwright login --target local --url ${apiUrl}".`,
  )
  expect(JSON.parse(out)).toMatchObject({ expiresAt, replacedBy: next.id })
})

test('the own key of a local platform, once it is rolled, says that another start makes one', async () => {
  const local = await startLocal()
  onTestFinished(local.stop)
  const admin = createClient({ apiKey: local.file.adminApiKey, baseUrl: local.file.apiUrl })
  const { keyId } = await admin.accounts.testKey()
  await admin.apiKeys.roll({ keyId, overlapHours: 0 })
  // The platform may know the key for a second.
  const { err } = await vi.waitFor(
    async () => {
      const ran = await runCommand(['whoami'], { TILLWRIGHT_HOME: local.home })
      expect(ran.code).toBe(4)
      return ran
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(err).toContain("It is the local platform's own: start that again")
})
