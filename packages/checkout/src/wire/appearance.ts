import { isObject, isText, oneOf } from './guards.ts'

/** The themes. `flat` and `minimal` are light; `auto` is `light` or `dark`, as the buyer's system is. */
export const themes = ['light', 'dark', 'flat', 'minimal', 'auto'] as const

/** What a shop may set about the form's colours. */
export type ColorVariable =
  | 'colorPrimary'
  | 'colorText'
  | 'colorMuted'
  | 'colorDanger'
  | 'colorBorder'
  | 'colorField'
  | 'colorFieldText'
  | 'colorLabel'
  | 'colorPlaceholder'
  | 'colorFocus'
  | 'colorIcon'

/** What a shop may set about letters. */
export type TextVariable = 'fontFamily' | 'fontSize' | 'fontWeight' | 'lineHeight' | 'labelFontSize' | 'labelFontWeight'

/** What a shop may set about boxes, and the brand's mark: `color`, `mono` or `none`. */
export type BoxVariable =
  | 'borderRadius'
  | 'borderWidth'
  | 'focusWidth'
  | 'spacing'
  | 'fieldPaddingX'
  | 'fieldPaddingY'
  | 'iconStyle'

/** What a shop may set, each a CSS value: `colorPrimary: '#0a7'`, `borderRadius: '12px'`. */
export type AppearanceVariable = ColorVariable | TextVariable | BoxVariable

/**
 * How the card form looks. `theme` is `light` unless said otherwise, since most shops are. A variable whose value does
 * not fit is as if it had not been set, and the page's console says so.
 */
export interface Appearance {
  theme?: (typeof themes)[number]
  variables?: { [K in AppearanceVariable]?: string }
}

const isTheme = oneOf(themes)

/**
 * An appearance with a known theme, and texts for variables. What the variables are called and what their texts say is
 * judged in the frame alone (`variableRules`), so that no page has to load the rules.
 */
export function isAppearance(value: unknown): value is Appearance {
  if (!isObject(value)) return false
  const { theme = 'light', variables = {} } = value
  return isTheme(theme) && isObject(variables) && Object.values(variables).every(isText)
}
