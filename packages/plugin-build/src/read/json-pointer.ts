/** Names of keys and numbers of items, from the outside in. */
export type JsonPath = readonly (string | number)[]

/** RFC 6901: `/pages/0/path`; `''` for the whole. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The path that a pointer spells; steps are text, also those that number items. */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A path as people write it: `pages[0].path`. */
export function spoken(path: JsonPath): string {
  return path.reduce<string>((text, step) => `${text}${spokenStep(step, text === '')}`, '')
}

function spokenStep(step: string | number, first: boolean): string {
  if (typeof step === 'number') return `[${step}]`
  if (!/^[$A-Za-z_][\w$-]*$/.test(step)) return `[${JSON.stringify(shortened(step))}]`
  return first ? step : `.${step}`
}

/** Nobody reads a name of a thousand letters. */
export function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text
}
