/**
 * Whether a card number's check digit is right. Source: ISO/IEC 7812-1, annex B.
 *
 * @param number Digits only, the check digit last.
 */
export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let fromEnd = 0; fromEnd < number.length; fromEnd++) {
    const value = Number(number.at(-1 - fromEnd)) * (fromEnd % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
