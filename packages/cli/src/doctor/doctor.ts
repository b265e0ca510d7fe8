import { access, constants, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '@tillwright/platform'
import { readCredentials } from '../target/credentials.ts'
import { keyOf } from '../target/find-target.ts'
import { findLocal } from '../target/local.ts'
import { type Target, targetNames } from '../target/target.ts'
import { CommandFailed, partMissing, platformMissing } from '../terminal/fail-with.ts'
import {
  checkChromium,
  checkConfigFolder,
  checkLocal,
  checkNode,
  checkTarget,
  fail,
  type Finding,
  ok,
  warn,
} from './checks.ts'

/** All findings in the order of the checks, and whether none is a failure. */
export interface Diagnosis {
  healthy: boolean
  findings: Finding[]
}

/** Runs all checks of what commands need. Changes nothing. */
export async function doctor(): Promise<Diagnosis> {
  const [platform, folder, targets] = await Promise.all([ofPlatform(), checkConfigFolder(), ofTargets()])
  const findings = [checkNode(process.versions.node), ...platform, ...folder, ...targets, checkChromium()]
  return { healthy: findings.every(({ level }) => level !== 'fail'), findings }
}

/** Without the platform's package nothing can be started here, so its requirements are not checked. */
async function ofPlatform(): Promise<Finding[]> {
  const platform = await import('@tillwright/platform').catch((error: unknown) => {
    if (partMissing(error) !== null) return null
    throw error
  })
  if (platform === null) return [warn('the platform is not installed here', platformMissing)]
  const { readConfig, ConfigError } = platform
  try {
    const config = readConfig(process.env)
    return [
      ...(await checkLocal(await findLocal(), config)),
      await checkDatabase(config),
      ...(await checkProcessors(config)),
    ]
  } catch (error) {
    if (error instanceof ConfigError) return [fail(error.message, 'correct the setting')]
    // A local.json that cannot be trusted is reported once, with the targets.
    if (error instanceof CommandFailed) return []
    throw error
  }
}

async function ofTargets(): Promise<Finding[]> {
  try {
    const known = await knownTargets()
    return (await Promise.all(known.map(checkTarget))).flat()
  } catch (error) {
    if (error instanceof CommandFailed) return [fail(error.message, 'then look again')]
    throw error
  }
}

/** The local platform, if it is running, and all platforms with a login, each with the key that commands use there. */
async function knownTargets(): Promise<Target[]> {
  const [local, { targets, platforms }] = await Promise.all([findLocal(), readCredentials()])
  const kept = targetNames.flatMap((name): Target[] => {
    const apiUrl = targets[name]
    const login = apiUrl === undefined ? undefined : platforms[apiUrl]
    if (apiUrl === undefined || login === undefined) return []
    const { apiKey, storeId } = login
    return [{ name, apiUrl, ...keyOf({ apiKey, keyFrom: 'login' }), storeId }]
  })
  if (local === null) return kept
  const { apiUrl, adminApiKey, storeId } = local
  const key = keyOf({ apiKey: adminApiKey, keyFrom: 'local platform' })
  return [{ name: 'local', apiUrl, ...key, storeId }, ...kept.filter((each) => each.apiUrl !== apiUrl)]
}

/** Checks that the platform can write its database, or create one. */
async function checkDatabase(config: Config): Promise<Finding> {
  return config.databaseUrl === undefined ? checkFile(config.home) : checkServer(config)
}

async function checkFile(home: string): Promise<Finding> {
  const folder = resolve(home)
  const file = join(folder, 'tillwright.db')
  if (await isThere(file)) {
    if ((await isWritable(file)) && (await isWritable(folder))) return ok(`the database ${file} is writable`)
    return fail(
      `the database ${file} is not writable`,
      `take ownership of it and its folder, or set TILLWRIGHT_HOME to another folder`,
    )
  }
  const place = await existingFolder(folder)
  if ((await isFolder(place)) && (await isWritable(place)))
    return ok(`there is no database yet; one can be created in ${folder}`)
  return fail(
    `no database can be created in ${folder}`,
    `take ownership of ${place}, or set TILLWRIGHT_HOME to another folder`,
  )
}

/** Opened as commands open it, while the platform may be running. */
async function checkServer(config: Config): Promise<Finding> {
  const { openOperator, OperatorError } = await import('@tillwright/platform')
  try {
    const operator = await openOperator(config)
    await operator.close()
    return ok('the database of DATABASE_URL responds')
  } catch (error) {
    if (error instanceof OperatorError) {
      return fail('the database of DATABASE_URL cannot be used', error.message)
    }
    return fail(
      'the database of DATABASE_URL does not respond',
      'make sure that it is running and that DATABASE_URL is correct',
    )
  }
}

/** The path itself, or its nearest existing parent. */
async function existingFolder(folder: string): Promise<string> {
  return (await isThere(folder)) || folder === dirname(folder) ? folder : existingFolder(dirname(folder))
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

function isThere(path: string): Promise<boolean> {
  return may(path, constants.F_OK)
}

function isWritable(path: string): Promise<boolean> {
  return may(path, constants.W_OK)
}

function may(path: string, how: number): Promise<boolean> {
  return access(path, how).then(
    () => true,
    () => false,
  )
}

/**
 * Finds processors that are stopped because the platform has no driver for them; none if the database cannot be opened.
 */
async function checkProcessors(config: Config): Promise<Finding[]> {
  if (!(await hasDatabase(config))) return []
  const { openOperator } = await import('@tillwright/platform')
  try {
    const operator = await openOperator(config)
    const stopped = await operator.processors.stopped().finally(() => operator.close())
    return stopped.map(({ id, accountId, driver }) =>
      fail(
        `the processor ${id} of ${accountId} is stopped: this platform has no driver '${driver}'`,
        `run a platform version that has it, or "tillwright processors archive ${id}"`,
      ),
    )
  } catch {
    return [] // reported by the check of the database
  }
}

async function hasDatabase({ databaseUrl, home }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return true
  return access(join(home, 'tillwright.db')).then(
    () => true,
    () => false,
  )
}
