import { isObject, isText, oneOf } from './guards.ts'

/** What a shop may set, each a CSS value: `colorPrimary: '#0a7'`, `borderRadius: '12px'`. */
export const appearanceVariables = [
  'colorPrimary',
  'colorText',
  'colorMuted',
  'colorDanger',
  'colorBorder',
  'colorField',
  'fontFamily',
  'fontSize',
  'borderRadius',
  'spacing',
] as const

/** The themes; `auto` follows the buyer's system. */
export const themes = ['light', 'dark', 'auto'] as const

/** How the card form looks. `theme` is `light` unless said otherwise, since most shops are. */
export interface Appearance {
  theme?: (typeof themes)[number]
  variables?: { [K in (typeof appearanceVariables)[number]]?: string }
}

const isTheme = oneOf(themes)
const isVariableName = oneOf(appearanceVariables)

/** An appearance with known themes and variables only. */
export function isAppearance(value: unknown): value is Appearance {
  if (!isObject(value)) return false
  const { theme = 'light', variables = {} } = value
  if (!isTheme(theme) || !isObject(variables)) return false
  return Object.entries(variables).every(([name, text]) => isVariableName(name) && isText(text))
}
