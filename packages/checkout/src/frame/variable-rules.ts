import type { AppearanceVariable } from '../wire/appearance.ts'
import { readColor } from './read-color.ts'
import { readFontFamily } from './read-font-family.ts'
import { readLength } from './read-length.ts'
import { readNumber } from './read-number.ts'

/** What a variable takes. */
export interface VariableRule {
  /** Reads a shop's text. @returns The value for the custom property, or `null` where the text does not fit. */
  read(text: string): string | null
  /** What is wrong with a text that does not fit, in words without digits. */
  complaint: string
}

const color: VariableRule = { read: readColor, complaint: 'not a color' }

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
  colorPrimary: color,
  colorText: color,
  colorMuted: color,
  colorDanger: color,
  colorBorder: color,
  colorField: color,
  colorFieldText: color,
  colorLabel: color,
  colorPlaceholder: color,
  colorFocus: color,
  colorIcon: color,
  fontFamily: { read: readFontFamily, complaint: 'not a list of font families' },
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
  iconStyle: { read: (text) => iconFilters.get(text) ?? null, complaint: 'not color, mono or none' },
}

function lengthFrom(minPx: number, maxPx: number): VariableRule {
  return { read: (text) => readLength(text, { minPx, maxPx }), complaint: 'not a length, or too small or large' }
}

function numberFrom(min: number, max: number): VariableRule {
  return { read: (text) => readNumber(text, min, max), complaint: 'not a number, or too small or large' }
}
