import { appearanceVariables, type Appearance } from '../wire/appearance.ts'

/**
 * Applies a shop's appearance to the document. Values are set as custom properties one by one, so none can add a rule;
 * what a value might load, the document's CSP refuses.
 *
 * @param root The document's root element; `color-scheme` and the colours follow its `data-theme`.
 * @param systemIsDark The buyer's system setting, for the theme `auto`.
 */
export function applyAppearance(root: HTMLElement, appearance: Appearance, systemIsDark: boolean): void {
  const { theme = 'light', variables = {} } = appearance
  const system = systemIsDark ? 'dark' : 'light'
  root.dataset.theme = theme === 'auto' ? system : theme
  for (const name of appearanceVariables) {
    const property = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const value = variables[name]
    if (value === undefined) root.style.removeProperty(property)
    else root.style.setProperty(property, value)
  }
}
