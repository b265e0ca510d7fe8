import type { Command, Option } from 'commander'

/** What can be typed behind the words of one command. */
export interface Place {
  /** The words before, without `tillwright`: `keys create`; empty for the program itself. */
  path: string
  commands: readonly Word[]
  options: readonly OptionWord[]
  /** What its first argument can be, where that is one of a few. */
  values: readonly string[]
}

/** A word with what it is for. */
export interface Word {
  name: string
  description: string
}

/** An option: `--name`. */
export interface OptionWord extends Word {
  takesValue: boolean
  /** What the value can be; none where it can be anything. */
  choices: readonly string[]
}

/** Everything that can be typed, place by place: the program first, each command before those below it. */
export function wordsOf(program: Command): Place[] {
  return places(program, [])
}

function places(command: Command, path: readonly string[]): Place[] {
  const own: Place = {
    path: path.join(' '),
    commands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    options: [...command.options.flatMap(optionWord), helpOption],
    values: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [own, ...command.commands.flatMap((each) => places(each, [...path, each.name()]))]
}

const helpOption: OptionWord = { name: '--help', description: 'what it takes', takesValue: false, choices: [] }

function optionWord({ long, description, required, optional, argChoices = [] }: Option): OptionWord[] {
  return long == null ? [] : [{ name: long, description, takesValue: required || optional, choices: argChoices }]
}
