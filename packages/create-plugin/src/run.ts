import { styleText } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { packageManagers, type Wanted } from './choices.ts'
import type { Created } from './create.ts'
import { exitCodes, Failed } from './failed.ts'
import { help } from './help.ts'
import { readOptions, type Options } from './read-options.ts'
import { settleOptions } from './settle-options.ts'

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
  const wanted = isAsking ? await askThere(said, userAgent) : settleOptions(said, userAgent)
  // Whoever asks for help, or has mistyped, need not wait for what writes files and starts programs.
  const [{ create }, { readTemplates }] = [await import('./create.ts'), await import('./templates.ts')]
  return create(wanted, { templates: readTemplates(), version: manifest.version, signal: interruption() })
}

async function askThere(said: Partial<Wanted>, userAgent: string | undefined): Promise<Wanted> {
  const { ask } = await import('./ask.ts')
  return ask(said, userAgent, { input: process.stdin, output: process.stderr })
}

/** Whether somebody is there to answer a question. */
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

/** What the file system refuses is told in a line; the rest is ours to mend, and keeps its stack. */
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
