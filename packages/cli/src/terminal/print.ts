/** Prints text on the standard output. Shows what others may have chosen, such as names: see `harmless`. */
export function print(text: string): void {
  process.stdout.write(harmless(text))
}

/** Prints text on the standard error, in the same way. */
export function printNotice(text: string): void {
  process.stderr.write(harmless(text))
}

/**
 * Text without what a terminal would obey or show in another order, except line breaks, tabs and colours: tenants, buyers
 * and the authors of plugins choose names. Source: Unicode, general category Cc, and the marks of Bidi_Control; ECMA-48,
 * SGR.
 */
export function harmless(text: string): string {
  return text.replaceAll(/\p{Cc}\[[\d;]*m|\r?\n|[\p{Cc}\p{Bidi_Control}]/gu, (found) =>
    found.startsWith('\u001B[') || /^(\r?\n|\t)$/.test(found) ? found : REPLACED + found.slice(1),
  )
}

/** The text of a cell or of a value, which has no lines and no colours of its own. */
export function harmlessValue(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, REPLACED)
}

const REPLACED = '\uFFFD'

/** JSON that a terminal shows as it is: the same characters, those that it would obey as escapes. */
export function harmlessJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007F-\u009F\p{Bidi_Control}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
