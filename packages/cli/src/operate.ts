import type { Operation } from '@tillwright/contract'
import type { openOperator, Operator } from '@tillwright/platform'
import type { Command } from 'commander'
import type { AccountOperator } from './operate-over-http.ts'
import { type TargetOptions, withTarget } from './target/find-target.ts'
import { findLocal } from './target/local.ts'
import { CommandFailed } from './terminal/fail-with.ts'
import { answer, csvOption, type OutputOptions } from './terminal/output.ts'

/** Where a command's database comes from, for its help. */
export const settingsHelp = `
Works directly on the platform's database, whether the platform is running or not. Run it with the platform's
settings: TILLWRIGHT_ENVIRONMENT, DATABASE_URL or TILLWRIGHT_HOME, TILLWRIGHT_VAULT_KEY,
TILLWRIGHT_SECRETS_KEY and the others.`

/** How to show a command's result, and whether it may initialize an empty database; otherwise it fails without one. */
export interface ResultOptions<Result> {
  show: (result: Result) => string
  open?: 'openOperator' | 'setUpOperator'
}

/** Runs an operator's command on the database and prints its result. */
export async function operate<Result>(
  options: OutputOptions,
  work: (operator: Operator) => Promise<Result>,
  { show, open = 'openOperator' }: ResultOptions<Result>,
): Promise<void> {
  await answer(options, async () => workWith(await openPlatform(open), work), show)
}

/** Loads the platform, which only operator commands need. */
async function openPlatform(how: 'openOperator' | 'setUpOperator'): ReturnType<typeof openOperator> {
  const platform = await import('@tillwright/platform')
  return platform[how](platform.readConfig(process.env))
}

async function workWith<Result>(operator: Operator, work: (operator: Operator) => Promise<Result>): Promise<Result> {
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}

/** How a command that works in two ways was told its way. */
export interface WayOptions extends TargetOptions {
  /** Work on the database, even if a platform is running. */
  database?: true
  /** The account; over HTTP it has to be that of the key. */
  account?: string
}

const wayHelp = `
Calls a running platform with a key if --target or --url names one, or if the local platform is running; the first line
on the standard error names it. Otherwise, and always with --database or with the settings of a platform in the
environment (DATABASE_URL, TILLWRIGHT_VAULT_KEY or TILLWRIGHT_ENVIRONMENT other than local), works directly on the
database, whether the platform is running or not.`

/** Adds the options that select a platform or its database to a command. */
export function withEitherWay(command: Command): Command {
  return withTarget(command)
    .option('--database', 'work on the database with the settings of the platform, without a key')
    .addHelpText('afterAll', wayHelp)
}

/**
 * Runs a command about one account and prints its result: by operations of the API where a platform is named or a local
 * one runs, otherwise on the database. Output, errors and exit codes are the same.
 */
export async function manage<Result>(
  options: OutputOptions & WayOptions,
  work: (operator: AccountOperator) => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  const run = async () =>
    (await isOverHttp(options)) ? overHttp(options, work) : workWith(await openPlatform('openOperator'), onDatabase)
  const onDatabase = (operator: Operator) => work({ ...operator, account: accountOn(operator, options.account) })
  await answer(options, run, show)
}

/** The `--csv` option of lists that can also be read from the database. */
export const csvFromPlatform = () => csvOption('print all as CSV; only with a running platform')

/** Prints a list as CSV, as a platform does it. */
export async function printCsv(list: Operation, options: WayOptions, filters: object): Promise<void> {
  const print = async () => {
    if (!(await isOverHttp(options))) {
      throw new CommandFailed(
        '--csv: there is no running platform to ask; name one with --target, or use --json.',
        'usage',
      )
    }
    const { printAnswer } = await import('./resources/call-operation.ts')
    return printAnswer(list, { ...filters }, options)
  }
  await answer({}, print, () => '')
}

/**
 * Whether a command calls a platform: one that is named, or the running local one unless the environment has the
 * settings of a platform.
 *
 * @throws {CommandFailed} If both ways are asked for.
 */
export async function isOverHttp(options: WayOptions, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const named = options.target !== undefined || options.url !== undefined
  if (options.database === true) {
    if (!named) return false
    throw new CommandFailed(
      '--database: leave out --target and --url (TILLWRIGHT_TARGET and TILLWRIGHT_URL), or call the platform without --database.',
      'usage',
    )
  }
  if (named) return true
  const { DATABASE_URL, TILLWRIGHT_VAULT_KEY, TILLWRIGHT_ENVIRONMENT = 'local' } = env
  if (DATABASE_URL || TILLWRIGHT_VAULT_KEY || TILLWRIGHT_ENVIRONMENT !== 'local') return false
  const local = await findLocal(env)
  return local !== null && isAlive(local.pid)
}

/** A platform that was killed leaves its description behind. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}

async function overHttp<Result>(
  options: WayOptions,
  work: (operator: AccountOperator) => Promise<Result>,
): Promise<Result> {
  const [{ connect }, { inTermsOfCommand, operatorOverHttp }] = await Promise.all([
    import('./target/connect.ts'),
    import('./operate-over-http.ts'),
  ])
  const connection = await connect(options)
  const { accountId } = connection.key
  if (options.account !== undefined && options.account !== accountId) {
    throw new CommandFailed(
      `--account: the key is of the account ${accountId}; use a key of ${options.account}, or work on the database with --database.`,
    )
  }
  try {
    return await work(operatorOverHttp(connection))
  } catch (error) {
    throw inTermsOfCommand(error)
  }
}

/** The account of a command on the database: the named one, or the only one. */
function accountOn({ accounts }: Operator, named: string | undefined): AccountOperator['account'] {
  const find = async () => accounts.get(named)
  return { get: find, update: async (change) => accounts.update((await find()).id, change) }
}
