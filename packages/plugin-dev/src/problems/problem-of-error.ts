import { isAbsolute, relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Problem } from '@tillwright/plugin-build'

/** What Vite and its parts tell of a module that cannot be served. */
export interface ModuleError {
  message: string
  /** The module, perhaps with a query. */
  id?: string | undefined
  loc?: { file?: string | undefined; line?: number | null | undefined; column?: number | null | undefined } | undefined
}

/** What to do about an error, by how it is worded. The first that fits counts. */
const remedies: readonly { says: RegExp; code: string; fix: string }[] = [
  {
    says: /Failed to resolve import|Could not resolve|does the file exist/,
    code: 'unresolved-import',
    fix: 'Correct the path, or install the package that it names.',
  },
  { says: /Failed to load url|ENOENT/, code: 'missing-module', fix: 'Write the file, or take out what imports it.' },
  {
    says: /Unexpected|Expected|Unterminated|PARSE_ERROR|parse|syntax/i,
    code: 'syntax-error',
    fix: 'Correct the syntax at this place.',
  },
]

/** An error of a module, at its place in the plugin. */
export function problemOfError(root: string, error: ModuleError): Problem {
  const message = plain(error.message)
  const remedy = remedies.find(({ says }) => says.test(message))
  const [, line = 1, column = 1] = /\[ ?[^\]\n]+:(\d+):(\d+) ?\]/.exec(message) ?? []
  const { loc } = error
  const file = loc?.file ?? error.id ?? ''
  return {
    code: remedy?.code ?? 'build-failed',
    severity: 'error',
    file: shownPath(root, file.replace(/\?.*$/, '')),
    line: loc?.line ?? Number(line),
    column: loc?.line == null ? Number(column) : (loc.column ?? 0) + 1,
    pointer: null,
    rule: sentence(message),
    fix: remedy?.fix ?? 'Correct the code at this place.',
  }
}

/** Relative to the plugin's folder where it lies in it. */
export function shownPath(root: string, path: string): string {
  const below = isAbsolute(path) ? relative(root, path) : path
  return (below.startsWith('..') ? path : below).split(sep).join('/')
}

/** The first line that says something, without colours and without the names of whoever says it. */
function sentence(message: string): string {
  const lines = message.split('\n').map((line) => line.replace(/^\s*(?:\[[\w:@/.-]+\]\s*)+/, '').trim())
  const first =
    lines.find((line) => /\p{L}/u.test(line) && !/^(?:Build|Transform) failed/.test(line)) ?? 'It cannot be built'
  const words = first.replace(/^Error:\s*/, '').replace(/ from "[^"]*"\. Does the file exist\?$/, '')
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function plain(text: string): string {
  return stripVTControlCharacters(text)
}
