import { contract } from '@tillwright/contract'
import { choices, type ListedKey, type Operator, systemClock } from '@tillwright/platform'
import { Command, InvalidArgumentError, Option } from 'commander'
import pc from 'picocolors'
import { csvFromPlatform, manage, printCsv, type WayOptions, withEitherWay } from '../operate.ts'
import { filtersOf, shownBy, withFilters } from '../resources/list-filters.ts'
import { overlapOption, parseInstant, several, severalOf } from '../option-values.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { facts, jsonOption, type OutputOptions, table } from '../terminal/output.ts'
import { combineCommand, rotateCommand, splitCommand, statusCommand } from './encryption-keys.ts'

type Keys = Operator['keys']

interface CreateOptions extends OutputOptions, WayOptions {
  account?: string
  name?: string
  /** Unix time in milliseconds. */
  expires?: number
  role?: Parameters<Keys['createSecret']>[0]['roles']
  scope?: Parameters<Keys['createSecret']>[0]['scopes']
  publishable?: true
  store?: string
  origin?: readonly string[]
}

const accountOption = ['--account <id>', 'the account; optional if there is only one'] as const

const permissionsHelp = `
Permissions of a secret key:
  no role, no scope    everything but administration: right for a shop's server
  --role org:member    the same, explicitly
  --role org:read      everything that reads, except administration
  --role org:admin     everything, including administration: list payment flows, delete processors, read events and statistics
  --scope              these scopes, in addition to those of a role

Scopes end in :read or :write; :write does not include :read. They exist for:
  ${choices.scopes.flatMap((scope) => (scope.endsWith(':read') ? [scope.slice(0, -':read'.length)] : [])).join(', ')}

The key is printed once; only its SHA-256 is stored.`

const create = withEitherWay(new Command('create'))
  .description('Create a key and print it once')
  .option(...accountOption)
  .option('--name <text>', "the key's name in lists")
  .addOption(severalOf(['--role <role>', 'a role; may be repeated'], choices.roles))
  .addOption(severalOf(['--scope <scope>', 'a scope, such as products:read; may be repeated'], choices.scopes))
  .addOption(new Option('--expires <when>', 'days from now (90d), a day or a time (2030-01-31)').argParser(expiry))
  .addOption(new Option('--publishable', "a key for a shop's pages instead of its server").conflicts(['role', 'scope']))
  .option('--store <id>', 'for a publishable key: the store that it tokenizes cards for')
  .addOption(several(['--origin <url>', 'for a publishable key: the origin of its pages; may be repeated']))
  .option(...jsonOption)
  .addHelpText('after', permissionsHelp)
  .action((options: CreateOptions) => manage(options, ({ keys }) => createKey(keys, options), showNewKey))

const list = withFilters(contract.apiKeys.list, withEitherWay(new Command('list')))
  .description("List an account's keys, oldest first")
  .option(...accountOption)
  .option(...jsonOption)
  .addOption(csvFromPlatform())
  .action((options: OutputOptions & WayOptions & { csv?: true }) => {
    const filters = filtersOf(contract.apiKeys.list, options)
    return options.csv === true
      ? printCsv(contract.apiKeys.list, options, filters)
      : manage(options, ({ keys }) => keys.list(options.account, filters), shownBy(filters, showKeys))
  })

const get = withEitherWay(new Command('get'))
  .description('Show a key, without its text')
  .argument('<id>', 'the key, as listed: key_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) => manage(options, ({ keys }) => keys.get(id), showKey))

const roll = withEitherWay(new Command('roll'))
  .description('Replace a key by one with the same rights and print it once; the old one still works for a day')
  .argument('<id>', 'the key, as listed: key_...')
  .addOption(overlapOption('how long the old key still works'))
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions & { overlap?: number }) =>
    manage(options, ({ keys }) => keys.roll(id, options.overlap), showNewKey),
  )

const revoke = withEitherWay(new Command('revoke'))
  .description('Revoke a key for good; every process refuses it within a second')
  .argument('<id>', 'the key, as listed: key_...')
  .option(...jsonOption)
  .action((id: string, options: OutputOptions & WayOptions) => manage(options, ({ keys }) => keys.revoke(id), showKey))

/** `tillwright keys`: manages API keys, and the keys that the platform encrypts with. */
export const keysCommand = new Command('keys')
  .addCommand(create)
  .addCommand(list)
  .addCommand(get)
  .addCommand(roll)
  .addCommand(revoke)
  .addCommand(statusCommand)
  .addCommand(rotateCommand)
  .addCommand(splitCommand)
  .addCommand(combineCommand)

function createKey(keys: Keys, options: CreateOptions): Promise<ListedKey & { key: string }> {
  const { account, name, expires, role = [], scope = [], publishable, store, origin } = options
  const wanted = {
    ...(account !== undefined && { account }),
    ...(name !== undefined && { name }),
    ...(expires !== undefined && { expiresAtMs: expires }),
  }
  if (publishable !== true) {
    if (store === undefined && origin === undefined) return keys.createSecret({ ...wanted, roles: role, scopes: scope })
    throw new CommandFailed('--store and --origin are for publishable keys: add --publishable, or leave them out.')
  }
  if (store === undefined)
    throw new CommandFailed('--store: a publishable key needs the store that it tokenizes cards for.')
  return keys.createPublishable({ ...wanted, store, origins: origin ?? [] })
}

function expiry(text: string): number {
  const atMs = parseExpiry(text, systemClock.now())
  if (atMs !== null) return atMs
  throw new InvalidArgumentError('It must be like 90d, 2030-01-31 or 2030-01-31T12:00:00Z.')
}

/** A new key, with its text, which is not shown again. */
function showNewKey({ key, ...listed }: ListedKey & { key: string }): string {
  return `${pc.bold(key)}\n\nThis is shown once. Store it where ${keeper(listed)}.\n\n${showKey(listed)}`
}

function keeper({ kind }: ListedKey): string {
  return kind === 'secret' ? 'only your server can read it' : "your shop's pages can read it"
}

/** One key. */
function showKey(key: ListedKey): string {
  return facts([
    ['id', key.id],
    ['account', key.accountId],
    ['name', key.name ?? '-'],
    ['kind', key.kind],
    ['may', permissions(key)],
    ['expires', key.expiresAt ?? 'never'],
    ['state', state(key)],
  ])
}

/** An account's keys. */
function showKeys(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'There are no keys yet; create one with "tillwright keys create".\n'
  return table(
    ['id', 'name', 'key', 'may', 'expires', 'last used', 'state'],
    keys.map((key) => [
      key.id,
      key.name ?? '-',
      key.shown,
      permissions(key),
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
      state(key),
    ]),
  )
}

function permissions({ kind, roles, scopes, storeId, allowedOrigins }: ListedKey): string {
  if (kind === 'publishable') return `tokenize cards for ${storeId ?? 'any store'} on ${allowedOrigins.join(' ')}`
  return [...roles, ...scopes].join(' ') || 'everything but administration'
}

/** One that was rolled still works until it expires. */
function state({ state: now, replacedBy }: ListedKey): string {
  return replacedBy === null ? now : `${now}, replaced by ${replacedBy}`
}

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * Parses the expiry of a key into Unix time in milliseconds: `90d` is 90 days from now; `2030-01-31` is the start of
 * that day in UTC; a time of day needs an offset, `2030-01-31T12:00:00Z`. `null` for anything else.
 */
export function parseExpiry(text: string, nowMs: number): number | null {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  if (days !== undefined) return nowMs + Number(days) * DAY_MS
  return parseInstant(text)
}
