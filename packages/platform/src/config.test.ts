import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './runtime/index.ts'

const pems = mkdtempSync(join(tmpdir(), 'tillwright-config-'))
afterAll(() => rmSync(pems, { recursive: true }))

const vaultKey = randomBytes(32).toString('base64')
const production = {
  TILLWRIGHT_ENVIRONMENT: 'production',
  TILLWRIGHT_VAULT_KEY: vaultKey,
  TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  TILLWRIGHT_API_URL: 'https://api.shop.example',
  TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
  TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
  TILLWRIGHT_TRUSTED_PROXIES: '10.0.0.5, 10.0.0.6',
}

test('without any setting it is the local platform on its usual ports, without limits', () => {
  expect(readConfig({})).toEqual({
    environment: 'local',
    roles: new Set(['api', 'vault', 'worker', 'plugins']),
    channel: undefined,
    home: '.tillwright',
    databaseUrl: undefined,
    bodies: { memoryBytes: 64 * 2 ** 20, diskBytes: 2 ** 30 },
    schema: { mode: 'auto', statementMs: 0, contractAfterMs: 86_400_000, acceptIncompleteCopy: false },
    host: 'localhost',
    port: 4400,
    vaultPort: 4401,
    apiUrl: undefined,
    vaultUrl: undefined,
    pluginsUrl: undefined,
    vaultKey: undefined,
    jweKeyAgeMs: 90 * 24 * 60 * 60 * 1_000,
    trustedProxies: null,
    rateLimits: false,
    answerMs: 8_000,
    drainMs: 0,
    memberIdleMs: 7_200_000,
    retention: {
      sessionsMs: 30 * 86_400_000,
      threedsMessagesMs: 86_400_000,
      auditMs: 400 * 86_400_000,
      eventsMs: null,
    },
    logLevel: 'info',
    seed: undefined,
    metrics: undefined,
    tracing: undefined,
    webhookTraces: false,
  })
})

test('production limits requests, and trusts the proxies it was told of', () => {
  const config = readConfig(production)
  expect(config).toMatchObject({ environment: 'production', rateLimits: true })
  expect(config.vaultKey).toEqual({ kind: 'raw', key: Buffer.from(vaultKey, 'base64') })
  expect(['10.0.0.5', '10.0.0.6', '10.0.0.7'].map((address) => config.trustedProxies?.has(address))).toEqual([
    true,
    true,
    false,
  ])
})

test('proxies may be a range, but not half the world', () => {
  const trusting = (list: string) => readConfig({ ...production, TILLWRIGHT_TRUSTED_PROXIES: list }).trustedProxies
  const set = trusting('10.1.0.0/16, fd00:1::/32, 192.0.2.7')
  for (const address of ['10.1.255.3', 'fd00:1::9', '192.0.2.7'])
    expect([address, set?.has(address)]).toEqual([address, true])
  for (const address of ['10.2.0.1', 'fd00:2::9', '192.0.2.8', '', 'localhost'])
    expect([address, set?.has(address)]).toEqual([address, false])
  for (const wrong of ['0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/x', 'proxy'])
    expect(() => trusting(`10.0.0.5, ${wrong}`)).toThrow(`TILLWRIGHT_TRUSTED_PROXIES: '${wrong}' is `)
})

test('a store of files is named by its bucket, and said what is wrong with', () => {
  expect(readConfig({ TILLWRIGHT_BLOBS: 's3://files/live?region=eu-west-1' }).blobs).toMatchObject({ bucket: 'files' })
  expect(readConfig({ TILLWRIGHT_BLOBS: '' }).blobs).toBeUndefined()
  const plain = { ...production, TILLWRIGHT_BLOBS: 's3://files?endpoint=http://10.0.0.9:9000' }
  expect(() => readConfig(plain)).toThrow('TILLWRIGHT_BLOBS: endpoint must be an https:// address')
})

test('limits can be switched on locally, and off in development', () => {
  const development = { ...production, TILLWRIGHT_ENVIRONMENT: 'development' }
  expect(readConfig({ TILLWRIGHT_RATE_LIMITS: 'on' }).rateLimits).toBe(true)
  expect(readConfig({ ...development, TILLWRIGHT_RATE_LIMITS: 'off' }).rateLimits).toBe(false)
})

test('an empty DATABASE_URL is none', () => {
  expect(readConfig({ DATABASE_URL: '' }).databaseUrl).toBeUndefined()
})

