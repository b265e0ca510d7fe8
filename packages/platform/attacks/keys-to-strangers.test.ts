/*
 * The attacker shares a machine or a repository with a developer who has a live key at hand, and can write files into a
 * folder above the one that the developer works in; or they read along on the network. They want the developer's key.
 */
import { chmod, chown, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { bankSimulator } from '@tillwright/bank-simulator'
import { startLocal } from '../src/local/start-local.ts'
import { runCommand } from '../../cli/src/testing/run-command.ts'

const liveKey = `live_sk_${'L'.repeat(36)}`
const testKey = `test_sk_${'T'.repeat(36)}`

/** A stranger's server that records the requests to it. */
async function stranger(answer: RequestListener = (_, response) => response.writeHead(401).end('{}')) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no key'}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { heard, loopback: `http://127.0.0.1:${port}`, elsewhere: `http://0.0.0.0:${port}` }
}

/** A folder that a developer works in, below one that others can write to. */
async function workplace() {
  const shared = await mkdtemp(join(tmpdir(), 'shared-'))
  onTestFinished(() => rm(shared, { recursive: true, force: true }))
  const folder = join(shared, 'project')
  await mkdir(folder)
  return { shared, folder }
}

function localFile(apiUrl: string, adminApiKey = testKey): string {
  const ids = { accountId: 'acc_1', storeId: 'store_1', publishableKey: '', pid: 1 }
  return JSON.stringify({ apiUrl, vaultUrl: apiUrl, apiKey: testKey, adminApiKey, ...ids })
}

/** Leaves a local.json where commands look for one, as careful as the platform itself unless said otherwise. */
async function plant(shared: string, text: string, { fileMode = 0o600, folderMode = 0o700 } = {}): Promise<string> {
  const home = join(shared, '.tillwright')
  await mkdir(home)
  await writeFile(join(home, 'local.json'), text)
  await chmod(join(home, 'local.json'), fileMode)
  await chmod(home, folderMode)
  return home
}

async function tillwright(cwd: string, args: readonly string[], key?: string): Promise<{ code: number; text: string }> {
  const settings = { XDG_CONFIG_HOME: join(cwd, '.config'), ...(key && { TILLWRIGHT_API_KEY: key }) }
  const { code, out, err } = await runCommand(args, settings, cwd)
  return { code, text: out + err }
}

test('a local.json in a parent folder cannot name a platform elsewhere', async () => {
  const { shared, folder } = await workplace()
  const { heard, elsewhere } = await stranger()
  await plant(shared, localFile(elsewhere))
  for (const args of [['whoami'], ['doctor'], ['deployments', 'list']]) {
    const { code, text } = await tillwright(folder, args, liveKey)
    expect(code, text).not.toBe(0)
    expect(text).toContain('is not on this machine')
    expect(text).not.toContain(liveKey)
  }
  expect(heard).toEqual([])
})

test('a live key goes to no local platform, and no live key is taken from a local.json', async () => {
  const { shared, folder } = await workplace()
  const { heard, loopback } = await stranger()
  const home = await plant(shared, localFile(loopback))
  expect(await tillwright(folder, ['whoami'], liveKey)).toMatchObject({
    code: 4,
    text: expect.stringContaining('A live key is for --target production'),
  })
  await writeFile(join(home, 'local.json'), localFile(loopback, liveKey))
  expect(await tillwright(folder, ['whoami'])).toMatchObject({ code: 4 })
  expect(heard).toEqual([])
})

test('a local.json, or a folder of it, that others can write is not believed', async () => {
  const { heard, loopback } = await stranger()
  for (const [modes, why] of [
    [{ fileMode: 0o622 }, 'is accessible to others'],
    [{ fileMode: 0o644 }, 'is accessible to others'],
    [{ folderMode: 0o777 }, 'is writable by others'],
  ] as const) {
    const { shared, folder } = await workplace()
    await plant(shared, localFile(loopback), modes)
    const { code, text } = await tillwright(folder, ['whoami'], testKey)
    expect([code, text]).toEqual([4, expect.stringContaining(why)])
  }
  // Only root can give a file away, which the tests of a container are run as.
  if (process.getuid?.() === 0) {
    const { shared, folder } = await workplace()
    await chown(join(await plant(shared, localFile(loopback)), 'local.json'), 1_234, 1_234)
    expect((await tillwright(folder, ['whoami'], testKey)).text).toContain('belongs to another user')
  }
  expect(heard).toEqual([])
})

