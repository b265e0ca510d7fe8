import { isObject } from '@tillwright/contract/json'
import { isText, oneOf } from './guards.ts'

/** The themes. `flat` and `minimal` are light; `auto` is `light` or `dark`, as the buyer's system is. */
export const themes = ['light', 'dark', 'flat', 'minimal', 'auto'] as const

/** Variables of colours. */
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

/** Variables of text. */
export type TextVariable = 'fontFamily' | 'fontSize' | 'fontWeight' | 'lineHeight' | 'labelFontSize' | 'labelFontWeight'

/** Variables of boxes, and of the brand's mark: `color`, `mono` or `none`. */
export type BoxVariable =
  | 'borderRadius'
  | 'borderWidth'
  | 'focusWidth'
  | 'spacing'
  | 'fieldPaddingX'
  | 'fieldPaddingY'
  | 'iconStyle'

/** All variables; each takes a CSS value: `colorPrimary: '#0a7'`, `borderRadius: '12px'`. */
export type AppearanceVariable = ColorVariable | TextVariable | BoxVariable

/**
 * The look of the card form. `theme` is `light` by default. A variable with an invalid value is ignored, with a warning
 * on the page's console.
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
