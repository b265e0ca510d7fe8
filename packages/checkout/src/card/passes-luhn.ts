/**
 * Checks the last digit of a card number.
 *
 * @param digits The whole number, digits only.
 * @returns Whether the check digit fits. Source: ISO/IEC 7812-1, annex B.
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