test('a link in the place of the folder or of the file is not followed', async () => {
  const { heard, loopback } = await stranger()
  const { shared, folder } = await workplace()
  const home = await plant(shared, localFile(loopback))
  await rename(home, join(shared, 'hidden'))
  await symlink(join(shared, 'hidden'), home)
  expect((await tillwright(folder, ['whoami'], testKey)).text).toContain('is a link')
  await rm(home)
  await mkdir(home, { mode: 0o700 })
  await symlink(join(shared, 'hidden/local.json'), join(home, 'local.json'))
  expect((await tillwright(folder, ['whoami'], testKey)).text).toContain('is a link')
  expect(heard).toEqual([])
})

test('no key goes over plain HTTP: not at a login, not with --url, not by an earlier login', async () => {
  const { folder } = await workplace()
  const { heard, elsewhere, loopback } = await stranger()
  const refused = { code: 2, text: expect.stringContaining('https://') }
  const tries = [
    ['login', 'production', elsewhere, liveKey],
    ['login', 'development', loopback, testKey],
    ['whoami', 'production', loopback, liveKey],
    ['whoami', 'development', elsewhere, testKey],
  ] as const
  for (const [command, target, url, key] of tries) {
    expect(await tillwright(folder, [command, '--target', target, '--url', url], key)).toMatchObject(refused)
  }
  const local = await tillwright(folder, ['login', '--target', 'local', '--url', elsewhere], testKey)
  expect(local).toMatchObject({ code: 2, text: expect.stringContaining('is not on this machine') })
  await mkdir(join(folder, '.config/tillwright'), { recursive: true, mode: 0o700 })
  const kept = { targets: { production: elsewhere }, platforms: { [elsewhere]: { apiKey: liveKey, storeId: null } } }
  await writeFile(join(folder, '.config/tillwright/credentials.json'), JSON.stringify(kept), { mode: 0o600 })
  for (const args of [['plan'], ['deployments', 'list']]) {
    const { code } = await tillwright(folder, [...args, '--target', 'production'])
    expect(code, args.join(' ')).not.toBe(0)
  }
  expect(await tillwright(folder, ['whoami', '--target', 'production'])).toMatchObject(refused)
  await tillwright(folder, ['doctor'])
  expect(heard).toEqual([])
})

test('a platform that redirects does not lead a key elsewhere', async () => {
  const { shared, folder } = await workplace()
  const { heard, elsewhere } = await stranger()
  const redirecting = await stranger((request, response) =>
    response.writeHead(307, { location: `${elsewhere}${request.url}` }).end(),
  )
  await plant(shared, localFile(redirecting.loopback))
  const { code, text } = await tillwright(folder, ['whoami'])
  expect(code).not.toBe(0)
  expect(text).toContain('leads to another one')
  expect(redirecting.heard).toHaveLength(1)
  expect(heard).toEqual([])
})

test('the folder of a local platform is closed to others, also where it was open before', async () => {
  const { folder } = await workplace()
  const home = join(folder, '.tillwright')
  await mkdir(home)
  await chmod(home, 0o777)
  const ports = { TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0', TILLWRIGHT_LOG_LEVEL: 'silent' }
  const platform = await startLocal(readConfig({ TILLWRIGHT_HOME: home, ...ports }), 'http://localhost:9', {
    simulator: bankSimulator,
  })
  await platform.announce(null)
  expect((await stat(home)).mode & 0o777).toBe(0o700)
  expect((await stat(join(home, 'local.json'))).mode & 0o777).toBe(0o600)
  await platform.stop()
})
