import { isDeepStrictEqual } from 'node:util'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import { z } from 'zod'
import { keyProblem, type KeySetting, readKeySetting } from './keys/index.ts'
import { checkOriginsApart, checkPluginsSite, checkPluginsUrl, checkPublicUrl } from './origins.ts'
import { type ChannelConfig, checkRoles, readChannel, readRoles, roleNames, type Roles } from './roles.ts'
import { type AddressSet, addressSet, OperatorError } from './runtime/index.ts'
import { readBlobsUrl, type S3Place, schemaConfig, type SchemaConfig } from './storage/index.ts'
import { type TelemetryConfig, telemetrySettings, telemetryVariables } from './telemetry/index.ts'

/** A setting is wrong or missing. The message names it and says what it must be. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

const DAY_MS = 24 * 60 * 60 * 1_000
const port = z.coerce.number().int().min(0).max(65_535)
/** A balancer that probes every two seconds has failed a process twice by then. */
const DRAIN_S = 5
/** Balancers and clients that wait for ten seconds still have one for the way. */
const ANSWER_S = 8
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')

const environmentVariables = z.object({
  TILLWRIGHT_ENVIRONMENT: z.enum(['local', 'development', 'production']).default('local'),
  TILLWRIGHT_HOME: z.string().min(1).default('.tillwright'),
  TILLWRIGHT_HOST: z.string().min(1).default('localhost'),
  TILLWRIGHT_PORT: port.default(4400),
  TILLWRIGHT_VAULT_PORT: port.default(4401),
  TILLWRIGHT_API_URL: z.url().optional(),
  TILLWRIGHT_VAULT_URL: z.url().optional(),
  TILLWRIGHT_PLUGINS_URL: z.url().optional(),
  TILLWRIGHT_VAULT_KEY: z.string().optional(),
  TILLWRIGHT_SECRETS_KEY: z.string().optional(),
  TILLWRIGHT_FORM_KEY_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
  TILLWRIGHT_TRUSTED_PROXIES: z.string().optional(),
  TILLWRIGHT_CLIENT_CERT_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header, such as Client-Cert')
    .optional(),
  TILLWRIGHT_CHALLENGE_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
  TILLWRIGHT_CHALLENGE_SECRET: z.string().min(1).optional(),
  TILLWRIGHT_RATE_LIMITS: onOff.optional(),
  TILLWRIGHT_DRAIN_SECONDS: z.coerce.number().min(0).max(300).optional(),
  TILLWRIGHT_ANSWER_SECONDS: z.coerce.number().min(1).max(60).default(ANSWER_S),
  TILLWRIGHT_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TILLWRIGHT_SEED: z.string().min(1).optional(),
  TILLWRIGHT_BLOBS: z.string().optional(),
  ...telemetryVariables,
  TILLWRIGHT_BODY_MEMORY_MB: z.coerce.number().int().min(48).max(65_536).default(64),
  TILLWRIGHT_BODY_DISK_MB: z.coerce.number().int().min(64).max(1_048_576).default(1_024),
  TILLWRIGHT_MIGRATE: z.enum(['auto', 'manual']).default('auto'),
  TILLWRIGHT_MIGRATE_STATEMENT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(0),
  TILLWRIGHT_CONTRACT_AFTER_HOURS: z.coerce.number().min(0).max(8_760).default(24),
  TILLWRIGHT_ROLE: z.string().default('all'),
  TILLWRIGHT_CHANNEL_CERT: z.string().min(1).optional(),
  TILLWRIGHT_CHANNEL_KEY: z.string().min(1).optional(),
  TILLWRIGHT_CHANNEL_CA: z.string().min(1).optional(),
  TILLWRIGHT_VAULT_CHANNEL_URL: z.string().min(1).optional(),
  TILLWRIGHT_VAULT_CHANNEL_PORT: port.optional(),
  TILLWRIGHT_ACCEPT_INCOMPLETE_COPY: z.enum(['yes', 'no']).default('no'),
  DATABASE_URL: z.optional(z.string().regex(/^$|^postgres(ql)?:/, 'must begin with postgres:// or postgresql://')),
  TILLWRIGHT_REPLICA_URL: z.string().optional(),
})

