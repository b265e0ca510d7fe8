import { isIP } from 'node:net'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import { z } from 'zod'
import { checkHost, checkRateLimits, type HttpConfig, httpSettings, httpVariables } from './http/index.ts'
import { checkKey, checkKeysApart, type KeysConfig, masterKeySettings, masterKeyVariables } from './keys/index.ts'
import { type MembersConfig, memberSettings, memberVariables } from './members/index.ts'
import { type OversightConfig, oversightSettings, oversightVariables } from './oversight/index.ts'
import { type RetentionConfig, retentionSettings, retentionVariables } from './privacy/index.ts'
import { checkRoles, type RolesConfig, roleSettings, roleVariables } from './roles.ts'
import { ConfigError, type Environment, nearestName, type Reading, setting } from './runtime/index.ts'
import { sharesCookies, wrongSetting } from './runtime/index.ts'
import { type StorageConfig, storageSettings, storageVariables } from './storage/index.ts'
import { type TelemetryConfig, telemetrySettings, telemetryVariables } from './telemetry/index.ts'
import { checkChallenge, type VaultConfig, vaultSettings, vaultVariables } from './vault/index.ts'

/** Where a platform is reached. */
interface OriginsConfig {
  /** Public URLs of the two origins; `undefined` in `local`, where host and port are used. */
  apiUrl: string | undefined
  vaultUrl: string | undefined
  /** The origin under whose host every deployment of a plugin has one; `undefined` for `plugins.localhost`, in `local`. */
  pluginsUrl: string | undefined
}

const fallback = 'required outside `local`'

const originVariables = {
  TILLWRIGHT_API_URL: setting(z.url().optional(), {
    doc: 'The `https://` address at which callers reach the API.',
    fallback,
  }),
  TILLWRIGHT_VAULT_URL: setting(z.url().optional(), {
    doc: "The `https://` address of the vault's origin, which keeps cards apart from everything else.",
    fallback,
  }),
  TILLWRIGHT_PLUGINS_URL: setting(z.url().optional(), {
    doc: 'The `https://` address below which each deployment of a plugin has an origin, on a registrable domain of its own. See [plugins](../plugins/index.md).',
    fallback,
  }),
}

function originSettings(set: z.output<z.ZodObject<typeof originVariables>>): OriginsConfig {
  return {
    apiUrl: set.TILLWRIGHT_API_URL?.replace(/\/$/, ''),
    vaultUrl: set.TILLWRIGHT_VAULT_URL?.replace(/\/$/, ''),
    pluginsUrl: set.TILLWRIGHT_PLUGINS_URL,
  }
}

interface Origins extends OriginsConfig {
  environment: Environment
  host: string
}

function checkPluginsUrl({ pluginsUrl, environment }: Origins): void {
  if (pluginsUrl === undefined) return
  const url = new URL(pluginsUrl)
  const protocols = environment === 'local' ? ['http:', 'https:'] : ['https:']
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 // an address of numbers has no names under it
  if (protocols.includes(url.protocol) && isOrigin && isName) return
  throw wrongSetting(
    'TILLWRIGHT_PLUGINS_URL',
    'must be an https:// address of a host name alone, such as "https://plugins.example.com"; "local" may use http://.',
  )
}

function checkPublicUrl(
  name: string,
  { url, environment }: { url: string | undefined; environment: Environment },
): void {
  if (environment !== 'local' && url?.startsWith('https://') !== true)
    throw wrongSetting(name, `must be the https:// address that callers use.`)
  if (url === undefined || `${new URL(url).origin}/` === new URL(url).href) return
  throw wrongSetting(name, `must be an address alone, without a path; write ${new URL(url).origin}.`)
}

function checkOriginsApart({ environment, apiUrl, vaultUrl }: Origins): void {
  if (environment === 'local' || apiUrl === undefined || vaultUrl === undefined) return
  if (new URL(apiUrl).origin !== new URL(vaultUrl).origin) return
  throw wrongSetting(
    'TILLWRIGHT_VAULT_URL',
    'must be another origin than TILLWRIGHT_API_URL: it keeps cards apart from everything else.',
  )
}

