import { ruleMessage } from '@tillwright/contract/rule-messages'
import { z } from 'zod'
import { checkHost, checkRateLimits, type HttpConfig, httpSettings, httpVariables } from './http/index.ts'
import { checkKey, checkKeysApart, type KeysConfig, masterKeySettings, masterKeyVariables } from './keys/index.ts'
import {
  checkOriginsApart,
  checkPluginsSite,
  checkPluginsUrl,
  checkPublicUrl,
  type OriginsConfig,
  originSettings,
  originVariables,
} from './origins.ts'
import { checkRoles, type RolesConfig, roleSettings, roleVariables } from './roles.ts'
import { ConfigError, type Environment, type Reading, setting, wrongSetting } from './runtime/index.ts'
import { type StorageConfig, storageSettings, storageVariables } from './storage/index.ts'
import { type TelemetryConfig, telemetrySettings, telemetryVariables } from './telemetry/index.ts'
import { checkChallenge, type VaultConfig, vaultSettings, vaultVariables } from './vault/index.ts'

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

/** The environment variables of each room, in the order of docs/settings.md. */
export const settingsOfRooms = {
  process: processVariables,
  roles: roleVariables,
  origins: originVariables,
  http: httpVariables,
  storage: storageVariables,
  keys: masterKeyVariables,
  vault: vaultVariables,
  telemetry: telemetryVariables,
} as const

const environmentVariables = z.object({
  ...roleVariables,
  ...originVariables,
  ...httpVariables,
  ...storageVariables,
  ...masterKeyVariables,
  ...vaultVariables,
  ...telemetryVariables,
  ...processVariables,
})

/** How a platform runs. */
export interface Config
  extends RolesConfig, OriginsConfig, HttpConfig, StorageConfig, KeysConfig, VaultConfig, TelemetryConfig {
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
  ({ environment, apiUrl }) => checkPublicUrl('TILLWRIGHT_API_URL', { url: apiUrl, environment }),
  ({ environment, vaultUrl }) => checkPublicUrl('TILLWRIGHT_VAULT_URL', { url: vaultUrl, environment }),
  checkOriginsApart,
  checkPluginsUrl,
  checkPluginsSite,
  checkChallenge,
  checkRateLimits,
]

function checkSeed({ environment, seed }: Config): void {
  if (environment === 'local' || seed === undefined) return
  throw wrongSetting('TILLWRIGHT_SEED', 'would make keys predictable; it works in "local" only.')
}
