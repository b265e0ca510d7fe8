// The names of CSS 2.1, which everybody knows, and `transparent`; the other 130 are not worth their bytes.
const NAMES =
  'transparent|black|silver|gray|white|maroon|red|purple|fuchsia|green|lime|olive|yellow|navy|blue|teal|aqua|orange'
const NUMBER = '(?:\\d{1,3}(?:\\.\\d{1,6})?|\\.\\d{1,6})'
const PERCENTAGE = `${NUMBER}%`
const ALPHA = `${NUMBER}%?`
const HEX = '#(?:[\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})'
const RGB = `rgba?\\( ?(?:${channels(NUMBER, NUMBER, NUMBER)}|${channels(PERCENTAGE, PERCENTAGE, PERCENTAGE)}) ?\\)`
const HSL = `hsla?\\( ?${channels(`${NUMBER}(?:deg)?`, PERCENTAGE, PERCENTAGE)} ?\\)`
const COLOR = `(?:${NAMES}|${HEX}|${RGB}|${HSL})`
const ONE_OR_TWO = new RegExp(`^(?:${COLOR}|light-dark\\( ?${COLOR} ?, ?${COLOR} ?\\))$`, 'i')

/**
 * Reads a colour of CSS Color 4: hexadecimal, `rgb()`, `hsl()`, a name of CSS 2.1, `transparent`, or two of them in
 * `light-dark()`.
 *
 * @param text A value whose white space is single spaces.
 * @returns The colour as it stands, or `null` for everything else.
 */
export function readColor(text: string): string | null {
  return ONE_OR_TWO.test(text) ? text : null
}

/** Three channels and perhaps an alpha, all separated by commas, or by spaces and a slash. */
function channels(first: string, second: string, third: string): string {
  const commas = `${first} ?, ?${second} ?, ?${third}(?: ?, ?${ALPHA})?`
  return `(?:${commas}|${first} ${second} ${third}(?: ?/ ?${ALPHA})?)`
}
