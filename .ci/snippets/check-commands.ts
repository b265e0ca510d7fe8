import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, type Operation } from '../../packages/contract/src/index.ts'
import { wholeProgram } from '../../packages/cli/src/program.ts'
import { root } from '../spawn-program.ts'
import type { PageSnippet } from './read-snippets.ts'

type Command = Awaited<ReturnType<typeof wholeProgram>>

/**
 * Checks what shell snippets call: commands and options of `tillwright`, scripts of this repository, and addresses of the API.
 * It is for those that cannot be run by the dozen; `run-shell.ts` runs the others.
 */
export async function checkCommands(snippets: readonly PageSnippet[]): Promise<string[]> {
  const program = await wholeProgram()
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))
  return snippets
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code, place }) =>
      commandsOf(code).flatMap((words) => {
        const complaint =
          checkProgram(words, program) ?? checkScript(words, scripts) ?? checkAddress(words.join(' '), operations)
        return complaint === null ? [] : [`${place} ${complaint}`]
      }),
    )
}

/** The commands of a snippet as words, without comments, variables before them, and what they are piped into. */
function commandsOf(code: string): string[][] {
  const lines = code.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.map((line) => {
    const words = line.replace(/(^|\s)#.*$/, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? []
    const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
    return start === -1 ? [] : words.slice(start)
  })
}

function checkProgram(words: readonly string[], program: Command): string | null {
  const at = words[0] === 'npx' ? 1 : 0
  if (words[at] !== 'tillwright') return null
  let command = program
  for (const word of words.slice(at + 1)) {
    if (['|', '<', '>', '--', '&&'].includes(word)) break
    const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (found !== undefined) command = found
    else if (word.startsWith('--') && !knows(command, word))
      return `calls \`${nameOf(command)} ${word}\`, an option that there is not`
    else if (command.commands.length > 0 && !word.startsWith('-'))
      return `calls \`${nameOf(command)} ${word}\`, a command that there is not`
  }
  return null
}

function knows(command: Command, word: string): boolean {
  const [name] = word.split('=')
  return (
    command.options.some(({ long, negate }) => long === name || (negate && long === name)) ||
    ['--help', '--version'].includes(word)
  )
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

function checkScript([runner, ...words]: readonly string[], scripts: Readonly<Record<string, string>>): string | null {
  if (runner !== 'pnpm') return null
  const [script = ''] = words.filter((word) => word !== 'run')
  return script in scripts || ['vitest', 'changeset', 'install'].includes(script)
    ? null
    : `calls \`pnpm ${script}\`, a script that there is not`
}

/** An address below `/api/` must be one of an operation; what stands in for an id is a variable. */
function checkAddress(line: string, operations: readonly Operation[]): string | null {
  if (!/^curl\b|^post\b|\bcurl /.test(line)) return null
  const [path] = /\/api\/[^\s"'?)]*/.exec(line) ?? []
  if (path === undefined) return null
  const matches = operations.some((each) => new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return matches ? null : `asks ${path}, which is no operation`
}
