import type { AppearanceVariable } from '../wire/appearance.ts'
import { readColor } from './read-color.ts'
import { readFontFamily } from './read-font-family.ts'
import { readLength } from './read-length.ts'
import { readNumber } from './read-number.ts'

/** Reads a shop's text. @returns The value for the custom property, or `null` where the text does not fit. */
export type VariableRule = (text: string) => string | null

// The mark is drawn through this filter.
const iconFilters = new Map([
  ['color', 'none'],
  ['mono', 'grayscale(1)'],
  ['none', 'opacity(0)'],
])

/**
 * The closed table of variables, each with the rule of its values. A rule takes what its grammar names and nothing
 * else, so a value cannot end its declaration, load anything, or refer to another property.
 */
export const variableRules: Readonly<Record<AppearanceVariable, VariableRule>> = {
  colorPrimary: readColor,
  colorText: readColor,
  colorMuted: readColor,
  colorDanger: readColor,
  colorBorder: readColor,
  colorField: readColor,
  colorFieldText: readColor,
  colorLabel: readColor,
  colorPlaceholder: readColor,
  colorFocus: readColor,
  colorIcon: readColor,
  fontFamily: readFontFamily,
  fontSize: lengthFrom(12, 24),
  fontWeight: numberFrom(100, 900),
  lineHeight: numberFrom(1, 2),
  labelFontSize: lengthFrom(11, 24),
  labelFontWeight: numberFrom(100, 900),
  borderRadius: lengthFrom(0, 40),
  borderWidth: lengthFrom(0, 4),
  focusWidth: lengthFrom(2, 4), // a thinner ring is not seen (WCAG 2.2, 2.4.13)
  spacing: lengthFrom(0, 48),
  fieldPaddingX: lengthFrom(0, 32),
  fieldPaddingY: lengthFrom(0, 32),
  iconStyle: (text) => iconFilters.get(text) ?? null,
}

function lengthFrom(minPx: number, maxPx: number): VariableRule {
  return (text) => readLength(text, { minPx, maxPx })
}

function numberFrom(min: number, max: number): VariableRule {
  return (text) => readNumber(text, min, max)
}
