import { execFileSync } from 'node:child_process'
import type { Command } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { wholeProgram } from '../program.ts'
import { runCommand } from '../testing/run-command.ts'

const scripts: Record<string, string> = {}
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    scripts[shell] = (await runCommand(['completions', shell], {})).out
  }
})

/** What a real bash offers for the last of some words. */
function offered(...words: string[]): string[] {
  const line = ['tillwright', ...words]
  const program = `${scripts['bash']}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tillwright; printf '%s\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '-c', program, 'bash', ...line], { encoding: 'utf8' })
  return printed.split('\n').filter((word) => word !== '')
}

test.for<[string[], string[]]>([
  [['who'], ['whoami']],
  [
    ['keys', ''],
    ['create', 'list', 'revoke', '--help'],
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
])('bash offers for %j: %j', ([words, expected]) => {
  expect(offered(...words)).toEqual(expected)
})

test('every word that can be typed is in the scripts of all shells', async () => {
  const words = everyWord(await wholeProgram())
  expect(words.length).toBeGreaterThan(100)
  const missing = (shell: string, as: (word: string) => string) =>
    words.filter((word) => scripts[shell]?.includes(as(word)) !== true)
  expect(missing('bash', (word) => word)).toEqual([])
  expect(missing('zsh', (word) => `'${word}:`)).toEqual([])
  expect(missing('fish', (word) => (word.startsWith('--') ? `-l ${word.slice(2)} ` : `-a '${word}'`))).toEqual([])
})

test('a shell that does not exist is an error of usage', async () => {
  expect(await runCommand(['completions', 'powershell'], {})).toMatchObject({ code: 2, out: '' })
})

function everyWord(command: Command): string[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  return [...options, ...command.commands.flatMap((each) => [each.name(), ...everyWord(each)])]
}
