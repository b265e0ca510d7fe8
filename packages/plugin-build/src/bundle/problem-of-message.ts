import type { Message } from 'esbuild'
import type { Problem } from '../problem.ts'

/** What to do about an error that esbuild words in a way of its own. The first that fits counts. */
const remedies: readonly { says: RegExp; code: string; fix: string }[] = [
  {
    says: /^Could not resolve/,
    code: 'unresolved-import',
    fix: 'Correct the path, or install the package that it names.',
  },
  {
    says: /^No loader is configured/,
    code: 'unknown-file-type',
    fix: 'Put the file into the public folder and use its address, or import it in a type that the builder knows.',
  },
  { says: /^No matching export/, code: 'missing-export', fix: 'Import a name that the module exports.' },
  {
    says: /^(?:Expected|Unexpected|Unterminated|Syntax error)/,
    code: 'syntax-error',
    fix: 'Correct the syntax at this place.',
  },
]

/** What esbuild complains of, at the place in the plugin where it is. */
export function problemOfMessage(message: Message, severity: Problem['severity']): Problem {
  const { text, location, notes } = message
  const remedy = remedies.find(({ says }) => says.test(text))
  const suggestion = location?.suggestion ?? ''
  const hint = notes.map((note) => sentence(note.text)).join(' ')
  return {
    code: remedy?.code ?? (message.id === '' ? 'build-failed' : message.id),
    severity,
    file: location?.file ?? '',
    line: location?.line ?? 1,
    column: location === null ? 1 : columnOf(location.lineText, location.column),
    pointer: null,
    rule: sentence(text),
    fix:
      suggestion === ''
        ? (remedy?.fix ?? (hint === '' ? 'Correct the code at this place.' : hint))
        : `Write ${suggestion}.`,
  }
}

/** From 1 and in UTF-16 code units; esbuild counts bytes, from 0. */
function columnOf(lineText: string, bytes: number): number {
  return Buffer.from(lineText).subarray(0, bytes).toString().length + 1
}

function sentence(text: string): string {
  return /[.!?:]$/.test(text) ? text.replace(/:$/, '.') : `${text}.`
}
