/**
 * Replaces the decimal digits of every script, full-width, Arabic-Indic, Devanagari and the rest, by those of ASCII;
 * all else stays. Unicode keeps the digits of a script side by side from zero to nine, and such runs touch only where
 * another zero follows, so a digit's value is its distance from the beginning of its run, modulo ten. Source: the
 * Unicode Standard, section 4.6, and its stability policy for Nd.
 */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0
    let first = codePoint
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((codePoint - first) % 10)
  })
}

/** The digits of a text, whatever their script, as those of ASCII. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replace(/\D/g, '')
}
