import type { Appearance } from '../wire/appearance.ts'
import { variableRules } from './variable-rules.ts'

/** Longer texts are not even looked at: no list of fonts in use comes near. */
const MAX_VALUE_LENGTH = 300

/**
 * Applies a shop's appearance to the document: each value that fits its variable becomes one custom property of the
 * root; what does not fit, and what has an unknown name, is left out.
 *
 * @param root The document's root element; `color-scheme` and the colours follow its `data-theme`.
 * @param systemIsDark The buyer's system setting, for the theme `auto`.
 */
export function applyAppearance(root: HTMLElement, appearance: Appearance, systemIsDark: boolean): void {
  const { theme = 'light', variables = {} } = appearance
  const system = systemIsDark ? 'dark' : 'light'
  root.dataset.theme = theme === 'auto' ? system : theme
  const given = new Map(Object.entries(variables))
  for (const [name, rule] of Object.entries(variableRules)) {
    const text = given.get(name) ?? ''
    const value = text.length > MAX_VALUE_LENGTH ? null : rule(text.replace(/\s+/g, ' ').trim())
    root.style.setProperty(propertyOf(name), value) // `null` takes it away
  }
}

/** The custom property of a variable: `--border-radius` of `borderRadius`. */
export function propertyOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
