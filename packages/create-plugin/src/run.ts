import { styleText } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { completeChoices, frameworks, languages, packageManagers, type PluginChoices, templates } from './choices.ts'
import type { Created } from './create.ts'
import { exitCodes, Failed } from './failure.ts'
import { type Options, readOptions } from './options.ts'

/** Runs one command line. The process ends with one of `exitCodes`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const options = readOptions(words)
    if (options.help) return void process.stdout.write(help)
    const created = await make(options)
    for (const note of created.notes) process.stderr.write(`${coloured('yellow', 'note')} ${note}\n`)
    process.stdout.write(options.json ? asJson(created) : show(created))
  } catch (error) {
    fail(error, words.includes('--json'))
  }
}

async function make({ yes, json, help: _, ...said }: Options): Promise<Created> {
  const userAgent = process.env['npm_config_user_agent']
  const isAsking = !yes && !json && isInteractive()
  const wanted = isAsking ? await askThere(said, userAgent) : completeChoices(said, userAgent)
  // Loaded late, so that help and usage errors do not wait for it.
  const [{ create }, { readTemplates }] = [await import('./create.ts'), await import('./files.ts')]
  return create(wanted, { templates: readTemplates(), version: manifest.version, signal: interruption() })
}

async function askThere(said: Partial<PluginChoices>, userAgent: string | undefined): Promise<PluginChoices> {
  const { ask } = await import('./questions.ts')
  return ask(said, userAgent, { input: process.stdin, output: process.stderr })
}

/** Whether questions can be asked. */
function isInteractive(): boolean {
  const { CI } = process.env
  return (CI === undefined || CI === '' || CI === 'false') && process.stdin.isTTY && process.stderr.isTTY
}

/** Aborted by the first Ctrl-C; a second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

function show({ folder, files, pluginId, packageManager, installed }: Created): string {
  const { install, run: runScript } = packageManagers[packageManager]
  const next = [...(folder === '.' ? [] : [`cd ${folder}`]), ...(installed ? [] : [install]), `${runScript} dev`]
  return `Made the plugin ${pluginId} in ${folder}, ${files.length} files. Next:\n${next.map((line) => `  ${line}\n`).join('')}`
}

function fail(error: unknown, isJson: boolean): void {
  const { failure, message } =
    error instanceof Failed ? error : { failure: 'failed' as const, message: messageOf(error) }
  if (isJson) process.stdout.write(asJson({ error: { code: failure, message } }))
  process.stderr.write(`${coloured('red', 'error')} ${message}\n`)
  process.exitCode = exitCodes[failure]
}

/** One line for errors of the file system; the stack for bugs. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'syscall' in error ? error.message : String(error.stack)
}

function coloured(colour: 'red' | 'yellow', text: string): string {
  return styleText(colour, text, { stream: process.stderr })
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const words = (record: object) => Object.keys(record).join(', ')

const help = `Usage: npm create @tillwright/plugin [folder] -- [options]
       pnpm create @tillwright/plugin [folder] [options]

Creates a new plugin from a template: a folder that runs, builds, type-checks and has a test. In an existing project, use
"tillwright init" to turn its pages into a plugin.

Options:
  --name <name>              the plugin's name; the folder's name by default
  -t, --template <template>  ${words(templates)}
  --language <language>      ${words(languages)}, or ts, js
  --framework <framework>    ${words(frameworks)}
  --package-manager <name>   ${words(packageManagers)}; by default the one that runs this
  --variant <id>             the product variant to sell; by default chosen when the plugin is published
  --install, --no-install    whether to install packages, which needs a network (default: yes)
  --git                      create a git repository with a first commit
  -y, --yes                  ask no questions; blank, TypeScript and Preact by default
  --json                     print the answer as one JSON document, for programs; no questions
  --version, -h, --help

Templates:
${Object.entries(templates)
  .map(([name, about]) => `  ${name.padEnd(10)}${about}\n`)
  .join('')}
Without a terminal, and in CI, no questions are asked. Existing files are never overwritten.
Exit codes: 0 success, 1 failure, 2 wrong command line, 5 conflicting files, 130 Ctrl-C.
`
