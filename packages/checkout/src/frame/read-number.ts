/**
 * Reads a number without a unit: `400`, `1.5`.
 *
 * @returns The number as it stands, or `null` for everything else and for what is out of bounds.
 */
export function readNumber(text: string, min: number, max: number): string | null {
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text)) return null
  return Number(text) >= min && Number(text) <= max ? text : null
}
