/** A range of code points, inclusive. */
export type Range = readonly [number, number]

const LAST = 0x10_ffff
export const DIGITS: readonly Range[] = [[0x30, 0x39]]
export const WORDS: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** ECMAScript's WhiteSpace and LineTerminator; RE2's `\s` is ASCII only. */
export const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
]
export const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
]
/** The first code point of a text. */
export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}

/** A range of a single code point. */
export function just(code: number): readonly Range[] {
  return [[code, code]]
}

/** One code point in RE2 syntax. */
export function literal(code: number): string {
  return `\\x{${code.toString(16)}}`
}

/** A class of code points in RE2 syntax. RE2 has no empty class, so it is written as the negation of everything. */
export function classOf(ranges: readonly Range[]): string {
  if (ranges.length === 0) return `[^${literal(0)}-${literal(LAST)}]`
  return `[${ranges.map(([from, to]) => (from === to ? literal(from) : `${literal(from)}-${literal(to)}`)).join('')}]`
}

/** All other code points. */
export function complementOf(ranges: readonly Range[]): readonly Range[] {
  const rest: Range[] = []
  let next = 0
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > next) rest.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  return next > LAST ? rest : [...rest, [next, LAST]]
}

const properties = new Map<string, readonly Range[]>()

/**
 * The code points with a Unicode property in this JavaScript engine: RE2 supports fewer properties, from another
 * Unicode version.
 */
export function propertyOf(escape: string, negated: boolean): readonly Range[] {
  let ranges = properties.get(escape)
  if (ranges === undefined) {
    ranges = [...everyCharacter().matchAll(new RegExp(`${escape}+`, 'gu'))].flatMap(([run]) => runOf(run))
    properties.set(escape, ranges)
  }
  return negated ? complementOf(ranges) : ranges
}

function runOf(run: string): readonly Range[] {
  return [[codeOf(run), codeOf(run.slice(-2)) > 0xff_ff ? codeOf(run.slice(-2)) : codeOf(run.slice(-1))]]
}

let characters: string | undefined

/** All code points except surrogates, in order. */
function everyCharacter(): string {
  characters ??= Array.from({ length: (LAST + 1) / BLOCK }, (_, block) => block * BLOCK)
    .filter((first) => first < 0xd8_00 || first > 0xdf_ff)
    .map((first) => String.fromCodePoint(...Array.from({ length: BLOCK }, (_, at) => first + at)))
    .join('')
  return characters
}

/** The number of code points joined at once; a divisor of the positions where the surrogates begin and end. */
const BLOCK = 2_048
