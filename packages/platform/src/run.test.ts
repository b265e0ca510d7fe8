import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { channelFiles, hasOpenssl } from '../test/channel-files.ts'

const server = inject('postgresUrl')
const newKey = () => randomBytes(32).toString('base64')

describe.skipIf(server === null)('a platform on PostgreSQL', () => {
  test('names all settings at once that are misspelt, unknown or wrong, and ends with 78', async () => {
    const { code, err } = await ended({
      ...(await settingsOfAll()),
      DATABASE_URL: 'postgres://tillwright:hunter2@db1/shop?sslmod=require',
      TILLWRIGHT_REPLICA_URL: 'postgres://tillwright:hunter2@db2/shop?sslrootcert=/nowhere/ca.pem',
      TILLWRIGHT_DATABSE_URL: 'postgres://db1',
      TILLWRIGHT_COLOUR: 'x',
      TILLWRIGHT_VAULT_KEY: 'c2hvcnQ=',
    })
    const said = [
      'DATABASE_URL: nothing reads the parameter sslmod of the address; write sslmode, if that is meant, or leave it out.',
      'TILLWRIGHT_COLOUR: is no setting; unset it.',
      'TILLWRIGHT_DATABSE_URL: is no setting; write DATABASE_URL, if that is meant, or unset it.',
      'TILLWRIGHT_REPLICA_URL: sslrootcert: the file /nowhere/ca.pem cannot be read (ENOENT); name one that this user may read.',
      'TILLWRIGHT_VAULT_KEY: must be the base64 of 32 bytes; make one with `openssl rand -base64 32`.',
    ]
    expect([code, err.trim().split('\n').toSorted()]).toEqual([78, said])
  })

  test('a key file that is missing, too short, readable by others or of another database ends it with 78', async () => {
    const settings = await settingsOfAll()
    const file = join(settings['TILLWRIGHT_HOME'] ?? '', 'key')
    const withKey = { ...settings, TILLWRIGHT_VAULT_KEY: `file:${file}` }
    const missing = await ended(withKey)
    expect(missing.err).toContain(`TILLWRIGHT_VAULT_KEY: the file ${file} cannot be read (ENOENT)`)
    await writeFile(file, 'c2hvcnQ=', { mode: 0o600 })
    const short = await ended(withKey)
    expect(short.err).toContain(`TILLWRIGHT_VAULT_KEY: the file ${file} must hold the base64 of 32 bytes`)
    await writeFile(file, newKey())
    await chmod(file, 0o644)
    const open = await ended(withKey)
    expect(open.err).toContain(`TILLWRIGHT_VAULT_KEY: the file ${file} can be read by others (mode 0644)`)
    await chmod(file, 0o600)
    await (await started(withKey)).stop()
    await writeFile(file, newKey())
    const other = await ended(withKey)
    expect(other.err).toContain('TILLWRIGHT_VAULT_KEY: the cards of this database were sealed under the master key')
    expect([missing, short, open, other].map(({ code }) => code)).toEqual([78, 78, 78, 78])
  })

  test.for([
    ['/dev/null/state', 'cannot be written (ENOTDIR)'],
    ['/dev/null', 'cannot be one, because it is a file'],
    ['/proc/state', 'cannot be written (ENOENT)'],
  ] as const)('that needs a folder of state and may not have %s ends with 78', async ([home, why]) => {
    const { code, err } = await ended({ ...(await settingsOfAll()), TILLWRIGHT_HOME: home })
    expect([code, err]).toEqual([
      78,
      `TILLWRIGHT_HOME: the folder ${home} ${why}; name one that this user may write.\n`,
    ])
  })

  test.skipIf(!hasOpenssl)(
    'that keeps nothing in its folder of state starts without one, and warns of nothing',
    async () => {
      const settings = await settingsOfAll()
      const channel = channelFiles(join(settings['TILLWRIGHT_HOME'] ?? '', 'channel'))
      const vault = { ...settings, ...channel, TILLWRIGHT_ROLE: 'vault', TILLWRIGHT_VAULT_CHANNEL_PORT: '0' }
      const { stop, lines } = await started({ ...vault, TILLWRIGHT_HOME: '/proc/state' })
      await stop()
      expect(lines.filter(({ level }) => level > 30)).toEqual([])
      const mixed = await ended({ ...vault, TILLWRIGHT_CHANNEL_KEY: channel['TILLWRIGHT_CHANNEL_CA'] ?? '' })
      expect(mixed.err).toContain('TILLWRIGHT_CHANNEL_CERT: cannot be used with TILLWRIGHT_CHANNEL_KEY')
      expect(mixed.code).toBe(78)
    },
  )

  test('tells of an outage of the database once for each worker, without stacks, and once that it is over', async () => {
    const settings = await settingsOfAll()
    const between = await startBetween(settings['DATABASE_URL'] ?? '')
    const { stop, lines } = await started({ ...settings, DATABASE_URL: between.url })
    const loggedBy = (msg: string) => lines.filter((line) => line.msg === msg).map(({ worker }) => worker)
    between.cut()
    await expect.poll(() => loggedBy('the database does not serve a worker; it keeps trying')).toEqual(['webhooks'])
    await expect.poll(() => loggedBy('the audit log could not be sealed; trying again')).toEqual(['sealing'])
    await expect.poll(() => between.refused(), { timeout: 60_000 }).toBeGreaterThan(20)
    expect(loggedBy('the worker is at work again')).toEqual([])
    between.mend()
    const failed = () => lines.filter(({ level, worker }) => level > 30 && worker !== undefined)
    const workers = () => [...new Set(failed().map(({ worker }) => worker))].toSorted()
    await expect.poll(() => loggedBy('the worker is at work again').length).toBe(workers().length)
    await stop()
    expect(loggedBy('the worker is at work again').toSorted()).toEqual(workers())
    expect(loggedBy('the beats of this process reach the database again')).toHaveLength(1)
    expect(failed().filter((line) => 'err' in line)).toEqual([])
  })

  test('variables of other programs are no settings, and no mistake', async () => {
    const others = {
      TILLWRIGHT_API_KEY: 'test_sk_x',
      TILLWRIGHT_TARGET: 'production',
      TILLWRIGHT_PUBLISH_ALIAS: 'next',
      TILLWRIGHT_STORE_ID: 'store_x',
      TILLWRIGHT_API_PORT: 'tcp://10.0.0.1:80',
      TILLWRIGHT_API_SERVICE_HOST: '10.0.0.1',
    }
    await (await started({ ...(await settingsOfAll()), ...others })).stop()
  })
})

