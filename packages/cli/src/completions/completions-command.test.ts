import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { wholeProgram } from '../program.ts'
import { runCommand } from '../testing/run-command.ts'

const scripts: Record<string, string> = {}
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    scripts[shell] = (await runCommand(['completions', shell], {})).out
  }
})

/** The completions that a real bash offers for the last word. */
function offered(...words: string[]): string[] {
  const line = ['tillwright', ...words]
  const program = `${scripts['bash']}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tillwright; printf '%s\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '-c', program, 'bash', ...line], { encoding: 'utf8' })
  return printed.split('\n').filter((word) => word !== '')
}

/** The words of a line, and the expected completions of the last one. */
const lines: [string[], string[]][] = [
  [['who'], ['whoami']],
  [
    ['keys', ''],
    ['create', 'list', 'get', 'roll', 'revoke', 'status', 'rotate', 'split', 'combine', '--help'],
  ],
  [['keys', 'cr'], ['create']],
  [['whoami', '--ta'], ['--target']],
  [
    ['whoami', '--target', ''],
    ['local', 'development', 'production'],
  ],
  [['whoami', '--target', 'prod'], ['production']],
  [['whoami', '--target', 'production', '--js'], ['--json']],
  [['completions', 'z'], ['zsh']],
  [['events', 'listen', '--forward-to', 'x', '--typ'], ['--types']],
  [['keys', 'create', '--name', 'list', '--ro'], ['--role']],
  [['nothing', 'such'], []],
]

test.for(lines)('bash offers for %j: %j', ([words, expected]) => {
  expect(offered(...words)).toEqual(expected)
})

/** A single match is completed in full. */
const unambiguous = lines.filter(([words, expected]) => expected.length === 1 && words.at(-1) !== '')

/** Writes the script of a shell where the shell can read it. */
async function scriptFile(shell: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-completions-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'script')
  await writeFile(file, scripts[shell] ?? '')
  return file
}

const installed = (shell: string) => spawnSync(shell, ['--version']).status === 0
const titleFor = (shell: string) => (installed(shell) ? '' : ` (${shell} is not installed here)`)

const typing = join(import.meta.dirname, '../testing/type-lines.zsh')

test.skipIf(!installed('zsh'))(`zsh completes words typed in a terminal${titleFor('zsh')}`, async () => {
  const typed = unambiguous.map(([words]) => words.join(' '))
  const args = ['-f', typing, await scriptFile('zsh'), ...typed]
  const printed = execFileSync('zsh', args, { encoding: 'utf8', timeout: 30_000 })
  const whole = unambiguous.map(([words, expected]) => [...words.slice(0, -1), ...expected].join(' '))
  expect(printed.trim().split('\n')).toEqual(whole)
})

test.skipIf(!installed('fish'))(`fish offers possible words${titleFor('fish')}`, async () => {
  const typed = unambiguous.map(([words]) => `complete -C ${JSON.stringify(`tillwright ${words.join(' ')}`)}`)
  const program = [`source ${await scriptFile('fish')}`, ...typed].join('\n')
  const printed = execFileSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' })
  const words = printed
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0])
  expect(words).toEqual(unambiguous.flatMap(([, expected]) => expected))
})

test('every command and option is in the scripts of all shells', async () => {
  const words = everyWord(await wholeProgram())
  expect(words.length).toBeGreaterThan(100)
  const missing = (shell: string, as: (word: string) => string) =>
    words.filter((word) => scripts[shell]?.includes(as(word)) !== true)
  expect(missing('bash', (word) => word)).toEqual([])
  expect(missing('zsh', (word) => `'${word}:`)).toEqual([])
  expect(missing('fish', (word) => (word.startsWith('--') ? `-l ${word.slice(2)} ` : `-a '${word}'`))).toEqual([])
})

test('an unknown shell is a usage error', async () => {
  expect(await runCommand(['completions', 'powershell'], {})).toMatchObject({ code: 2, out: '' })
})

function everyWord(command: Command): string[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  return [...options, ...command.commands.flatMap((each) => [each.name(), ...everyWord(each)])]
}
