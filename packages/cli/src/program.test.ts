import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { readConfig } from '@tillwright/platform'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { wholeProgram } from './program.ts'
import { runCommand } from './testing/run-command.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

function tillwright(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, out, err) => resolve({ code: error?.code ?? 0, out, err }))
  })
}

test('--version prints the version, --help the commands', async () => {
  expect(await tillwright('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' })
  const help = await tillwright('--help')
  expect([help.code, help.err]).toEqual([0, ''])
  expect(help.out).toMatch(/Usage: tillwright[\s\S]+start/)
})

test.for([
  [['stort'], 'start'],
  [['start', '--shope', 'x'], '--shop'],
  [['keys', 'creat'], 'create'],
  [['whoami', '--taget', 'local'], '--target'],
] as const)('an unknown word (%s) is a usage error that suggests a known one', async ([words, meant]) => {
  const { code, out, err } = await runCommand(words, {})
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^error: unknown (command|option)/)
  expect(err).toContain(meant)
})

test.for<[string[]]>([[['whoami', 'extra']], [['keys', 'list', 'extra']], [['keys']], [[]]])(
  'too many or too few words (%s) are usage errors',
  async ([words]) => {
    expect((await runCommand(words, {})).code).toBe(2)
  },
)

test('help for a command prints the same as the command with --help, including environment variables', async () => {
  const help = await runCommand(['help', 'whoami'], {})
  expect(help).toEqual(await runCommand(['whoami', '--help'], {}))
  expect(help.out).toContain('TILLWRIGHT_TARGET')
})

test('every command has a description, every option a description and a unique environment variable', async () => {
  const program = await wholeProgram()
  const commands = everyCommand(program)
  expect(commands.filter((command) => command.description() === '')).toEqual([])
  const options = commands.flatMap((command) => command.options.filter((option) => option.long !== '--version'))
  expect(options.filter((option) => option.description === '' || option.envVar === undefined)).toEqual([])
  const variables = Map.groupBy(options, (option) => option.envVar)
  const ambiguous = [...variables].filter(([, own]) => new Set(own.map((option) => option.long)).size > 1)
  expect(ambiguous).toEqual([])
  // A shell that has one of them set may start a platform.
  expect(() => readConfig(Object.fromEntries(options.map(({ envVar = '' }) => [envVar, 'x'])))).not.toThrow()
})

test('a variable that says no leaves a switch off, an empty one is not set, and another text is refused', async () => {
  const folder = { TILLWRIGHT_HOME: '/nowhere' }
  const asText = await runCommand(['keys', 'list', '--database'], folder)
  expect(asText.out).toBe('')
  for (const no of ['false', '0', '']) {
    expect(await runCommand(['keys', 'list', '--database'], { ...folder, TILLWRIGHT_JSON: no })).toEqual(asText)
  }
  const asJson = await runCommand(['keys', 'list', '--database'], { ...folder, TILLWRIGHT_JSON: 'true' })
  expect(JSON.parse(asJson.out)).toHaveProperty('error')
  const refused = await runCommand(['keys', 'list', '--database'], { ...folder, TILLWRIGHT_JSON: 'maybe' })
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('error: TILLWRIGHT_JSON: It must be true or false.'),
  ])
})

test('a variable has the rules of its option, and its values of an option that may be repeated stand on lines', async () => {
  const target = await runCommand(['whoami'], { TILLWRIGHT_TARGET: 'somewhere' })
  expect(target.err).toContain('error: TILLWRIGHT_TARGET: Allowed choices are local, development, production.')
  const roles = await runCommand(['keys', 'create'], { TILLWRIGHT_KEYS_CREATE_SCOPE: 'products:read\nproducts:paint' })
  expect(roles.err).toContain('error: TILLWRIGHT_KEYS_CREATE_SCOPE: It must be one of: ')
  const share = await runCommand(['keys', 'combine', '--into', '/nowhere/key'], {
    TILLWRIGHT_KEYS_COMBINE_SHARE: '/nowhere/one\n/nowhere/two',
  })
  expect(share.err).toContain('/nowhere/one')
})

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
