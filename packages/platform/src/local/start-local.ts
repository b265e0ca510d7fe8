import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordNow, worker } from '../audit/index.ts'
import type { Config } from '../config.ts'
import { commit, type LocalAccount } from '../http/index.ts'
import { findByEmail, invitation, invitationLink } from '../members/index.ts'
import { type Platform, startPlatform, type PlatformDependencies } from '../platform.ts'
import { OperatorError } from '../runtime/index.ts'
import { takeHome } from '../storage/index.ts'
import { followLocalClock } from './local-clock.ts'
import { localKeys } from './master-key.ts'
import { type Seed, seedLocalAccount } from './seed.ts'

/** A local platform with an account in it. */
export interface LocalPlatform extends Platform {
  /** The content of `local.json`, without the shop. */
  local: LocalFile
  /** The link that makes the first member of the account; `null` once one has been accepted. */
  memberLink: string | null
  /** Writes `local.json`: call it last, when everything answers. */
  announce: (shopUrl: string | null) => Promise<void>
}

/**
 * Starts a platform for one developer on this machine: creates its keys and an account, or reuses those of the
 * last start.
 *
 * @param shopUrl The URL of the developer's shop: its page may embed the card form, and webhooks go to its `/webhooks`.
 * @param dependencies With the simulator: a local account has no other processors.
 */
export async function startLocal(
  config: Config,
  shopUrl: string,
  dependencies: PlatformDependencies,
): Promise<LocalPlatform> {
  const folder = config.home
  await makeLocalFolder(folder)
  const keys = await localKeys(config)
  const { stop: stopClock, ...clocks } =
    dependencies.clock === undefined ? await followLocalClock(config) : asGiven(dependencies)
  let account: Seed | null = null
  const localAccount = () => account
  const given = { ...dependencies, ...clocks, localAccount }
  const started = await startPlatform({ ...config, ...keys }, given).catch((error: unknown) => {
    stopClock()
    throw error
  })
  const platform = {
    ...started,
    stop: async () => {
      await started.stop()
      stopClock()
    },
  }
  const seeded = await seedLocalAccount(platform.services, { folder, shopUrl }).catch(async (error: unknown) => {
    await platform.stop()
    throw error
  })
  account = seeded
  const memberLink = await firstMemberLink(seeded.accountId, platform)
  const { webhookEndpointId: _, ...seed } = seeded
  const { apiUrl, vaultUrl } = platform
  const local = { apiUrl, vaultUrl, shopUrl: null, ...seed, pid: process.pid }
  return {
    ...platform,
    local,
    memberLink,
    announce: (runningShopUrl) => writeLocalFile(folder, { ...local, shopUrl: runningShopUrl }),
    stop: async () => {
      await removeLocalFile(folder)
      await platform.stop()
    },
  }
}

/** Every start makes a new link, and the former one stops working: it was printed where others may have read it. */
async function firstMemberLink(accountId: string, { apiUrl, services }: Platform): Promise<string | null> {
  const sql = `SELECT id FROM members WHERE account_id = ? AND status = 'active' LIMIT 1`
  if ((await services.db.read(sql, [accountId])).length > 0) return null
  const email = 'owner@localhost.test'
  const known = await findByEmail(accountId, email, services.db)
  const owner = { accountId, email, name: null, role: 'owner', storeIds: null } as const
  const { member, token, writes } = invitation(owner, known, services)
  const resource = { type: 'member', id: member.id }
  const change = { accountId, actor: worker('local'), operation: 'members.invite', resource, after: member }
  await commit([...writes, ...recordNow(change, services)], services)
  return invitationLink(apiUrl, token)
}

/** A clock that the caller moves. */
function asGiven({ clock, testClock }: Pick<PlatformDependencies, 'clock' | 'testClock'>) {
  return { ...(clock && { clock }), ...(testClock && { testClock }), stop: () => {} }
}

/** Read by the CLI, scripts and tests to find the local platform. Exists only while that platform is running. */
export interface LocalFile extends LocalAccount {
  apiUrl: string
  vaultUrl: string
  /** `null` when no shop runs. */
  shopUrl: string | null
  /** A test key with the role org:admin. */
  adminApiKey: string
  webhookSecret: string
  pid: number
}

/**
 * Creates the state folder, or restricts an existing one to its owner (mode 0700): it holds keys, and commands send
 * theirs to the URL in its `local.json`.
 *
 * @throws {OperatorError} If the folder cannot be made or written, or belongs to another user.
 */
async function makeLocalFolder(folder: string): Promise<void> {
  await takeHome(folder)
  const { uid, mode } = await stat(folder)
  if (process.getuid === undefined) return // Windows: a profile's folder is its owner's
  if (uid !== process.getuid()) {
    throw new OperatorError(
      `${folder} belongs to another user, who could read this platform's keys; name a folder of your own in TILLWRIGHT_HOME.`,
    )
  }
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700)
}

/** Writes `local.json`, readable by its owner alone (mode 0600); a reader finds all of it or none. */
async function writeLocalFile(folder: string, content: LocalFile): Promise<void> {
  const file = join(folder, 'local.json')
  // A file or link that lies there already would keep its own mode and place.
  await rm(`${file}.new`, { force: true })
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(`${file}.new`, file)
}

/** Removes `local.json`, if it is this process's. */
async function removeLocalFile(folder: string): Promise<void> {
  const file = join(folder, 'local.json')
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null && JSON.parse(text).pid === process.pid) await rm(file, { force: true })
}
