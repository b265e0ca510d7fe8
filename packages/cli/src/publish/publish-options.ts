import type { Consent, Strategy } from '@tillwright/plugin-publish'
import { type Command, Option } from 'commander'
import { type Target } from '../target/target.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { type ConfirmOptions, yesOption } from '../terminal/interaction.ts'
import { jsonOption, type OutputOptions } from '../terminal/output.ts'

/** The options of whatever publishes. */
export interface PublishOptions extends OutputOptions, TargetOptions, ConfirmOptions, StrategyOptions {
  store?: string
  dryRun?: true
  plan?: string
  apply?: string
  overwrite?: true
  force?: true
  /** `false` by `--no-activate`. */
  activate: boolean
  alias?: string
}

/** The options that say what becomes of a value that author and merchant have both changed. */
export interface StrategyOptions {
  theirs?: true
  ours?: true
  strict?: true
}

/** What `--store` is called everywhere. */
export const storeOption = [
  '--store <id>',
  'the store; that of the login or of the local platform unless named',
] as const
/** What `--dry-run` is called everywhere. */
export const dryRunOption = ['--dry-run', 'say what would be done, and do nothing'] as const

/** Gives a command the options that settle conflicts with merchants. */
export function withStrategy(command: Command): Command {
  return command
    .addOption(
      new Option('--theirs', "where the merchant changed the same value: take the author's").conflicts([
        'ours',
        'strict',
      ]),
    )
    .addOption(new Option('--ours', "the merchant's stays for good").conflicts(['theirs', 'strict']))
    .addOption(new Option('--strict', 'refuse the whole').conflicts(['theirs', 'ours']))
    .option('--force', 'let live presets become invalid under the new schema')
}

/** Gives a command everything that publishing asks. */
export function withPublishing(command: Command): Command {
  return withStrategy(withTarget(command))
    .argument('[folder]', "the plugin's folder", '.')
    .option(...storeOption)
    .option(...dryRunOption)
    .addOption(new Option('--plan <file>', 'write the plan into a file, and do nothing').conflicts(['apply', 'dryRun']))
    .addOption(new Option('--apply <file>', 'do what such a file says, if plugin and platform are still as then'))
    .option('--overwrite', 'replace a deployment of the same version that has other content')
    .option('--no-activate', 'let it wait on its own host; the store goes on with what it uses')
    .addOption(new Option('--alias <name>', 'show it under an alias too, such as the name of a branch'))
    .option(...yesOption)
    .option(...jsonOption)
}

/** What the options agree to. */
export function consentOf({
  overwrite,
  force,
  ...strategy
}: Pick<PublishOptions, 'overwrite' | 'force'> & StrategyOptions): Consent {
  return { overwrite: overwrite === true, force: force === true, strategy: strategyOf(strategy) }
}

function strategyOf({ theirs, ours, strict }: StrategyOptions): Strategy {
  if (theirs === true) return 'theirs'
  if (ours === true) return 'ours'
  return strict === true ? 'strict' : 'merge'
}

/**
 * The store that a command is for: the one that it names, or that of the login or of the local platform.
 *
 * @throws {CommandFailed} `usage`, where there is none.
 */
export function chooseStore({ store }: { store?: string }, { storeId, name }: Target): string {
  const chosen = store ?? storeId
  if (chosen !== null) return chosen
  throw new CommandFailed(
    `--store: name the store, or keep it with "tillwright login --target ${name} --store ...".`,
    'usage',
  )
}
