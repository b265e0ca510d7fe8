import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ChannelTls } from './channel/index.ts'
import { portSchema, type Reading, setting, wrongSetting } from './runtime/index.ts'

/** Roles of a process: answer the API, keep cards, work in the background, show the pages of plugins. */
export const roleNames = ['api', 'vault', 'worker', 'plugins'] as const

export type Role = (typeof roleNames)[number]
export type Roles = ReadonlySet<Role>

/** The private channel on which processes without the card key ask those that have it. */
export interface ChannelConfig {
  tls: ChannelTls
  /** Where the vault's processes take calls: one or several `https://` addresses. */
  urls: readonly string[]
  /** The port on which this process takes calls, if it has the role `vault`. */
  port: number | undefined
}

const fallback = 'required where roles are apart'

export const roleVariables = {
  TILLWRIGHT_ROLE: setting(z.string().default('all'), {
    doc: 'What this process does. See [roles](roles.md).',
    form: `${[...roleNames, 'all'].map((name) => `\`${name}\``).join(', ')}, or several with commas between them`,
  }),
  TILLWRIGHT_CHANNEL_CERT: setting(z.string().min(1).optional(), {
    doc: "This process's certificate on the channel between roles.",
    form: 'path of a PEM file',
    fallback,
  }),
  TILLWRIGHT_CHANNEL_KEY: setting(z.string().min(1).optional(), {
    doc: 'Its private key.',
    form: 'path of a PEM file',
    fallback,
  }),
  TILLWRIGHT_CHANNEL_CA: setting(z.string().min(1).optional(), {
    doc: 'The authority that signs the certificates of all roles.',
    form: 'path of a PEM file',
    fallback,
  }),
  TILLWRIGHT_VAULT_CHANNEL_URL: setting(z.string().min(1).optional(), {
    doc: "Where a process without the role `vault` reaches the vault's processes.",
    form: '`https://` addresses, with commas between them',
    fallback,
  }),
  TILLWRIGHT_VAULT_CHANNEL_PORT: setting(portSchema().optional(), {
    doc: 'The port on which a process with the role `vault` takes the calls of the others.',
    fallback,
  }),
}

/** The settings that concern roles, as they stand in the environment. */
type RoleSettings = z.output<z.ZodObject<typeof roleVariables>>

/** Roles of a process, and its channel to the others. */
export interface RolesConfig {
  roles: Roles
  /** The channel between processes with the card key and without; `undefined` where neither is needed. */
  channel: ChannelConfig | undefined
}

export function roleSettings(set: RoleSettings, { attempt }: Reading): RolesConfig {
  const roles = attempt(() => readRoles(set.TILLWRIGHT_ROLE)) ?? new Set(roleNames)
  return { roles, channel: attempt(() => readChannel(roles, set)) }
}

/** Whether a process keeps cards and does nothing else. */
export function isVaultAlone(roles: Roles): boolean {
  return roles.size === 1 && roles.has('vault')
}

/** @throws {ConfigError} If a name is no role. */
function readRoles(list: string): Roles {
  const names = list.split(',').map((name) => name.trim())
  const roles = new Set<Role>()
  for (const name of names) {
    const role = roleNames.find((each) => each === name)
    if (role !== undefined) roles.add(role)
    else if (name === 'all') for (const each of roleNames) roles.add(each)
    else
      throw wrongSetting(
        'TILLWRIGHT_ROLE',
        `'${name}' is no role; name ${roleNames.join(', ')}, several of them, or all.`,
      )
  }
  return roles
}

/**
 * Whether a process keeps anything in `TILLWRIGHT_HOME`: the embedded database, large request bodies while they are read,
 * or files of plugins that are in no bucket.
 */
export function usesHome({
  roles,
  databaseUrl,
  blobs,
}: {
  roles: Roles
  databaseUrl: string | undefined
  blobs: unknown
}): boolean {
  return databaseUrl === undefined || roles.has('api') || (blobs === undefined && !isVaultAlone(roles))
}

