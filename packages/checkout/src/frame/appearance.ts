import type { Appearance, AppearanceVariable, ToPage } from '../wire/index.ts'

// The names of CSS 2.1, which everybody knows, and `transparent`; the other 130 are not worth their bytes.
const COLOR_NAMES =
  'transparent|black|silver|gray|white|maroon|red|purple|fuchsia|green|lime|olive|yellow|navy|blue|teal|aqua|orange'
const NUMBER = '(?:\\d{1,3}(?:\\.\\d{1,6})?|\\.\\d{1,6})'
const PERCENTAGE = `${NUMBER}%`
const ALPHA = `${NUMBER}%?`
const HEX = '#(?:[\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})'
const RGB = `rgba?\\( ?(?:${channels(NUMBER, NUMBER, NUMBER)}|${channels(PERCENTAGE, PERCENTAGE, PERCENTAGE)}) ?\\)`
const HSL = `hsla?\\( ?${channels(`${NUMBER}(?:deg)?`, PERCENTAGE, PERCENTAGE)} ?\\)`
const COLOR = `(?:${COLOR_NAMES}|${HEX}|${RGB}|${HSL})`
const ONE_OR_TWO = new RegExp(`^(?:${COLOR}|light-dark\\( ?${COLOR} ?, ?${COLOR} ?\\))$`, 'i')

/**
 * Reads a colour of CSS Color 4: hexadecimal, `rgb()`, `hsl()`, a name of CSS 2.1, `transparent`, or two of them in
 * `light-dark()`.
 *
 * @param text A value whose white space is single spaces.
 * @returns The colour as it stands, or `null` for everything else.
 */
function readColor(text: string): string | null {
  return ONE_OR_TWO.test(text) ? text : null
}

/** Three channels and perhaps an alpha, all separated by commas, or by spaces and a slash. */
function channels(first: string, second: string, third: string): string {
  const commas = `${first} ?, ?${second} ?, ?${third}(?: ?, ?${ALPHA})?`
  return `(?:${commas}|${first} ${second} ${third}(?: ?/ ?${ALPHA})?)`
}

// A bare name is words of CSS, and none of those that stand for a value from elsewhere.
const WORD = '-?[a-z_][\\w-]{0,30}'
const BARE = `(?!(?:inherit|initial|unset|revert|default)\\b)${WORD}(?: ${WORD}){0,5}`
const FONT_FAMILY = `(?:${BARE}|"[\\w -]{1,40}"|'[\\w -]{1,40}')`
const FONT_FAMILIES = new RegExp(`^${FONT_FAMILY}(?: ?, ?${FONT_FAMILY}){0,15}$`, 'i')

/**
 * Reads a list of fonts, at most 16. They are fonts of the buyer's system and generic ones: the frame can load none.
 *
 * @param text A value whose white space is single spaces.
 * @returns The list as it stands, or `null` for everything else.
 */
function readFontFamily(text: string): string | null {
  return FONT_FAMILIES.test(text) ? text : null
}

/** The default of browsers, by which `em` and `rem` are measured here. */
const ROOT_FONT_SIZE_PX = 16

/** The smallest and largest length that a variable may have, in pixels. */
export interface LengthBounds {
  minPx: number
  maxPx: number
}

/**
 * Reads a length of CSS: `0`, or a number with `px`, `em` or `rem`.
 *
 * @returns The length as it stands, or `null` for everything else and for what is out of bounds.
 */
function readLength(text: string, { minPx, maxPx }: LengthBounds): string | null {
  const [, number, unit] = /^(\d{0,3}\.?\d{1,6})(px|r?em)$/.exec(text === '0' ? '0px' : text) ?? []
  if (number === undefined) return null
  const lengthPx = Number(number) * (unit === 'px' ? 1 : ROOT_FONT_SIZE_PX)
  if (lengthPx < minPx || lengthPx > maxPx) return null
  return number + unit
}

/**
 * Reads a number without a unit: `400`, `1.5`.
 *
 * @returns The number as it stands, or `null` for everything else and for what is out of bounds.
 */
function readNumber(text: string, min: number, max: number): string | null {
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text)) return null
  return Number(text) >= min && Number(text) <= max ? text : null
}

/** The rule of a variable's values. */
export interface VariableRule {
  /** Reads a shop's text. @returns The value for the custom property, or `null` where the text does not fit. */
  read(text: string): string | null
  /** The message for a text that does not fit, without digits. */
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

/** A variable that was left out: its name, as far as it is safe to repeat, and why, both without digits. */
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
 * @returns The parts that were ignored.
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

/** The part of an unknown name that is safe to repeat. */
function repeatable(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[^-a-z]/gi, '_')
}

/** The custom property of a variable: `--border-radius` of `borderRadius`. */
export function propertyOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
