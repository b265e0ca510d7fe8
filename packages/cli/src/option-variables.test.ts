import type { Command, Option } from 'commander'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Commands are objects of their modules. This file's have actions that do nothing, so it has them for itself.
beforeAll(() => vi.resetModules())
afterAll(() => vi.resetModules())

test('every option takes its value from its environment variable, and the command line goes before it', async () => {
  const { wholeProgram } = await import('./program.ts')
  const program = await wholeProgram()
  const leaves = everyCommand(program).filter((command) => command.commands.length === 0)
  for (const command of leaves) {
    command.action(() => {})
    command.configureOutput({ writeErr: () => {} })
  }
  const wrong: string[] = []
  for (const command of leaves) {
    for (const option of command.options) {
      const read = async (flag: string | undefined, variable = '') => {
        vi.stubEnv(option.envVar ?? '', variable)
        const flags = flag === undefined ? [] : flagOf(option, flag)
        await program.parseAsync([...wordsFor(command, option), ...flags], { from: 'user' })
        return JSON.stringify(command.getOptionValue(option.attributeName()))
      }
      const [one, other] = await acceptedValues(program, command, option)
      const follows = (await read(undefined, one)) === (await read(one))
      const yields = (await read(other, one)) === (await read(other))
      if (one === undefined || !follows || !yields) wrong.push(`${wordsFor(command, option).join(' ')} ${option.flags}`)
    }
  }
  vi.unstubAllEnvs()
  expect(wrong).toEqual([])
})

/** One of them is right for each kind of option. */
const SAMPLES = [
  '2',
  '3',
  'true',
  'plugin-a',
  'plugin-b',
  '2030-01-31',
  '2030-01-31T00:00:00Z',
  '2d',
  'https://a.example',
  'a@b.example',
  'a=b',
]

/** Two values that the option accepts, or one of them twice. */
async function acceptedValues(program: Command, command: Command, option: Option): Promise<(string | undefined)[]> {
  if (!option.required) return ['true', 'true']
  const accepted: string[] = []
  for (const sample of [...(option.argChoices ?? []), ...enumerated(option), ...SAMPLES]) {
    const words = [...wordsFor(command, option), ...flagOf(option, sample)]
    if (accepted.length === 2) break
    const failure = await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => error)
    if (failure === program) accepted.push(sample)
  }
  return [accepted[0], accepted[1] ?? accepted[0]]
}

/** The values that the option names when it refuses another. */
function enumerated({ parseArg }: Option): string[] {
  try {
    parseArg?.('?', undefined)
    return []
  } catch (error) {
    const quoted = [...String(error).matchAll(/"([^"]+)"/g)].flatMap(([, value]) => value ?? [])
    return [...quoted, ...(/one of: (.*)\.$/.exec(String(error))?.[1]?.split(', ') ?? [])]
  }
}

/** A command line that lacks nothing but this option. */
function wordsFor(command: Command, option: Option): string[] {
  const path: string[] = []
  for (let each: Command | null = command; each?.parent != null; each = each.parent) path.unshift(each.name())
  const needed = command.options.filter((each) => each.mandatory && each !== option)
  const values = needed.flatMap((each) => flagOf(each, each.argChoices?.[0] ?? 'a'))
  const args = command.registeredArguments.filter(({ required }) => required)
  return [...path, ...values, ...args.map(({ argChoices }) => argChoices?.[0] ?? '2d')]
}

function flagOf({ long, required }: Option, value: string | undefined): string[] {
  return required ? [`${long}=${value}`] : [`${long}`]
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
