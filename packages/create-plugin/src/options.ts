import { parseArgs } from 'node:util'
import {
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
import { Failed } from './failure.ts'

/** The options of a command line. */
export interface Options extends Partial<PluginChoices> {
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
export function readOptions(words: readonly string[]): Options {
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
export function readName(text: string): string {
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
