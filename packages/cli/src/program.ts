import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { type Group, groups } from './groups.ts'
import { partMissing } from './terminal/fail-with.ts'

/**
 * The `tillwright` program for one command line: each command parses, calls and prints; the packages behind it do the
 * work. Only the group in the command line is loaded, the others are known by name and description, so that a command
 * starts quickly.
 */
export async function programFor(words: readonly string[]): Promise<Command> {
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  const named = first === 'help' ? second : first
  if (groups.some(({ name, isAboutAll }) => name === first && isAboutAll === true)) return wholeProgram()
  const program = new Command('tillwright')
    .description(manifest.description)
    .version(manifest.version)
    .enablePositionalOptions()
  for (const group of groups) program.addCommand(await commandOf(group, group.name === named))
  return strict(program)
}

/** The `tillwright` program with all commands, except those that need the platform if it is not installed. */
export async function wholeProgram(): Promise<Command> {
  const program = new Command('tillwright')
    .description(manifest.description)
    .version(manifest.version)
    .enablePositionalOptions()
  for (const group of groups) program.addCommand(await commandOf(group, await canLoad(group)))
  return strict(program)
}

async function commandOf({ name, description, load }: Group, isNamed: boolean): Promise<Command> {
  return (isNamed ? await load() : new Command(name)).description(description)
}

async function canLoad({ load }: Group): Promise<boolean> {
  try {
    await load()
    return true
  } catch (error) {
    if (partMissing(error) !== null) return false
    throw error
  }
}

const hint = '(see --help)'
/** Options with the same meaning in all commands. */
const shared = ['json', 'yes', 'dry-run', 'target', 'url', 'database', 'store']

/**
 * Makes a command and its subcommands refuse unknown arguments, and gives each option an environment variable:
 * `TILLWRIGHT_KEYS_CREATE_NAME` for `tillwright keys create --name`, and `TILLWRIGHT_JSON` for every `--json`.
 */
function strict(command: Command, path: readonly string[] = []): Command {
  command.exitOverride().showHelpAfterError(hint).allowExcessArguments(false)
  for (const option of command.options) {
    if (option.long !== '--version') option.envVar = variable(shared.includes(option.name()) ? [] : path, option.name())
  }
  for (const each of command.commands) strict(each, [...path, each.name()])
  return command
}

function variable(path: readonly string[], option: string): string {
  return ['tillwright', ...path, option].join('_').replaceAll('-', '_').toUpperCase()
}
