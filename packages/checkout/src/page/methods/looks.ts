import type { Appearance } from '../../wire/index.ts'

// Values of the variables as in the card frame (`frame/card.css`), under the names that a shop gives them.
const light =
  '--colorPrimary:#3451d1;--colorText:#1c2030;--colorMuted:#5f677a;--colorDanger:#c0263a;--colorBorder:#868d9e;--colorField:#fff;--colorFieldText:var(--colorText);--colorLabel:var(--colorText);--colorFocus:var(--colorPrimary);--fontFamily:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;--fontSize:16px;--fontWeight:400;--lineHeight:1.4;--labelFontSize:.875em;--labelFontWeight:600;--borderRadius:8px;--borderWidth:1px;--focusWidth:2px;--spacing:14px;--fieldPaddingX:.75em;--fieldPaddingY:.68em;'
const themes = {
  light: '',
  dark: '--colorPrimary:#93a7ff;--colorText:#eef0f6;--colorMuted:#a2a9bb;--colorDanger:#ff8d99;--colorBorder:#737b8f;--colorField:#1d2130;',
  flat: '--colorBorder:#767e91;--colorField:#edeff4;--borderRadius:6px;--borderWidth:2px;',
  minimal:
    '--colorField:transparent;--labelFontSize:.8125em;--labelFontWeight:500;--colorLabel:var(--colorMuted);--borderRadius:0;',
}

/** Styles of the parts. They are set on each element, which every policy of a page allows. */
export const styles = {
  root: 'border:0;margin:0;padding:0;min-width:0;color:var(--colorText);font:var(--fontSize)/var(--lineHeight) var(--fontFamily);accent-color:var(--colorPrimary);overflow-wrap:anywhere;',
  label:
    'display:block;padding:0;margin:0 0 .3em;color:var(--colorLabel);font-size:var(--labelFontSize);font-weight:var(--labelFontWeight)',
  option:
    'border:var(--borderWidth) solid var(--colorBorder);border-radius:var(--borderRadius);margin:0 0 .6em;padding:0 var(--fieldPaddingX)',
  choice: 'display:flex;gap:.6em;align-items:center;margin:0;padding:var(--fieldPaddingY) 0;cursor:pointer',
  agreement: 'display:flex;gap:.6em;align-items:start;margin:0;font-size:.875em',
  mark: 'flex:none;width:1.1em;height:1.1em;margin:.1em 0',
  input:
    'box-sizing:border-box;width:100%;margin:0;padding:var(--fieldPaddingY) var(--fieldPaddingX);border:var(--borderWidth) solid var(--colorBorder);border-radius:var(--borderRadius);background:var(--colorField);color:var(--colorFieldText);font:inherit;font-weight:var(--fontWeight)',
  field: 'margin:0 0 var(--spacing)',
  card: 'padding:0 0 var(--spacing)',
  hint: 'margin:0 0 var(--spacing);color:var(--colorMuted)',
  message: 'margin:.3em 0 0;color:var(--colorDanger);font-size:.875em',
}

/** Dresses the root in a shop's appearance, and again where the buyer's system changes. @returns A function that ends it. */
export function wear(root: HTMLElement, { theme = 'light', variables = {} }: Appearance): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const dress = (): void => {
    const worn = theme === 'auto' ? (system.matches ? 'dark' : 'light') : theme
    root.style.cssText = `${light}${themes[worn]}${styles.root}color-scheme:${worn === 'dark' ? worn : 'light'}`
    // One value each, whatever a shop writes: it cannot end its declaration.
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(`--${name}`, value)
  }
  dress()
  system.addEventListener('change', dress)
  return () => system.removeEventListener('change', dress)
}

/** Makes an element of the page. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  style: string,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.style.cssText = style
  element.append(...inside)
  return element
}
