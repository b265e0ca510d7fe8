/** The two colours that letters on an accent can have. */
const DARK = '#10121a'
const LIGHT = '#ffffff'

/**
 * The colour of letters on a ground: dark or light, whichever has more contrast. Source: WCAG 2.2, "relative luminance".
 *
 * @param ground Red, green and blue from 0 to 255.
 */
export function readableOn(ground: Rgb): string {
  const luminance = luminanceOf(ground)
  const withLight = 1.05 / (luminance + 0.05)
  const withDark = (luminance + 0.05) / (0.0061 + 0.05) // the luminance of DARK
  return withLight >= withDark ? LIGHT : DARK
}

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** How light a colour is, from 0 (black) to 1 (white). */
export function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
