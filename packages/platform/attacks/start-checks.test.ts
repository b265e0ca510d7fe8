/*
 * There is no attacker yet. An operator starts a production from a template, forgets one setting, and leaves open what
 * every attacker looks for first. So a platform that would be open does not start, and says what to set.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const production = {
  TILLWRIGHT_ENVIRONMENT: 'production',
  TILLWRIGHT_API_URL: 'https://api.tills.example',
  TILLWRIGHT_VAULT_URL: 'https://vault.tills.example',
  TILLWRIGHT_PLUGINS_URL: 'https://plugins.till-pages.example',
  TILLWRIGHT_TRUSTED_PROXIES: '10.0.0.5',
  TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
  TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
}

test('a production with all its settings may start', () => {
  expect(readConfig(production).environment).toBe('production')
})

test.for<[string, string]>([
  ['the host of the vault', 'https://vault.tills.example'],
  ['the host of the API', 'https://api.tills.example'],
  ['below the host of the API', 'https://plugins.api.tills.example'],
  ['next to API and vault', 'https://plugins.tills.example'],
  ['the domain of API and vault', 'https://tills.example'],
])('plugins at %s, for which their pages could set cookies, are refused', ([, pluginsUrl]) => {
  for (const environment of ['production', 'development']) {
    const settings = { ...production, TILLWRIGHT_ENVIRONMENT: environment, TILLWRIGHT_PLUGINS_URL: pluginsUrl }
    expect(() => readConfig(settings)).toThrow(
      /^TILLWRIGHT_PLUGINS_URL: .*\(TILLWRIGHT_(?:API|VAULT)_URL\); give plugins another registrable domain/,
    )
  }
})

test('a vault apart from its API counts as well, and hosts of one public suffix are apart', () => {
  const at = (apiUrl: string, vaultUrl: string, pluginsUrl: string) => () =>
    readConfig({
      ...production,
      TILLWRIGHT_API_URL: apiUrl,
      TILLWRIGHT_VAULT_URL: vaultUrl,
      TILLWRIGHT_PLUGINS_URL: pluginsUrl,
    })
  expect(at('https://api.one.example', 'https://vault.two.example', 'https://plugins.two.example')).toThrow(
    'TILLWRIGHT_VAULT_URL',
  )
  expect(at('https://api.a.co.uk', 'https://vault.a.co.uk', 'https://plugins.b.co.uk')).not.toThrow()
  // A suffix of the private section, where everybody may have a name.
  expect(at('https://tills.github.io', 'https://vault-tills.github.io', 'https://pages.github.io')).not.toThrow()
  expect(at('https://tills.github.io', 'https://vault-tills.github.io', 'https://github.io')).toThrow(
    'TILLWRIGHT_PLUGINS_URL',
  )
})

test.for<[string, Uint8Array]>([
  ['of zeros', Buffer.alloc(32)],
  ['of ones', Buffer.alloc(32, 255)],
  ['of one byte', Buffer.alloc(32, 7)],
  ['of two bytes in turn', Buffer.from('ab'.repeat(32), 'hex')],
  ['of a word in turn', Buffer.alloc(32, 'changeme')],
  ['that counts', Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
  ['that counts down by threes', Buffer.from(Array.from({ length: 32 }, (_, index) => (200 - 3 * index) & 255))],
  ['of text', Buffer.from('this is 32 characters of a text!')],
  ['of hexadecimal digits', Buffer.from('0123456789abcdef02468ace13579bdf')],
  ['of zeros with some noise', Buffer.concat([Buffer.alloc(24), Buffer.from('0102030405060708', 'hex')])],
])('a key of the vault %s is refused, and not repeated', ([, key]) => {
  const text64 = Buffer.from(key).toString('base64')
  let message = ''
  try {
    readConfig({ ...production, TILLWRIGHT_VAULT_KEY: text64 })
  } catch (error) {
    message = String(error)
  }
  expect(message).toMatch(/TILLWRIGHT_VAULT_KEY: .*guessed; make one with `openssl rand -base64 32`/)
  expect(message).not.toContain(text64)
})

test('10,000 random keys are taken', () => {
  for (let round = 0; round < 10_000; round += 1)
    readConfig({ ...production, TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64') })
})

test('a production without limits is refused', () => {
  expect(() => readConfig({ ...production, TILLWRIGHT_RATE_LIMITS: 'off' })).toThrow(/^TILLWRIGHT_RATE_LIMITS: .*"on"/)
})

test.for(['TILLWRIGHT_RATE_LIMITS=off', `TILLWRIGHT_VAULT_KEY=${Buffer.alloc(32).toString('base64')}`])(
  'the program ends with %s before it listens or writes anything',
  async (setting) => {
    const [name = '', value = ''] = setting.split(/=(.*)/s)
    const { code, err, out } = await run({ ...production, [name]: value })
    expect([code, out]).toEqual([78, ''])
    expect(err).toMatch(new RegExp(`^${name}: .*\n$`))
  },
)

test('a program without any setting says loudly that it is local, and listens on loopback only', async () => {
  const child = await start({ TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' })
  const err = text(child.stderr)
  const started = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => line.includes('platform started') && resolve(line))
  })
  const { apiUrl, vaultUrl } = JSON.parse(await started)
  for (const url of [apiUrl, vaultUrl]) {
    expect(new URL(url).hostname).toBe('localhost')
    for (const address of machineAddresses()) {
      await expect(fetch(`http://${address}:${new URL(url).port}/healthz`)).rejects.toThrow('fetch failed')
    }
  }
  child.kill('SIGTERM')
  expect(await err).toMatch(/TILLWRIGHT_ENVIRONMENT is not set, so this is a LOCAL platform/)
})

async function start(settings: Record<string, string>) {
  const home = await mkdtemp(join(tmpdir(), 'start-checks-'))
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    TILLWRIGHT_HOME: home,
  }
  const child = spawn(process.execPath, [MAIN], { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    await rm(home, { recursive: true, force: true })
  })
  return child
}

async function run(settings: Record<string, string>) {
  const child = await start(settings)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, out, err }
}

/** Where others could reach this machine. */
function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}
