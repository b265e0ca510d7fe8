import { passesLuhn } from '@tillwright/contract/card-rules'
import { type Brand, brandOf, brandRules } from './cards.ts'

/** The fewest and the most digits of a card number. Source: ISO/IEC 7812-1. */
const [MIN_DIGITS, MAX_DIGITS] = [12, 19]
/** How many characters that are neither letter nor digit may stand between two groups of one number. */
export const CARD_GAP_MAX = 8
/** How many groups a number has at least that a letter touches: `card4242 4242 4242 4242` is one, an id is none. */
const TOUCHED_MIN_GROUPS = 3
/** How numbers are printed and typed, in digits per group. */
const printed = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 3],
  [4, 6, 4],
  [4, 6, 5],
  [8, 8],
] as const

const overlooked: readonly Brand[] = ['unknown', 'uatp']

/**
 * Whether a text holds what looks like a card number: the prefix, the length and the check digit of a known network, in
 * digits of any script, whatever punctuation, space, control or invisible characters stand between them, up to eight at
 * a time. It takes time in proportion to the text.
 *
 * Digits are one number if nothing but such characters parts them. Where more digits follow each other than one number
 * has, those are looked at that are grouped as cards are printed, or parted by something else than their neighbours. A
 * single group of digits that touches a letter is part of an id.
 *
 * About one in ten numbers with such a prefix and length passes by chance, so these are left out: UUIDs, dates with
 * times, telephone numbers behind a `+`, decimal fractions, and article numbers (EAN-13). Brands without a check digit
 * are not looked for: every number of their range would be refused. Nor is UATP, whose numbers look like a time and a
 * counter behind it, as shops number their orders: `1795195406-12342`.
 */
export function findsCardNumber(text: string): boolean {
  const plain = isAscii(text) ? text : withAsciiDigits(text)
  if (!hasDigits(plain, MIN_DIGITS)) return false
  for (const run of runsOf(plain)) {
    for (const groups of candidatesOf(plain, run)) if (isCard(plain, groups)) return true
  }
  return false
}

/**
 * The same for the text of a program or a picture, which is full of numbers in a row: only what is written as cards are,
 * in one group or in groups with a space or a hyphen between them.
 */
export function findsPrintedCardNumber(text: string): boolean {
  if (!hasPrintedDigits(text)) return false
  for (const run of runsOf(text)) {
    for (const groups of printedIn(text, run)) if (isCard(text, groups)) return true
  }
  return false
}

/**
 * Whether enough digits for a card follow each other, with a space or a hyphen between some. Files have many megabytes, and
 * almost none of them do: so one character in twelve is looked at, and what stands around it if it may be of a number.
 */
function hasPrintedDigits(text: string): boolean {
  for (let at = MIN_DIGITS - 1; at < text.length; at += MIN_DIGITS) {
    if (!isOfPrinted(text, at)) continue
    let start = at
    while (start > 0 && isOfPrinted(text, start - 1)) start -= 1
    while (at + 1 < text.length && isOfPrinted(text, at + 1)) at += 1
    if (at + 1 - start >= MIN_DIGITS && /\d(?:[ -]?\d){11}/.test(text.slice(start, at + 1))) return true
  }
  return false
}

function isOfPrinted(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return (code >= 0x30 && code <= 0x39) || code === 0x20 || code === 0x2d
}

/** Digits without anything in between. */
interface Group {
  start: number
  end: number
  /** Whether a letter directly precedes or follows it. */
  isTouched: boolean
}

/** Whether there are so many digits at all: most texts have fewer than a card number, and need no closer look. */
function hasDigits(plain: string, wanted: number): boolean {
  let missing = wanted
  for (let index = 0; index < plain.length && missing <= plain.length - index; index++) {
    if (isDigit(plain, index)) missing -= 1
    if (missing === 0) return true
  }
  return false
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/**
 * A text in which every digit is one of ASCII, characters that stand for digits too (`４`, `④`, `𝟒`, `⁴`), all
 * that is not to be seen is a space, and what remains beyond ASCII is a letter.
 */
function withAsciiDigits(text: string): string {
  return text
    .replaceAll(/(?!\p{ASCII})\p{N}/gu, (number) => number.normalize('NFKC'))
    .replaceAll(/\p{Default_Ignorable_Code_Point}|[^\p{ASCII}\p{L}\p{N}]/gu, ' ')
    .replaceAll(/(?!\p{ASCII})\p{Nd}/gu, asciiDigit)
}

/**
 * Unicode lists the digits of a script consecutively from zero to nine, and adjacent runs start with another zero.
 * Source: the Unicode Standard, section 4.6, and its stability policy for Nd.
 */
function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((codePoint - first) % 10)
}

/** Groups that follow each other with nothing but gaps between them. A letter ends a run, and may touch its ends. */
function* runsOf(plain: string): Generator<Group[]> {
  let run: Group[] = []
  for (const { index, 0: word } of plain.matchAll(/[\dA-Za-z\u0080-\uffff]+/g)) {
    const end = index + word.length
    const isFar = index - (run.at(-1)?.end ?? index) > CARD_GAP_MAX
    const head = digitsAt(plain, index, end)
    if (isFar || head === index) {
      yield run
      run = []
    }
    if (head > index) run.push({ start: index, end: head, isTouched: head < end })
    if (head === end) continue
    yield run
    const tail = digitsBefore(plain, head, end)
    run = tail < end ? [{ start: tail, end, isTouched: true }] : []
  }
  yield run
}