/**
 * Plugins are pages of others: cookies that they set must not reach the API or the vault, where enough of them would keep
 * a browser out for as long as they live.
 */
function checkPluginsSite({ environment, host, apiUrl, vaultUrl, pluginsUrl }: Origins): void {
  if (pluginsUrl === undefined) {
    if (environment === 'local') return
    throw wrongSetting(
      'TILLWRIGHT_PLUGINS_URL',
      'is required outside "local": an https:// address on a registrable domain that the API and the vault do not use, such as "https://plugins.example-pages.com", next to "https://api.example.com".',
    )
  }
  const pluginsHost = new URL(pluginsUrl).hostname
  for (const [name, url] of [
    ['TILLWRIGHT_API_URL', apiUrl],
    ['TILLWRIGHT_VAULT_URL', vaultUrl],
  ] as const) {
    const ownHost = url === undefined ? host : new URL(url).hostname
    if (!sharesCookies(ownHost, pluginsHost)) continue
    throw wrongSetting(
      'TILLWRIGHT_PLUGINS_URL',
      `pages of plugins below ${pluginsHost} could set cookies for ${ownHost} (${name}); give plugins another registrable domain, such as "https://plugins.example-pages.com", next to "https://api.example.com".`,
    )
  }
}

const processVariables = {
  TILLWRIGHT_ENVIRONMENT: setting(z.enum(['local', 'development', 'production']).default('local'), {
    doc: "`local` is one developer's machine, with test keys and simulated processors; `development` is a server of that kind; `production` takes money.",
  }),
  TILLWRIGHT_LOG_LEVEL: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    doc: 'The least important lines that are logged.',
  }),
  TILLWRIGHT_SEED: setting(z.string().min(1).optional(), {
    doc: 'Repeats every id and draw, in `local` only.',
    fallback: 'random',
  }),
}

/** The environment variables of each room, in the order of apps/docs/pages/operating/settings.md. */
export const settingsOfRooms = {
  process: processVariables,
  roles: roleVariables,
  origins: originVariables,
  http: httpVariables,
  storage: storageVariables,
  keys: masterKeyVariables,
  vault: vaultVariables,
  members: memberVariables,
  retention: retentionVariables,
  oversight: oversightVariables,
  telemetry: telemetryVariables,
} as const

const environmentVariables = z.object({
  ...roleVariables,
  ...originVariables,
  ...httpVariables,
  ...storageVariables,
  ...masterKeyVariables,
  ...vaultVariables,
  ...memberVariables,
  ...retentionVariables,
  ...oversightVariables,
  ...telemetryVariables,
  ...processVariables,
})

/** What all variables of this toolkit begin with, settings or not. */
const PREFIX = 'TILLWRIGHT_'

/** Programs that read variables of this prefix, which a shell may have set for them, and what follows the prefix. */
const otherReaders: Readonly<Record<string, RegExp>> = {
  'every command of the command line': /^(API_KEY|DATABASE|DRY_RUN|JSON|PROCESSOR_SECRET|STORE|TARGET|URL|YES)$/,
  'one command, and its option': new RegExp(
    `^(${`ACCOUNTS AUDIT BACKUP BUILD CARDS CLOCK COMPLETIONS CUSTOMERS DEPLOY DEPLOYMENTS DEV DIFF DISPUTES DOCTOR DOMAINS
      ERASURES EVENTS FLOWS FUNNELS HEALTH HOOKS IMPORT INIT KEYS LOGIN LOGOUT MEMBERS MIGRATE NODE ORDERS PAYMENT_FLOWS
      PAYMENT_INSTRUMENTS PAYMENTS PLAN PLATFORM PREVIEW PRICES PROCESSORS PRODUCTS PROMOTE PROMOTIONS PUBLISH
      REFUND_LIMITS REFUND_REQUESTS REFUNDS REQUESTS RESTORE ROLLBACK SERVE SHIPPING_OPTIONS START STORES SUBSCRIPTIONS
      SYNC_CONFIG SYNC_TEMPLATES TEST THREEDS THREEDS_PROVIDERS TYPES VALIDATE VARIANTS WALLETS WEBHOOKS WHOAMI`
      .split(/\s+/)
      .join('|')})_`,
  ),
  'a shop that the command line has started': /^(PRODUCT_ID|PUBLISHABLE_KEY|STORE_ID|WEBHOOK_SECRET)$/,
  'tests of this repository, and its compose file': /^(EMV_VECTORS|IMAGE|TESTS_WITHOUT)$/,
  'pods in Kubernetes, next to a service of this name':
    /(^|_)(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?|PORT=(tcp|udp|sctp):.*)$/,
}

