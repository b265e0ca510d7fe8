import type { FormattingOptions } from 'jsonc-parser'

/** How a text is indented and ends its lines, by its first indented line: two blanks and LF unless it says otherwise. */
export function indentationOf(text: string): FormattingOptions {
  const [, eol = '\n', indent = '  '] = /(\r?\n)([ \t]+)\S/.exec(text) ?? []
  return { eol, insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length }
}
