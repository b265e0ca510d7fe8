import type { Appearance } from '../wire/appearance.ts'
import type { ToPage } from '../wire/messages.ts'
import { variableRules } from './variable-rules.ts'

/** A variable that was left out: its name, or what of it may be repeated, and why, both in words without digits. */
export type Dropped = Omit<Extract<ToPage, { type: 'dropped' }>, 'type'>

/** Longer texts are not even looked at: no list of fonts in use comes near. */
const MAX_VALUE_LENGTH = 300

/** The longest variable is called `labelFontWeight`. */
const MAX_NAME_LENGTH = 40

/**
 * Applies a shop's appearance to the document: each value that fits its variable becomes one custom property of the
 * root; what does not fit, and what has an unknown name, is left out.
 *
 * @param root The document's root element; `color-scheme` and the colours follow its `data-theme`.
 * @param systemIsDark The buyer's system setting, for the theme `auto`.
 * @returns What was left out.
 */
export function applyAppearance(root: HTMLElement, appearance: Appearance, systemIsDark: boolean): Dropped[] {
  const { theme = 'light', variables = {} } = appearance
  const system = systemIsDark ? 'dark' : 'light'
  root.dataset.theme = theme === 'auto' ? system : theme
  const given = new Map(Object.entries(variables))
  const dropped: Dropped[] = []
  for (const [name, { read, complaint }] of Object.entries(variableRules)) {
    const text = given.get(name) ?? ''
    const value = text.length > MAX_VALUE_LENGTH ? null : read(text.replace(/\s+/g, ' ').trim())
    root.style.setProperty(propertyOf(name), value) // `null` takes it away
    if (given.delete(name) && value === null) dropped.push({ variable: name, rule: complaint })
  }
  for (const name of given.keys()) dropped.push({ variable: repeatable(name), rule: 'no such variable' })
  return dropped
}

/** What of a name that somebody made up may be repeated. */
function repeatable(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[^-a-z]/gi, '_')
}

/** The custom property of a variable: `--border-radius` of `borderRadius`. */
export function propertyOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
