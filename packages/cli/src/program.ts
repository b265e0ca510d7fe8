import { Command, InvalidArgumentError, type Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { type Group, groups } from './groups.ts'
import { RepeatedOption } from './option-values.ts'
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
    if (option.long === '--version') continue
    followVariable(command, option, variable(shared.includes(option.name()) ? [] : path, option.name()))
  }
  for (const each of command.commands) strict(each, [...path, each.name()])
  return command
}

function variable(path: readonly string[], option: string): string {
  return ['tillwright', ...path, option].join('_').replaceAll('-', '_').toUpperCase()
}

/**
 * Takes an option's value from an environment variable where the command line does not give one. Commander announces the
 * variable, but would take any text for yes (`TILLWRIGHT_YES=false`) and one value where an option may be repeated.
 */
function followVariable(command: Command, option: Option, name: string): void {
  if (option.envVar === name) return // from a command line before, in the same process
  option.envVar = name
  command.on(`optionEnv:${option.name()}`, () => {
    const text = process.env[name] ?? ''
    if (text === '') return // as if it was not set
    try {
      const value = valueOf(option, text)
      if (value !== undefined) command.setOptionValueWithSource(option.attributeName(), value, 'env')
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      command.error(`error: ${name}: ${error.message}`)
    }
  })
}

/** @returns `undefined` if the variable says that a switch is off. */
function valueOf(option: Option, text: string): unknown {
  if (option.isBoolean() || option.negate) {
    if (/^(0|false|no)$/i.test(text)) return undefined
    if (/^(1|true|yes)$/i.test(text)) return !option.negate
    throw new InvalidArgumentError('It must be true or false.')
  }
  const parse = (each: string, before: unknown) =>
    option.parseArg === undefined ? each : option.parseArg(each, before)
  if (option instanceof RepeatedOption)
    return lines(text).reduce<unknown>((before, each) => parse(each, before), undefined)
  return option.variadic ? lines(text) : parse(text, option.defaultValue)
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
