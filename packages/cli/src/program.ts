import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { groups, type Group } from './groups.ts'
import { strict } from './strict.ts'
import { partMissing } from './terminal/part-missing.ts'

/**
 * `tillwright` for one command line: each command parses, calls and prints; the work is done in the packages behind it.
 * The group that the words name is loaded, and of the others name and description are known, so that a command starts
 * with what it needs itself.
 */
export async function programFor(words: readonly string[]): Promise<Command> {
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  const named = first === 'help' ? second : first
  if (groups.some(({ name, isAboutAll }) => name === first && isAboutAll === true)) return wholeProgram()
  const program = new Command('tillwright').description(manifest.description).version(manifest.version)
  for (const group of groups) program.addCommand(await commandOf(group, group.name === named))
  return strict(program)
}

/** `tillwright` with every command of every group, but for those that need the platform where that is not installed. */
export async function wholeProgram(): Promise<Command> {
  const program = new Command('tillwright').description(manifest.description).version(manifest.version)
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