const refused: readonly [what: string, env: Record<string, string | undefined>, variable: string, fix: RegExp][] = [
  [
    'an unknown environment',
    { TILLWRIGHT_ENVIRONMENT: 'staging' },
    'TILLWRIGHT_ENVIRONMENT',
    /local.*development.*production/,
  ],
  ['a port that is no number', { TILLWRIGHT_PORT: 'http' }, 'TILLWRIGHT_PORT', /number/],
  ['a port over 65535', { TILLWRIGHT_VAULT_PORT: '65536' }, 'TILLWRIGHT_VAULT_PORT', /65535/],
  ['limits that are neither on nor off', { TILLWRIGHT_RATE_LIMITS: 'yes' }, 'TILLWRIGHT_RATE_LIMITS', /on.*off/],
  ['an unknown log level', { TILLWRIGHT_LOG_LEVEL: 'loud' }, 'TILLWRIGHT_LOG_LEVEL', /info/],
  ['an address that is none', { TILLWRIGHT_API_URL: 'api' }, 'TILLWRIGHT_API_URL', /URL/],
  ['a local platform that others can reach', { TILLWRIGHT_HOST: '0.0.0.0' }, 'TILLWRIGHT_HOST', /loopback.*localhost/],
  ['a key of the vault that is no base64', { TILLWRIGHT_VAULT_KEY: '###' }, 'TILLWRIGHT_VAULT_KEY', /base64/],
  [
    'a key of the vault that is too short',
    { TILLWRIGHT_VAULT_KEY: 'AAAA' },
    'TILLWRIGHT_VAULT_KEY',
    /32 bytes.*openssl rand/,
  ],
  [
    'production without a key of the vault',
    { ...production, TILLWRIGHT_VAULT_KEY: undefined },
    'TILLWRIGHT_VAULT_KEY',
    /required.*openssl rand/,
  ],
  [
    'production without a key of secrets',
    { ...production, TILLWRIGHT_SECRETS_KEY: undefined },
    'TILLWRIGHT_SECRETS_KEY',
    /required.*openssl rand/,
  ],
  [
    'one key for cards and for everything else',
    { ...production, TILLWRIGHT_SECRETS_KEY: vaultKey },
    'TILLWRIGHT_SECRETS_KEY',
    /same as TILLWRIGHT_VAULT_KEY.*make another/,
  ],
  [
    'production without a trusted proxy',
    { ...production, TILLWRIGHT_TRUSTED_PROXIES: ' , ' },
    'TILLWRIGHT_TRUSTED_PROXIES',
    /HTTPS.*such as/,
  ],
  ['production with a seed', { ...production, TILLWRIGHT_SEED: 'a' }, 'TILLWRIGHT_SEED', /"local" only/],
  [
    'production over plain HTTP',
    { ...production, TILLWRIGHT_API_URL: 'http://api.shop.example' },
    'TILLWRIGHT_API_URL',
    /https:/,
  ],
  [
    'production without the address of the vault',
    { ...production, TILLWRIGHT_VAULT_URL: undefined },
    'TILLWRIGHT_VAULT_URL',
    /https:/,
  ],
  [
    'plugins on an address of numbers',
    { TILLWRIGHT_PLUGINS_URL: 'http://127.0.0.1' },
    'TILLWRIGHT_PLUGINS_URL',
    /name/,
  ],
  ['plugins under a path', { TILLWRIGHT_PLUGINS_URL: 'http://a.b/c' }, 'TILLWRIGHT_PLUGINS_URL', /host name alone/],
  ['plugins by file', { TILLWRIGHT_PLUGINS_URL: 'ftp://a.b' }, 'TILLWRIGHT_PLUGINS_URL', /https:/],
  [
    'plugins in production over plain HTTP',
    { ...production, TILLWRIGHT_PLUGINS_URL: 'http://plugins.example.com' },
    'TILLWRIGHT_PLUGINS_URL',
    /https:/,
  ],
  [
    'a verifier of challenges without a secret',
    { TILLWRIGHT_CHALLENGE_VERIFY_URL: 'https://challenge.example/siteverify' },
    'TILLWRIGHT_CHALLENGE_SECRET',
    /required with TILLWRIGHT_CHALLENGE_VERIFY_URL/,
  ],
  [
    'a secret for a verifier of challenges that is not named',
    { TILLWRIGHT_CHALLENGE_SECRET: 'x' },
    'TILLWRIGHT_CHALLENGE_VERIFY_URL',
    /required with TILLWRIGHT_CHALLENGE_SECRET/,
  ],
  [
    'a verifier of challenges over plain HTTP in production',
    {
      ...production,
      TILLWRIGHT_CHALLENGE_VERIFY_URL: 'http://challenge.example/siteverify',
      TILLWRIGHT_CHALLENGE_SECRET: 'x',
    },
    'TILLWRIGHT_CHALLENGE_VERIFY_URL',
    /https:/,
  ],
  ['production without limits', { ...production, TILLWRIGHT_RATE_LIMITS: 'off' }, 'TILLWRIGHT_RATE_LIMITS', /"on"/],
  [
    'production that does not say where plugins are',
    { ...production, TILLWRIGHT_PLUGINS_URL: undefined },
    'TILLWRIGHT_PLUGINS_URL',
    /required.*registrable domain.*such as/,
  ],
  [
    'plugins on the domain of the API',
    { ...production, TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop.example' },
    'TILLWRIGHT_PLUGINS_URL',
    /TILLWRIGHT_API_URL.*another registrable domain/,
  ],
  [
    'plugins below localhost itself',
    { TILLWRIGHT_PLUGINS_URL: 'http://localhost:4400' },
    'TILLWRIGHT_PLUGINS_URL',
    /another registrable domain/,
  ],
  [
    'one origin for API and vault',
    { ...production, TILLWRIGHT_VAULT_URL: 'https://api.shop.example/vault' },
    'TILLWRIGHT_VAULT_URL',
    /another origin/,
  ],
  [
    'development without a trusted proxy',
    { ...production, TILLWRIGHT_ENVIRONMENT: 'development', TILLWRIGHT_TRUSTED_PROXIES: undefined },
    'TILLWRIGHT_TRUSTED_PROXIES',
    /"development"/,
  ],
]

test.for(refused)('%s is refused with the name of the setting and what it must be', ([, env, variable, fix]) => {
  const error = refusal(env)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toMatch(new RegExp(`^${variable}: `))
  expect(error.message).toMatch(fix)
})

test.for([
  ['http://plugins.localhost:4400', {}],
  ['https://plugins.example.com', production],
] as const)('plugins may be at %s', ([pluginsUrl, env]) => {
  expect(readConfig({ ...env, TILLWRIGHT_PLUGINS_URL: pluginsUrl }).pluginsUrl).toBe(pluginsUrl)
})

const apart = {
  ...production,
  DATABASE_URL: 'postgres://db.internal/tillwright',
  TILLWRIGHT_CHANNEL_CERT: pemFile('cert.pem'),
  TILLWRIGHT_CHANNEL_KEY: pemFile('key.pem'),
  TILLWRIGHT_CHANNEL_CA: pemFile('ca.pem'),
}
const asApi = { ...apart, TILLWRIGHT_VAULT_KEY: undefined, TILLWRIGHT_ROLE: 'api,worker,plugins' }
const asVault = { ...apart, TILLWRIGHT_ROLE: 'vault', TILLWRIGHT_VAULT_CHANNEL_PORT: '4402' }

test('a process may have some of the roles, with a channel to the others', () => {
  const urls = 'https://vault-1.internal:4402, https://vault-2.internal:4402'
  const api = readConfig({ ...asApi, TILLWRIGHT_VAULT_CHANNEL_URL: urls })
  expect(api.roles).toEqual(new Set(['api', 'worker', 'plugins']))
  expect(api.channel?.urls).toEqual(['https://vault-1.internal:4402', 'https://vault-2.internal:4402'])
  expect(api.channel?.port).toBeUndefined()
  expect(readConfig(asVault).channel).toMatchObject({ port: 4402, urls: [] })
  const pages = { ...production, DATABASE_URL: apart.DATABASE_URL, TILLWRIGHT_VAULT_KEY: undefined }
  expect(readConfig({ ...pages, TILLWRIGHT_ROLE: 'plugins' }).channel).toBeUndefined()
})

const refusedRoles: typeof refused = [
  ['a role that there is not', { ...apart, TILLWRIGHT_ROLE: 'api,cards' }, 'TILLWRIGHT_ROLE', /'cards'.*api, vault/],
  ['one role alone in local', { TILLWRIGHT_ROLE: 'plugins' }, 'TILLWRIGHT_ROLE', /"local".*leave it out/],
  [
    'one role alone on the embedded database',
    { ...asVault, DATABASE_URL: undefined },
    'TILLWRIGHT_ROLE',
    /embedded database.*DATABASE_URL/,
  ],
  [
    'a card key where no cards are kept',
    { ...production, DATABASE_URL: apart.DATABASE_URL, TILLWRIGHT_ROLE: 'plugins' },
    'TILLWRIGHT_VAULT_KEY',
    /must not be given.*take it out/,
  ],
  [
    'a vault that takes no calls',
    { ...asVault, TILLWRIGHT_VAULT_CHANNEL_PORT: undefined },
    'TILLWRIGHT_VAULT_CHANNEL_PORT',
    /name a port/,
  ],
  ['an API that knows no vault', asApi, 'TILLWRIGHT_VAULT_CHANNEL_URL', /name its address, such as "https:/],
  ...['http://vault.internal:4402', 'https://vault.internal/calls', 'vault'].map((url): (typeof refused)[number] => [
    `a vault at ${url}`,
    { ...asApi, TILLWRIGHT_VAULT_CHANNEL_URL: url },
    'TILLWRIGHT_VAULT_CHANNEL_URL',
    /addresses such as "https:/,
  ]),
  ...(['CERT', 'KEY', 'CA'] as const).map((part): (typeof refused)[number] => [
    `a channel without its ${part}`,
    { ...asVault, [`TILLWRIGHT_CHANNEL_${part}`]: undefined },
    `TILLWRIGHT_CHANNEL_${part}`,
    /required.*PEM file/,
  ]),
  [
    'a certificate that is not there',
    { ...asVault, TILLWRIGHT_CHANNEL_CERT: join(tmpdir(), 'no-such-file.pem') },
    'TILLWRIGHT_CHANNEL_CERT',
    /cannot be read \(ENOENT\)/,
  ],
  [
    'a private key that is no PEM',
    { ...asVault, TILLWRIGHT_CHANNEL_KEY: pemFile('empty.pem', '') },
    'TILLWRIGHT_CHANNEL_KEY',
    /is not PEM/,
  ],
]

test.for(refusedRoles)('%s is refused with the name of the setting and what it must be', ([, env, variable, fix]) => {
  const error = refusal(env)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toMatch(new RegExp(`^${variable}: `))
  expect(error.message).toMatch(fix)
})

test('a setting of the channel that cannot be read is refused without repeating the file', () => {
  const secret = 'not-pem-but-secret'
  const { message } = refusal({ ...asVault, TILLWRIGHT_CHANNEL_KEY: pemFile('secret.pem', secret) })
  expect(message).not.toContain(secret)
})

function pemFile(name: string, text = '-----BEGIN CERTIFICATE-----\n'): string {
  const file = join(pems, name)
  writeFileSync(file, text)
  return file
}

test('all settings that are wrong are named together', () => {
  const { message } = refusal({ TILLWRIGHT_PORT: 'x', TILLWRIGHT_LOG_LEVEL: 'loud' })
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual(['TILLWRIGHT_PORT', 'TILLWRIGHT_LOG_LEVEL'])
})

test('a server without any of its settings lists all of them at once', () => {
  const { message } = refusal({
    TILLWRIGHT_ENVIRONMENT: 'production',
    TILLWRIGHT_PORT: 'x',
    TILLWRIGHT_SEED: 'a',
    TILLWRIGHT_CHALLENGE_SECRET: 'b',
    TILLWRIGHT_BLOBS: 'files',
    TILLWRIGHT_RATE_LIMITS: 'off',
  })
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    'TILLWRIGHT_PORT',
    'TILLWRIGHT_BLOBS',
    'TILLWRIGHT_TRUSTED_PROXIES',
    'TILLWRIGHT_CHALLENGE_VERIFY_URL',
    'TILLWRIGHT_VAULT_KEY',
    'TILLWRIGHT_SECRETS_KEY',
    'TILLWRIGHT_SEED',
    'TILLWRIGHT_API_URL',
    'TILLWRIGHT_VAULT_URL',
    'TILLWRIGHT_PLUGINS_URL',
    'TILLWRIGHT_RATE_LIMITS',
  ])
})

