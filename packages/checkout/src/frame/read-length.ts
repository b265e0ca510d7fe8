/** What browsers begin with, and what `em` and `rem` are measured by here. */
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
export function readLength(text: string, { minPx, maxPx }: LengthBounds): string | null {
  const [, number, unit] = /^(\d{0,3}\.?\d{1,6})(px|r?em)$/.exec(text === '0' ? '0px' : text) ?? []
  if (number === undefined) return null
  const lengthPx = Number(number) * (unit === 'px' ? 1 : ROOT_FONT_SIZE_PX)
  if (lengthPx < minPx || lengthPx > maxPx) return null
  return number + unit
}
