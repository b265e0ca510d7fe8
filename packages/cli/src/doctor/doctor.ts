import { credentialsFile, readCredentials } from '../target/credentials.ts'
import { type Target, targetNames } from '../target/target.ts'
import { findLocal } from '../target/local.ts'
import { CommandFailed, partMissing, platformMissing } from '../terminal/fail-with.ts'
import { checkDatabase } from './check-database.ts'
import { checkProcessors } from './check-processors.ts'
import {
  checkChromium,
  checkConfigFolder,
  checkLocal,
  checkNode,
  checkTarget,
  fail,
  type Finding,
  warn,
} from './checks.ts'

/** All findings in the order of the checks, and whether none is a failure. */
export interface Diagnosis {
  healthy: boolean
  findings: Finding[]
}

/** Runs all checks of what commands need. Changes nothing. */
export async function doctor(env: NodeJS.ProcessEnv = process.env): Promise<Diagnosis> {
  const [platform, folder, targets] = await Promise.all([ofPlatform(env), checkConfigFolder(env), ofTargets(env)])
  const findings = [checkNode(process.versions.node), ...platform, ...folder, ...targets, checkChromium(env)]
  return { healthy: findings.every(({ level }) => level !== 'fail'), findings }
}

/** Without the platform's package nothing can be started here, so its requirements are not checked. */
async function ofPlatform(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const platform = await import('@tillwright/platform').catch((error: unknown) => {
    if (partMissing(error) !== null) return null
    throw error
  })
  if (platform === null) return [warn('the platform is not installed here', platformMissing)]
  const { readConfig, ConfigError } = platform
  try {
    const config = readConfig(env)
    return [
      ...(await checkLocal(await findLocal(env), config)),
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

async function ofTargets(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    const known = await knownTargets(env)
    return (await Promise.all(known.map(checkTarget))).flat()
  } catch (error) {
    if (error instanceof CommandFailed) return [fail(error.message, 'then look again')]
    throw error
  }
}

type Known = Pick<Target, 'name' | 'apiUrl' | 'apiKey'>

/** The local platform, if it is running, and all platforms with a login. */
async function knownTargets(env: NodeJS.ProcessEnv): Promise<Known[]> {
  const [local, { targets, platforms }] = await Promise.all([findLocal(env), readCredentials(credentialsFile(env))])
  const kept = targetNames.flatMap((name): Known[] => {
    const apiUrl = targets[name]
    const apiKey = apiUrl === undefined ? undefined : platforms[apiUrl]?.apiKey
    return apiUrl === undefined || apiKey === undefined ? [] : [{ name, apiUrl, apiKey }]
  })
  if (local === null) return kept
  const running: Known = { name: 'local', apiUrl: local.apiUrl, apiKey: local.adminApiKey }
  return [running, ...kept.filter(({ apiUrl }) => apiUrl !== local.apiUrl)]
}