test('a setting with two faults is named once', () => {
  const { message } = refusal({
    ...production,
    TILLWRIGHT_VAULT_KEY: '###',
    TILLWRIGHT_PLUGINS_URL: 'http://plugins.shop.example',
  })
  expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
    'TILLWRIGHT_VAULT_KEY',
    'TILLWRIGHT_PLUGINS_URL',
  ])
})

test('no refusal shows a secret', () => {
  expect(refusal({ TILLWRIGHT_VAULT_KEY: 'c2VjcmV0' }).message).not.toContain('c2VjcmV0')
})

function refusal(env: Record<string, string | undefined>): Error {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('It was not refused.')
}

test('card forms get a new key after 90 days, or after as many as the operator says', () => {
  const day = 24 * 60 * 60 * 1_000
  expect(readConfig({ TILLWRIGHT_FORM_KEY_DAYS: '30' }).jweKeyAgeMs).toBe(30 * day)
  expect(() => readConfig({ TILLWRIGHT_FORM_KEY_DAYS: '0' })).toThrow('TILLWRIGHT_FORM_KEY_DAYS')
})

test('traces are configured by the variables of OpenTelemetry', () => {
  const endpoint = 'http://collector:4318'
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing).toEqual({
    url: 'http://collector:4318/v1/traces',
    protocol: 'http/protobuf',
    sampler: { name: 'limited' },
  })
  const sampled = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(readConfig(sampled).tracing).toEqual({
    url: 'https://traces.example/in',
    protocol: 'http/json',
    sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
  })
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }]) {
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...off }).tracing).toBeUndefined()
  }
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }).tracing).toBeUndefined()
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('OTEL_EXPORTER_OTLP_PROTOCOL')
})
