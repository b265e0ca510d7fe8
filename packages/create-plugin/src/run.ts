import { parseArgs, styleText } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import {
  completeChoices,
  type Framework,
  frameworks,
  type Language,
  languages,
  NAME_MAX_CHARS,
  type PackageManager,
  packageManagers,
  type PluginChoices,
  shortLanguages,
  type Template,
  templates,
} from './choices.ts'
import type { Created } from './create.ts'
import { exitCodes, Failed } from './failure.ts'

/** Runs one command line. The process ends with one of `exitCodes`. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const options = readOptions(words)
    if (options.help) return void process.stdout.write(usage)
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
  const next = [
    ...(folder === '.' ? [] : [`cd ${quoted(folder)}`]),
    ...(installed ? [] : [install]),
    `${runScript} dev`,
  ]
  return `Made the plugin ${pluginId} in ${folder}, ${files.length} files. Next:\n${next.map((line) => `  ${line}\n`).join('')}`
}

/** A folder as a shell takes it, to be copied: with spaces and the like in quotes. */
function quoted(folder: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./\\~-]+$/u.test(folder)) return folder
  return process.platform === 'win32' ? `"${folder}"` : `'${folder.replaceAll("'", String.raw`'\''`)}'`
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

const namesIn = (record: object) => Object.keys(record).join(', ')

const usage = `Usage: npm create @tillwright/plugin [folder] -- [options]
       pnpm create @tillwright/plugin [folder] [options]

Creates a new plugin from a template: a folder that runs, builds, type-checks and has a test. In an existing project, use
"tillwright init" to turn its pages into a plugin.

Options:
  --name <name>              the plugin's name; the folder's name by default
  -t, --template <template>  ${namesIn(templates)}
  --language <language>      ${namesIn(languages)}, or ts, js
  --framework <framework>    ${namesIn(frameworks)}
  --package-manager <name>   ${namesIn(packageManagers)}; by default the one that runs this
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

/** The options of a command line. */
interface Options extends Partial<PluginChoices> {
  /** Ask no questions. */
  yes: boolean
  /** The answer is one JSON document. */
  json: boolean
  help: boolean
}

const flags = {
  name: { type: 'string' },
  template: { type: 'string', short: 't' },
  language: { type: 'string' },
  framework: { type: 'string' },
  'package-manager': { type: 'string' },
  variant: { type: 'string' },
  install: { type: 'boolean' },
  git: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/**
 * Reads a command line.
 *
 * @throws {Failed} `usage`.
 */
function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parse(words)
  const [folder, ...more] = positionals
  if (more.length > 0) throw wrong(`One folder is made at a time, so ${more.join(' ')} is too much.`)
  if (folder === '') throw wrong('The folder has no name.')
  const { name, template, language, framework, variant, install, git, yes, json, help } = values
  return {
    ...(folder !== undefined && { folder }),
    ...(name !== undefined && { name: readName(name) }),
    ...(template !== undefined && { template: oneOf<Template>('template', template, templates) }),
    ...(language !== undefined && { language: readLanguage(language) }),
    ...(framework !== undefined && { framework: oneOf<Framework>('framework', framework, frameworks) }),
    ...managerIn(values['package-manager']),
    ...(variant !== undefined && { variant: readVariant(variant) }),
    ...(install !== undefined && { install }),
    ...(git !== undefined && { git }),
    yes,
    json,
    help,
  }
}

/** Reads a name, as an option or an answer. @throws {Failed} `usage`. */
function readName(text: string): string {
  const name = text.trim()
  if (name.length >= 1 && name.length <= NAME_MAX_CHARS) return name
  throw wrong(`The name must be a text of 1 to ${NAME_MAX_CHARS} characters.`)
}

/** Reads the id of a product variant, as an option or an answer. @throws {Failed} `usage`. */
export function readVariant(text: string): string {
  const id = text.trim()
  if (/^[\w.:-]{0,64}$/.test(id)) return id
  throw wrong('The product variant is an id of up to 64 letters, digits, "_", "-", "." and ":", such as variant_3q8Z.')
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: flags, allowPositionals: true, allowNegative: true })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** @throws {Failed} `usage`. */
function readLanguage(said: string): Language {
  return shortLanguages.get(said) ?? oneOf<Language>('language', said, languages)
}

function managerIn(said: string | undefined): { packageManager?: PackageManager } {
  if (said === undefined) return {}
  return { packageManager: oneOf<PackageManager>('package-manager', said, packageManagers) }
}

function oneOf<Word extends string>(flag: string, said: string, words: Readonly<Record<Word, unknown>>): Word {
  const known = Object.keys(words) as Word[] // what the record is made of
  const word = known.find((each) => each === said)
  if (word !== undefined) return word
  throw wrong(`--${flag} must be one of ${known.join(', ')}, not "${said}".`)
}

function wrong(message: string): Failed {
  return new Failed(`${message} (--help says what there is.)`, 'usage')
}
