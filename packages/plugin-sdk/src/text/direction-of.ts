/** The scripts in use that are written from right to left. */
const RIGHT_TO_LEFT = 'Adlm Arab Hebr Nkoo Rohg Syrc Thaa'

/**
 * Which way a language is written.
 *
 * @param tag A BCP 47 tag.
 * @throws {RangeError} For what is no tag.
 */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(tag).maximize()
  return RIGHT_TO_LEFT.includes(`${script}`) ? 'rtl' : 'ltr' // no script that is not known is among them
}