/** How a platform runs. */
export interface Config extends TelemetryConfig {
  environment: 'local' | 'development' | 'production'
  /** What this process does. */
  roles: Roles
  /** The channel between processes with the card key and without; `undefined` where neither is needed. */
  channel: ChannelConfig | undefined
  /** The folder of state: the embedded database, the local keys. */
  home: string
  /** PostgreSQL, or `undefined` for the embedded database; and replicas of it, for reads that may be a little behind. */
  databaseUrl: string | undefined
  replicaUrl: string | undefined
  /** The store of the files of plugins, or `undefined` for a folder in `home`. */
  blobs: S3Place | undefined
  bodies: { memoryBytes: number; diskBytes: number }
  schema: SchemaConfig
  host: string
  port: number
  vaultPort: number
  /** Public URLs of the two origins; `undefined` in `local`, where host and port are used. */
  apiUrl: string | undefined
  vaultUrl: string | undefined
  /** The origin under whose host every deployment of a plugin has one; `undefined` for `plugins.localhost`, in `local`. */
  pluginsUrl: string | undefined
  /** The master key of cards; `undefined` in `local`, where one is made and kept in `home`. */
  vaultKey: KeySetting | undefined
  /** The master key of all other secrets and of signatures; the same. */
  secretsKey: KeySetting | undefined
  /** After what time card forms are given a new key to encrypt to. */
  jweKeyAgeMs: number
  /** `null` in `local`: requests come directly, over plain HTTP. */
  trustedProxies: AddressSet | null
  /** The header in which proxies hand on the client certificate they have verified, in lower case; `undefined` for none. */
  clientCertHeader: string | undefined
  /** The captcha provider for forms that send many cards; `undefined` for no challenges. */
  challenge: { url: string; secret: string } | undefined
  rateLimits: boolean
  /** How long a process that stops goes on taking requests while it says that it is not ready; 0 in `local`. */
  drainMs: number
  /** How long a client waits for an answer: what a processor has not ended by then goes on behind `processing`. */
  answerMs: number
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Repeats every id and draw; in `local` only. */
  seed: string | undefined
}

/**
 * Reads the settings from environment variables.
 *
 * @throws {ConfigError} One line for each setting that is wrong: the variable, the rule and the fix. A platform that handles
 *   other people's money does not start half-configured.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems = new Map<string, string>()
  const result = environmentVariables.safeParse(env, { error: ruleMessage })
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join('.')
    if (!problems.has(name)) problems.set(name, `${name}: ${message}`)
  }
  // What else is wrong depends on the environment.
  if (problems.has('TILLWRIGHT_ENVIRONMENT')) throw new ConfigError([...problems.values()].join('\n'))
  const valid = Object.entries(env).filter(([name]) => !problems.has(name))
  const set = result.data ?? environmentVariables.parse(Object.fromEntries(valid))
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const name = error.message.slice(0, error.message.indexOf(':'))
      if (!problems.has(name)) problems.set(name, error.message)
      return undefined
    }
  }
  const config = composed(set, attempt)
  for (const check of checks) attempt(() => check(config))
  if (problems.size > 0) throw new ConfigError([...problems.values()].join('\n'))
  return config
}

function composed(
  set: z.infer<typeof environmentVariables>,
  attempt: <Value>(read: () => Value) => Value | undefined,
): Config {
  const environment = set.TILLWRIGHT_ENVIRONMENT
  const roles = attempt(() => readRoles(set.TILLWRIGHT_ROLE, wrong)) ?? new Set(roleNames)
  return {
    environment,
    roles,
    channel: attempt(() => readChannel(roles, set, wrong)),
    home: set.TILLWRIGHT_HOME,
    databaseUrl: set.DATABASE_URL || undefined,
    replicaUrl: set.TILLWRIGHT_REPLICA_URL || undefined,
    blobs: attempt(() => blobsOf(set.TILLWRIGHT_BLOBS || undefined, environment)),
    bodies: { memoryBytes: set.TILLWRIGHT_BODY_MEMORY_MB * 2 ** 20, diskBytes: set.TILLWRIGHT_BODY_DISK_MB * 2 ** 20 },
    schema: schemaConfig(set),
    host: set.TILLWRIGHT_HOST,
    port: set.TILLWRIGHT_PORT,
    vaultPort: set.TILLWRIGHT_VAULT_PORT,
    apiUrl: set.TILLWRIGHT_API_URL,
    vaultUrl: set.TILLWRIGHT_VAULT_URL,
    pluginsUrl: set.TILLWRIGHT_PLUGINS_URL,
    vaultKey: attempt(() => keyOf('TILLWRIGHT_VAULT_KEY', set.TILLWRIGHT_VAULT_KEY)),
    secretsKey: attempt(() => keyOf('TILLWRIGHT_SECRETS_KEY', set.TILLWRIGHT_SECRETS_KEY)),
    jweKeyAgeMs: set.TILLWRIGHT_FORM_KEY_DAYS * DAY_MS,
    trustedProxies: attempt(() => trustedProxies(set.TILLWRIGHT_TRUSTED_PROXIES, environment)) ?? null,
    clientCertHeader: set.TILLWRIGHT_CLIENT_CERT_HEADER?.toLowerCase(),
    challenge: attempt(() => challengeOf(set.TILLWRIGHT_CHALLENGE_VERIFY_URL, set.TILLWRIGHT_CHALLENGE_SECRET)),
    rateLimits: set.TILLWRIGHT_RATE_LIMITS ?? environment !== 'local',
    drainMs: (set.TILLWRIGHT_DRAIN_SECONDS ?? (environment === 'local' ? 0 : DRAIN_S)) * 1_000,
    answerMs: set.TILLWRIGHT_ANSWER_SECONDS * 1_000,
    logLevel: set.TILLWRIGHT_LOG_LEVEL,
    seed: set.TILLWRIGHT_SEED,
    ...telemetrySettings(set),
  }
}

/** Rules about several settings. Each throws a `ConfigError` that begins with the variable to change. */
const checks: readonly ((config: Config) => void)[] = [
  checkHost,
  (config) => checkRoles(config, wrong),
  ({ environment, roles, vaultKey }) => {
    if (roles.has('vault')) checkKey('TILLWRIGHT_VAULT_KEY', vaultKey, environment)
  },
  ({ environment, secretsKey }) => checkKey('TILLWRIGHT_SECRETS_KEY', secretsKey, environment),
  checkKeysApart,
  checkSeed,
  ({ environment, apiUrl }) => checkPublicUrl('TILLWRIGHT_API_URL', { url: apiUrl, environment }, wrong),
  ({ environment, vaultUrl }) => checkPublicUrl('TILLWRIGHT_VAULT_URL', { url: vaultUrl, environment }, wrong),
  (config) => checkOriginsApart(config, wrong),
  (config) => checkPluginsUrl(config, wrong),
  (config) => checkPluginsSite(config, wrong),
  checkChallenge,
  checkRateLimits,
]