/** Roles as other processes and people read them. */
export function namesOf(roles: Roles): string[] {
  return roles.size === roleNames.length ? ['all'] : [...roles]
}

/** Whether a process charges cards or authenticates their holders. */
function needsCards(roles: Roles): boolean {
  return roles.has('api') || roles.has('worker')
}

/** The origins that these roles listen for. Pages and the API share an origin; a worker has it for its probes. */
export function originsOf(roles: Roles): ('api' | 'vault')[] {
  const vault = roles.has('vault') ? (['vault'] as const) : []
  return roles.has('api') || roles.has('plugins') || !roles.has('vault') ? ['api', ...vault] : [...vault]
}

/**
 * The channel that these roles need, `undefined` where they need none: a process that has the card key itself makes no
 * calls, but may take them.
 *
 * @throws {ConfigError} If a setting is missing or unreadable.
 */
function readChannel(roles: Roles, settings: RoleSettings): ChannelConfig | undefined {
  const { TILLWRIGHT_VAULT_CHANNEL_URL: list, TILLWRIGHT_VAULT_CHANNEL_PORT: port } = settings
  const asks = needsCards(roles) && !roles.has('vault')
  const takesCalls = roles.has('vault') && (port !== undefined || !needsCards(roles))
  if (!asks && !takesCalls) return undefined
  if (takesCalls && port === undefined)
    throw wrongSetting(
      'TILLWRIGHT_VAULT_CHANNEL_PORT',
      'the role vault takes the calls of api and worker there; name a port.',
    )
  if (asks && list === undefined)
    throw wrongSetting(
      'TILLWRIGHT_VAULT_CHANNEL_URL',
      'a process without the role vault has cards charged there; name its address, such as "https://vault.internal:4402".',
    )
  const file = (name: 'TILLWRIGHT_CHANNEL_CERT' | 'TILLWRIGHT_CHANNEL_KEY' | 'TILLWRIGHT_CHANNEL_CA') =>
    readPem(name, settings[name])
  return {
    urls: asks ? readUrls(list ?? '') : [],
    port: takesCalls ? port : undefined,
    tls: {
      cert: file('TILLWRIGHT_CHANNEL_CERT'),
      key: file('TILLWRIGHT_CHANNEL_KEY'),
      ca: file('TILLWRIGHT_CHANNEL_CA'),
    },
  }
}

function readUrls(list: string): string[] {
  return list.split(',').map((text) => {
    const url = URL.parse(text.trim())
    if (url?.protocol === 'https:' && url.pathname === '/') return url.origin
    throw wrongSetting('TILLWRIGHT_VAULT_CHANNEL_URL', 'must be addresses such as "https://vault.internal:4402".')
  })
}

function readPem(name: keyof RoleSettings, path: string | undefined): string {
  if (path === undefined) throw wrongSetting(name, 'is required for the channel between roles; name a PEM file.')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw wrongSetting(name, `the file ${path} cannot be read (${code}).`)
  }
  if (text.includes('-----BEGIN ')) return text
  throw wrongSetting(name, `the file ${path} is not PEM.`)
}

/** How a platform runs, as far as it decides which roles a process may have. */
export interface RolePlace {
  environment: string
  roles: Roles
  databaseUrl: string | undefined
  vaultKey: unknown
}

/**
 * Refuses roles that cannot be apart, and a card key where it is not expected: a process without the role `vault` must
 * not hold it, even unused.
 *
 * @throws {ConfigError}
 */
export function checkRoles({ environment, roles, databaseUrl, vaultKey }: RolePlace): void {
  if (roles.size === roleNames.length) return
  if (environment === 'local')
    throw wrongSetting('TILLWRIGHT_ROLE', '"local" is one process with all roles; leave it out.')
  if (databaseUrl === undefined)
    throw wrongSetting('TILLWRIGHT_ROLE', 'the embedded database has one process with all roles; set DATABASE_URL.')
  if (roles.has('vault') || vaultKey === undefined) return
  throw wrongSetting(
    'TILLWRIGHT_VAULT_KEY',
    'must not be given to a process without the role vault; take it out of the settings of this one.',
  )
}