function digitsAt(plain: string, start: number, end: number): number {
  let index = start
  while (index < end && isDigit(plain, index)) index += 1
  return index
}

function digitsBefore(plain: string, start: number, end: number): number {
  let index = end
  while (index > start && isDigit(plain, index - 1)) index -= 1
  return index
}

function isDigit(plain: string, index: number): boolean {
  const code = plain.charCodeAt(index)
  return code >= 0x30 && code <= 0x39
}

/** The parts of a run that could be a number: all of it, each group, and parts set apart by grouping or separator. */
function* candidatesOf(plain: string, run: readonly Group[]): Generator<readonly Group[]> {
  yield run
  yield* partsApart(plain, run)
  for (let first = 0; first < run.length && run.length > 1; first++) {
    const length = lengthOf(run[first])
    if (length >= MIN_DIGITS) yield run.slice(first, first + 1)
    for (const shape of printed) {
      if (shape[0] !== length || !shape.every((digits, index) => digits === lengthOf(run[first + index]))) continue
      const groups = run.slice(first, first + shape.length)
      // Amounts and years in a list may be grouped so as well.
      if (!/[,;\n]/.test(shownBy(plain, groups))) yield groups
    }
  }
}

function* printedIn(plain: string, run: readonly Group[]): Generator<readonly Group[]> {
  for (const group of run) if (lengthOf(group) >= MIN_DIGITS) yield [group]
  for (const groups of candidatesOf(plain, run)) {
    const isPrinted = printed.some(
      (shape) => shape.length === groups.length && shape.every((digits, index) => digits === lengthOf(groups[index])),
    )
    if (isPrinted && /^\d+(?:(?: \d+)+|(?:-\d+)+)$/.test(shownBy(plain, groups))) yield groups
  }
}

/** Yields at least three groups with the same separator between them and different ones around them. */
function* partsApart(plain: string, run: readonly Group[]): Generator<readonly Group[]> {
  const gapAfter = (index: number) => plain.slice(run[index]?.end, run[index + 1]?.start)
  let first = 0
  for (let last = 1; last < run.length; last++) {
    if (last + 1 < run.length && gapAfter(last) === gapAfter(first)) continue
    if (last - first >= 2 && last - first < MAX_DIGITS) yield run.slice(first, last + 1)
    first = last
  }
}

function lengthOf(group: Group | undefined): number {
  return group === undefined ? 0 : group.end - group.start
}

function shownBy(plain: string, groups: readonly Group[]): string {
  return plain.slice(groups[0]?.start, groups.at(-1)?.end)
}

function isCard(plain: string, groups: readonly Group[]): boolean {
  if (groups.length === 0 || groups.length > MAX_DIGITS) return false
  const digits = groups.map(({ start, end }) => plain.slice(start, Math.min(end, start + MAX_DIGITS + 1))).join('')
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || !passesLuhn(digits)) return false
  const brand = brandOf(digits)
  const { numberLengths, checkDigit } = brandRules[brand]
  if (overlooked.includes(brand) || !checkDigit || !numberLengths.includes(digits.length)) return false
  if (groups.length < TOUCHED_MIN_GROUPS && groups.some(({ isTouched }) => isTouched)) return false
  return !isSomethingElse(plain, groups[0]?.start ?? 0, groups.at(-1)?.end ?? 0)
}

const dateOrTime = String.raw`(?:[0-3]?\d([./-])[01]?\d\1(?:19|20)?\d\d|[0-2]?\d:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?)`
const datesAndTimes = new RegExp(`^${dateOrTime}(?:[^\\dA-Za-z]{1,4}${dateOrTime.replace('\\1', '\\2')})*$`)
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi
const UUID_CHARS = 36
/** The longest telephone number that begins as cards do has 13 digits: Germany's +49. Source: ITU-T E.164 and its annex. */
const PHONE_MAX_DIGITS = 13

/** Whether digits that would do as a card number are something else, to judge by what they look like and stand in. */
function isSomethingElse(plain: string, start: number, end: number): boolean {
  const shown = plain.slice(start, end)
  const before = plain.slice(Math.max(0, start - UUID_CHARS), start)
  const digits = shown.replaceAll(/\D/g, '')
  if (/\+[ (]?$/.test(before) && digits.length <= PHONE_MAX_DIGITS) return true
  if (/^\d{1,3}\.\d+$/.test(shown) || (/(?<![\d.])\d{1,3}\.$/.test(before) && digits === shown)) return true
  if (digits === shown && isArticleNumber(digits)) return true
  if (datesAndTimes.test(shown)) return true
  const around = before + plain.slice(start, end + UUID_CHARS)
  return [...around.matchAll(uuid)].some(
    ({ index }) => index <= before.length && index + UUID_CHARS >= before.length + shown.length,
  )
}

/** Source: GS1 General Specifications, section 7.9.1. */
function isArticleNumber(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return digits.length === 13 && sum % 10 === 0
}
