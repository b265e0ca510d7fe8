/**
 * Puts the month first and in two digits, if the text shows a month of one digit or a year that stands first: `1/34`
 * becomes `01/34`, `2034-12` becomes `12/2034`, and `5` can only be May. Any other text comes back as it is.
 *
 * @param text Its digits are those of ASCII.
 */
export function monthFirst(text: string): string {
  const yearFirst = /^\s*(\d{4})\s*[-/.]\s*(\d{1,2})\s*$/.exec(text)
  if (yearFirst) return `${yearFirst[2]?.padStart(2, '0')}/${yearFirst[1]}`
  const shortMonth = /^\s*(\d)\s*[-/.]\s*(\d{4}|\d{2})?\s*$/.exec(text)
  if (shortMonth) return `0${shortMonth[1]}/${shortMonth[2] ?? ''}`
  return /^[2-9]$/.test(text) ? `0${text}` : text
}
