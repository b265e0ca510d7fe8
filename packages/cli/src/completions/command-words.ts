import type { Command, Option } from 'commander'

/** Possible words after a command. */
export interface CommandWords {
  /** The preceding words without `tillwright`: `keys create`; empty for the program itself. */
  path: string
  commands: readonly Word[]
  options: readonly OptionWord[]
  /** Possible values of its first argument; empty if it can be anything. */
  values: readonly string[]
}

/** A word with its description. */
export interface Word {
  name: string
  description: string
}

/** An option: `--name`. */
export interface OptionWord extends Word {
  takesValue: boolean
  /** Possible values of the option; empty if it can be anything. */
  choices: readonly string[]
}

/** All possible words by command: the program first, each command before its subcommands. */
export function wordsOf(program: Command): CommandWords[] {
  return places(program, [])
}

function places(command: Command, path: readonly string[]): CommandWords[] {
  const own: CommandWords = {
    path: path.join(' '),
    commands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    options: [...command.options.flatMap(optionWord), helpOption],
    values: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [own, ...command.commands.flatMap((each) => places(each, [...path, each.name()]))]
}

const helpOption: OptionWord = { name: '--help', description: 'the argument', takesValue: false, choices: [] }

function optionWord({ long, description, required, optional, argChoices = [] }: Option): OptionWord[] {
  return long == null ? [] : [{ name: long, description, takesValue: required || optional, choices: argChoices }]
}
