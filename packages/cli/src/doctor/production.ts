import type { StatsFs } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Config } from '@tillwright/platform'
import { checkNode, fail, type Finding, ok, warn } from './checks.ts'
import type { Diagnosis } from './doctor.ts'
import { checkAddresses } from './production-addresses.ts'

/**
 * Checks what production rests on, with the settings of the environment: run it where the platform runs, with the platform's
 * settings, while it runs. Changes nothing but one file in the store of files, which is removed again.
 */
export async function productionDoctor(): Promise<Diagnosis> {
  const findings = [checkNode(process.versions.node), ...(await ofSettings())]
  return { healthy: findings.every(({ level }) => level !== 'fail'), findings }
}

async function ofSettings(): Promise<Finding[]> {
  const { readConfig, ConfigError } = await import('@tillwright/platform')
  try {
    // Before anything else: what is right for "local" is wrong here.
    const config = readConfig({ ...process.env, TILLWRIGHT_ENVIRONMENT: 'production' })
    const machine = await ofMachine(config)
    const { findings, domains } = await ofPlatform(config)
    return [...settingsFindings(), ...machine, ...findings, ...(await checkAddresses(config, domains))]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => fail(line, 'correct the setting'))
  }
}

/** Keys that come as text are in the environment of every process of this user, and in whatever starts it. */
const keySettings = ['TILLWRIGHT_VAULT_KEY', 'TILLWRIGHT_SECRETS_KEY'] as const
/** Shorter prefixes have more addresses than a proxy's own network. */
const WIDE_PREFIX_BITS = { v4: 16, v6: 48 }

function settingsFindings(): Finding[] {
  const { env } = process
  const environment = env['TILLWRIGHT_ENVIRONMENT'] || 'not set'
  const wide = (env['TILLWRIGHT_TRUSTED_PROXIES'] ?? '').split(/[\s,]+/).find(isWide)
  return [
    environment === 'production'
      ? ok('TILLWRIGHT_ENVIRONMENT: is production, and all settings are valid')
      : fail(`TILLWRIGHT_ENVIRONMENT: is ${environment}`, 'set it to "production"'),
    ...(wide === undefined
      ? []
      : [
          warn(
            `TILLWRIGHT_TRUSTED_PROXIES: ${wide} trusts more machines than proxies have`,
            'name the proxies, or their own network',
          ),
        ]),
    ...(env['TILLWRIGHT_CHALLENGE_VERIFY_URL'] === undefined
      ? [
          warn(
            'TILLWRIGHT_CHALLENGE_VERIFY_URL: is not set, so that forms which test cards are refused instead of challenged',
            'set it to a captcha provider',
          ),
        ]
      : []),
    ...keySettings
      .filter((name) => /^[A-Za-z0-9+/=]+$/.test(env[name] ?? ''))
      .map((name) =>
        warn(
          `${name}: is in the environment as text`,
          'let a key service or a file that only the platform reads hold it, and keep a copy offline',
        ),
      ),
  ]
}

function isWide(entry: string): boolean {
  const [address = '', bits = '128'] = entry.split('/')
  return Number(bits) < (isIPv6(address) ? WIDE_PREFIX_BITS.v6 : WIDE_PREFIX_BITS.v4)
}

const GIGABYTE = 2 ** 30
const SPACE_WARN_SHARE = 0.1
const DESCRIPTORS_FAIL = 1_024
const DESCRIPTORS_WARN = 8_192

async function ofMachine(config: Config): Promise<Finding[]> {
  return [await checkSpace(config.home), ...(await checkDescriptors())]
}

async function checkSpace(home: string): Promise<Finding> {
  const folder = resolve(home)
  return spaceFinding(folder, await fileSystemOf(folder))
}

/** Of the nearest folder that exists: the platform makes the others. */
async function fileSystemOf(folder: string): Promise<StatsFs> {
  return statfs(folder).catch((error: unknown) => {
    if (folder === dirname(folder)) throw error
    return fileSystemOf(dirname(folder))
  })
}

/** Judges the free space at a folder by figures of `statfs`. */
export function spaceFinding(
  folder: string,
  { bavail, blocks, bsize }: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>,
): Finding {
  const what = `TILLWRIGHT_HOME: ${((bavail * bsize) / GIGABYTE).toFixed(1)} GiB are free at ${folder}`
  const fix = 'make room, or move TILLWRIGHT_HOME'
  if (bavail * bsize < GIGABYTE) return fail(what, fix)
  return bavail / blocks < SPACE_WARN_SHARE ? warn(what, fix) : ok(what)
}

/** Each connection takes one. */
async function checkDescriptors(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (soft === '') return []
  const what = `this process may open ${soft} files and connections`
  const fix = 'raise the limit: LimitNOFILE= of systemd, ulimits of a container'
  if (Number(soft) <= DESCRIPTORS_FAIL) return [fail(what, fix)]
  return [Number(soft) < DESCRIPTORS_WARN ? warn(what, fix) : ok(what)]
}

/** Findings of the platform's own database; one that cannot be opened is a finding itself. */
async function ofPlatform(config: Config): Promise<{ findings: Finding[]; domains: string[] }> {
  const { openOperator, OperatorError } = await import('@tillwright/platform')
  try {
    const { production, close } = await openOperator(config)
    try {
      return { findings: await production.findings(), domains: await production.domains() }
    } finally {
      await close()
    }
  } catch (error) {
    const place = config.databaseUrl === undefined ? 'TILLWRIGHT_HOME' : 'DATABASE_URL'
    // What PostgreSQL says itself has a severity, such as that a table may not be read.
    if (!(error instanceof Error) || !(error instanceof OperatorError || 'severity' in error)) throw error
    return { findings: [fail(`${place}: the database cannot be used`, error.message)], domains: [] }
  }
}