function wrong(name: string, why: string): ConfigError {
  return new ConfigError(`${name}: ${why}`)
}

function blobsOf(url: string | undefined, environment: Config['environment']): S3Place | undefined {
  if (url === undefined) return undefined
  const place = readBlobsUrl(url, environment === 'local')
  if (typeof place !== 'string') return place
  throw new ConfigError(`TILLWRIGHT_BLOBS: ${place}`)
}

function challengeOf(url: string | undefined, secret: string | undefined): Config['challenge'] {
  if (url !== undefined && secret !== undefined) return { url, secret }
  if (url === undefined && secret === undefined) return undefined
  const [has, lacks] = url === undefined ? ['SECRET', 'VERIFY_URL'] : ['VERIFY_URL', 'SECRET']
  throw new ConfigError(`TILLWRIGHT_CHALLENGE_${lacks}: is required with TILLWRIGHT_CHALLENGE_${has}.`)
}

function checkChallenge({ challenge, environment }: Config): void {
  if (challenge === undefined || environment === 'local' || challenge.url.startsWith('https://')) return
  throw new ConfigError('TILLWRIGHT_CHALLENGE_VERIFY_URL: must be an https:// address; the secret is sent there.')
}

function trustedProxies(list: string | undefined, environment: Config['environment']): AddressSet | null {
  if (environment === 'local') return null
  const entries = (list ?? '').split(/[\s,]+/).filter(Boolean)
  if (entries.length === 0) {
    throw new ConfigError(
      `TILLWRIGHT_TRUSTED_PROXIES: "${environment}" is reached over HTTPS only; name the addresses of the proxies that end it, such as "10.0.0.5", or a range such as "10.0.0.0/24".`,
    )
  }
  const set = addressSet(entries)
  if (!('invalid' in set)) return set
  throw new ConfigError(
    `TILLWRIGHT_TRUSTED_PROXIES: '${set.invalid}' is ${set.why}; name an IP address such as "10.0.0.5", or a range such as "10.0.0.0/24".`,
  )
}

function checkHost({ environment, host }: Config): void {
  if (environment !== 'local' || ['localhost', '127.0.0.1', '::1'].includes(host)) return
  throw new ConfigError('TILLWRIGHT_HOST: "local" speaks plain HTTP and listens on loopback only; use "localhost".')
}

function keyOf(name: string, text: string | undefined): KeySetting | undefined {
  if (text === undefined) return undefined
  try {
    return readKeySetting(text)
  } catch (error) {
    throw error instanceof OperatorError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}

function checkKey(name: string, setting: KeySetting | undefined, environment: Config['environment']): void {
  if (environment === 'local') return
  if (setting === undefined) {
    throw new ConfigError(
      `${name}: is required outside "local"; make one with \`openssl rand -base64 32\` and keep it safe.`,
    )
  }
  const problem = setting.kind === 'raw' ? keyProblem(setting.key) : null
  if (problem !== null) throw new ConfigError(`${name}: ${problem}`)
}

function checkKeysApart({ vaultKey, secretsKey }: Config): void {
  if (vaultKey === undefined || !isDeepStrictEqual(vaultKey, secretsKey)) return
  throw new ConfigError(
    'TILLWRIGHT_SECRETS_KEY: is the same as TILLWRIGHT_VAULT_KEY, so whoever reads secrets could read cards; make another one.',
  )
}

function checkSeed({ environment, seed }: Config): void {
  if (environment === 'local' || seed === undefined) return
  throw new ConfigError('TILLWRIGHT_SEED: would make keys predictable; it works in "local" only.')
}

function checkRateLimits({ environment, rateLimits }: Config): void {
  if (environment !== 'production' || rateLimits) return
  throw new ConfigError(
    'TILLWRIGHT_RATE_LIMITS: cannot be "off" in production, where limits stop the testing of stolen cards and the guessing of keys; leave it out or set it to "on".',
  )
}
