import type { Consent, Strategy, Versioning } from '@tillwright/plugin-publish'
import { type Command, Option } from 'commander'
import { type Target } from '../target/target.ts'
import { type TargetOptions, withTarget } from '../target/find-target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import { type ConfirmOptions, yesOption } from '../terminal/interaction.ts'
import { jsonOption, type OutputOptions } from '../terminal/output.ts'

/** The options of all publishing commands. */
export interface PublishOptions extends OutputOptions, TargetOptions, ConfirmOptions, StrategyOptions {
  store?: string
  dryRun?: true
  plan?: string
  apply?: string
  overwrite?: true
  exactVersion?: true
  variant?: string
  /** `false` with `--no-visit`. */
  visit?: boolean
  start?: true
  force?: true
  /** `false` with `--no-activate`. */
  activate: boolean
  alias?: string
}

/** Options for values that author and merchant have both changed. */
export interface StrategyOptions {
  theirs?: true
  ours?: true
  strict?: true
}

/** The `--store` option of all commands. */
export const storeOption = ['--store <id>', 'the store; by default that of the login or of the local platform'] as const
/** The `--dry-run` option of all commands. */
export const dryRunOption = ['--dry-run', 'print what would be done without doing it'] as const

/** Adds the options for conflicts with merchants to a command. */
export function withStrategy(command: Command): Command {
  return command
    .addOption(
      new Option('--theirs', "where the merchant changed the same value: use the author's").conflicts([
        'ours',
        'strict',
      ]),
    )
    .addOption(new Option('--ours', "keep the merchant's for good").conflicts(['theirs', 'strict']))
    .addOption(new Option('--strict', 'refuse everything').conflicts(['theirs', 'ours']))
    .option('--force', 'allow live presets to become invalid under the new schema')
}

/** Adds the options for a version that is deployed with different content to a command. */
export function withVersioning(command: Command): Command {
  return command
    .addOption(new Option('--overwrite', 'replace a deployment of the same version with different content'))
    .addOption(
      new Option(
        '--exact-version',
        "refuse a version that is deployed with different content; by default it becomes that version's next build",
      ).conflicts('overwrite'),
    )
}

/** The option that says what the pages sell. */
export const variantOption = [
  '--variant <id>',
  "the product variant that the page sells, stored in the store's settings; by default the setting, or the store's only product",
] as const

/** Adds all publishing options to a command. */
export function withPublishing(command: Command): Command {
  return withVersioning(withStrategy(withTarget(command)))
    .argument('[folder]', "the plugin's folder", '.')
    .option(...storeOption)
    .option(...dryRunOption)
    .addOption(
      new Option('--plan <file>', 'write the plan to a file without publishing').conflicts(['apply', 'dryRun']),
    )
    .addOption(new Option('--apply <file>', 'apply such a file, if plugin and platform have not changed since'))
    .option('--no-activate', 'do not activate it: it is reachable on its own host only')
    .option('--start', 'start a local platform if none runs here, and keep it running until Ctrl-C')
    .option('--no-visit', 'do not open the live page afterwards')
    .addOption(new Option('--alias <name>', 'also set an alias, such as the name of a branch'))
    .option(...yesOption)
    .option(...jsonOption)
}

/** The consent given by the options. */
export function consentOf({
  overwrite,
  force,
  ...strategy
}: Pick<PublishOptions, 'overwrite' | 'force'> & StrategyOptions): Consent {
  return { overwrite: overwrite === true, force: force === true, strategy: strategyOf(strategy) }
}

/** How the options treat a version that is deployed with different content. */
export function versioningOf({
  overwrite,
  exactVersion,
}: Pick<PublishOptions, 'overwrite' | 'exactVersion'>): Versioning {
  return overwrite === true || exactVersion === true ? 'exact' : 'build'
}

function strategyOf({ theirs, ours, strict }: StrategyOptions): Strategy {
  if (theirs === true) return 'theirs'
  if (ours === true) return 'ours'
  return strict === true ? 'strict' : 'merge'
}

/**
 * The store of a command: the one given, otherwise that of the login or of the local platform.
 *
 * @throws {CommandFailed} `usage`, if there is none.
 */
export function chooseStore({ store }: { store?: string }, { storeId, name }: Target): string {
  const chosen = store ?? storeId
  if (chosen !== null) return chosen
  throw new CommandFailed(
    `--store: pass the store, or save it with "tillwright login --target ${name} --store ...".`,
    'usage',
  )
}