/** The settings of a platform with all roles on a database of its own. */
async function settingsOfAll(): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'run-'))
  const databaseUrl = await copyDatabase(server ?? '', inject('postgresTemplate'))
  onTestFinished(async () => {
    await dropDatabase(server ?? '', databaseUrl)
    await rm(home, { recursive: true, force: true })
  })
  return {
    TILLWRIGHT_ENVIRONMENT: 'development',
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_API_URL: 'https://api.tills.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.tills.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.till-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    TILLWRIGHT_VAULT_KEY: newKey(),
    TILLWRIGHT_SECRETS_KEY: newKey(),
    DATABASE_URL: databaseUrl,
  }
}

function run(settings: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  return child
}

/** Stands between a platform and its database, and turns connections away while it is cut. */
async function startBetween(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const open = new Set<Socket>()
  let [isCut, refused] = [false, 0]
  const between = createServer((near) => {
    near.on('error', () => {})
    if (isCut) {
      refused += 1
      return void near.destroy()
    }
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one.on('error', () => {}).on('close', () => other.destroy()))
      one.pipe(other)
    }
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void between.close())
  const url = new URL(databaseUrl)
  url.port = String((between.address() as AddressInfo).port) // it listens on TCP
  url.hostname = '127.0.0.1'
  return {
    url: url.href,
    refused: () => refused,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend: () => void (isCut = false),
  }
}

/** A platform that has to end by itself. */
async function ended(settings: Record<string, string>): Promise<{ code: number | null; err: string }> {
  const child = run(settings)
  const [err] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, err }
}

/** A platform that has to start, and what it logs. */
async function started(settings: Record<string, string>) {
  const child = run(settings)
  const lines: { level: number; msg: string; worker?: string }[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', (line) => {
    lines.push(JSON.parse(line))
    if (lines.at(-1)?.msg === 'platform started') resolve()
  })
  void text(child.stderr).then((err) => reject(new Error(`It ended: ${err}`)))
  await promise
  const stop = async () => {
    const over = once(child, 'exit')
    child.kill('SIGTERM')
    await over
  }
  return { lines, stop }
}