/** So few letters away from a setting, a variable is the setting misspelt, whoever else might read it. */
const MISSPELT_LETTERS = 2

/** Why a variable has no effect that looks like a setting; `null` for every other. */
function unreadProblem(name: string, value: string): string | null {
  const settings = Object.keys(environmentVariables.shape)
  const short = (each: string) => each.replace(PREFIX, '')
  if (!name.startsWith(PREFIX) || settings.includes(name)) return null
  const meant = nearestName(short(name), settings.map(short))
  const names = [short(name), `${short(name)}=${value}`]
  const isOfOthers = Object.values(otherReaders).some((pattern) => names.some((each) => pattern.test(each)))
  if (isOfOthers && meant.letters > MISSPELT_LETTERS) return null
  const rightName = settings.find((each) => short(each) === meant.name)
  const isNear = meant.letters <= short(name).length / 2
  return isNear ? `is no setting; write ${rightName}, if that is meant, or unset it.` : 'is no setting; unset it.'
}

/** How a platform runs. */
export interface Config
  extends
    RolesConfig,
    OriginsConfig,
    HttpConfig,
    StorageConfig,
    KeysConfig,
    VaultConfig,
    MembersConfig,
    RetentionConfig,
    OversightConfig,
    TelemetryConfig {
  environment: Environment
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
  for (const [name, value] of Object.entries(env)) {
    const problem = value === undefined ? null : unreadProblem(name, value)
    if (problem !== null) problems.set(name, `${name}: ${problem}`)
  }
  // Further errors depend on the environment.
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
  const config = composed(set, { environment: set.TILLWRIGHT_ENVIRONMENT, attempt })
  for (const check of checks) attempt(() => check(config))
  if (problems.size > 0) throw new ConfigError([...problems.values()].join('\n'))
  return config
}

function composed(set: z.infer<typeof environmentVariables>, reading: Reading): Config {
  return {
    environment: set.TILLWRIGHT_ENVIRONMENT,
    logLevel: set.TILLWRIGHT_LOG_LEVEL,
    seed: set.TILLWRIGHT_SEED,
    ...roleSettings(set, reading),
    ...originSettings(set),
    ...storageSettings(set, reading),
    ...masterKeySettings(set, reading),
    ...httpSettings(set, reading),
    ...vaultSettings(set, reading),
    ...memberSettings(set, reading),
    ...retentionSettings(set, reading),
    ...oversightSettings(set),
    ...telemetrySettings(set),
  }
}

/** Rules about several settings. Each throws a `ConfigError` that begins with the variable to change. */
const checks: readonly ((config: Config) => void)[] = [
  checkHost,
  checkRoles,
  ({ environment, roles, vaultKey }) => {
    if (roles.has('vault')) checkKey('TILLWRIGHT_VAULT_KEY', vaultKey, environment)
  },
  ({ environment, secretsKey }) => checkKey('TILLWRIGHT_SECRETS_KEY', secretsKey, environment),
  checkKeysApart,
  checkSeed,
  checkOriginsApart,
  ({ environment, apiUrl }) => checkPublicUrl('TILLWRIGHT_API_URL', { url: apiUrl, environment }),
  ({ environment, vaultUrl }) => checkPublicUrl('TILLWRIGHT_VAULT_URL', { url: vaultUrl, environment }),
  checkPluginsUrl,
  checkPluginsSite,
  checkChallenge,
  checkRateLimits,
]

function checkSeed({ environment, seed }: Config): void {
  if (environment === 'local' || seed === undefined) return
  throw wrongSetting('TILLWRIGHT_SEED', 'would make keys predictable; it works in "local" only.')
}
