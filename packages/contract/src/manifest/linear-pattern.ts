import { RE2JS } from 're2js'
import {
  DIGITS,
  LINE_ENDS,
  SPACES,
  WORDS,
  classOf,
  codeOf,
  complementOf,
  just,
  literal,
  propertyOf,
  type Range,
} from './code-points.ts'

/** A pattern of a settings schema, compiled. */
export interface LinearPattern {
  /** Whether the pattern matches anywhere in the text. Takes time proportional to the length of the text. */
  test: (text: string) => boolean
  /** The pattern as a literal. Validators identify patterns by it. */
  toString: () => string
}

/** Why a pattern is refused, and what to write instead. Both are complete sentences. */
export interface PatternRefusal {
  rule: string
  fix: string
}

/** The maximum number of repetitions a pattern may count; nested counts are multiplied. */
export const PATTERN_MAX_REPEATS = 1_000

/** Thrown for a pattern that settings schemas may not use. */
export class PatternRefused extends Error {
  override readonly name = 'PatternRefused'
  readonly pattern: string
  readonly refusal: PatternRefusal

  constructor(pattern: string, refusal: PatternRefusal, options?: ErrorOptions) {
    super(`${refusal.rule} ${refusal.fix}`, options)
    this.pattern = pattern
    this.refusal = refusal
  }
}

/**
 * Compiles a pattern of a settings schema for an engine without backtracking (RE2), so that matching time is bounded by
 * the length of the text. The pattern has the meaning of a JavaScript regular expression with the `u` flag, as JSON
 * Schema recommends: it is rewritten into code point ranges, because RE2 interprets `.`, `\s` and `\p{...}`
 * differently.
 *
 * @throws {PatternRefused} If it is not a regular expression, or uses features that cannot run in linear time.
 */
export function compileLinearPattern(pattern: string): LinearPattern {
  refuseInvalid(pattern)
  const translated = new Translation(pattern).run()
  try {
    const compiled = RE2JS.compile(translated)
    return { test: (text) => compiled.test(text), toString: () => `/${pattern}/u` }
  } catch (error) {
    // It is valid and translated, so only its size can be refused.
    throw new PatternRefused(pattern, tooManyRepeats, { cause: error })
  }
}

function refuseInvalid(pattern: string): void {
  try {
    RegExp(pattern, 'u')
  } catch {
    throw new PatternRefused(pattern, invalid)
  }
}

const invalid: PatternRefusal = {
  rule: 'A pattern must be a valid JavaScript regular expression with the "u" flag.',
  fix: 'Correct the expression; in JSON, write a backslash twice.',
}
const lookaround: PatternRefusal = {
  rule: 'A pattern must not look ahead or behind: (?=...), (?!...), (?<=...) and (?<!...) cannot be checked in linear time.',
  fix: 'Write each condition as its own pattern under "allOf", and a negative one under "not".',
}
const backreference: PatternRefusal = {
  rule: 'A pattern must not refer back to a group: \\1 and \\k<name> cannot be checked in linear time.',
  fix: "Write out what may be repeated, or check it in the plugin's code.",
}
const modifiers: PatternRefusal = {
  rule: 'A pattern must not change flags inside: (?i:...) and the like are not supported.',
  fix: 'Write both cases out: [aA].',
}
const tooManyRepeats: PatternRefusal = {
  rule: `A pattern must not count more than ${PATTERN_MAX_REPEATS} repetitions; nested counts are multiplied.`,
  fix: 'Use "minLength" and "maxLength" for the length of the text.',
}

const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d, '0': 0 }

/** Rewrites a valid pattern. With the `u` flag the grammar is strict, so a single pass without look-back is enough. */
class Translation {
  readonly #pattern: string
  #at = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  run(): string {
    let out = ''
    while (this.#at < this.#pattern.length) out += this.#next()
    return out
  }

  #next(): string {
    const char = this.#take()
    switch (char) {
      case '^':
        return String.raw`\A`
      case '$':
        return String.raw`\z`
      case '.':
        return classOf(complementOf(LINE_ENDS))
      case '(':
        return this.#group()
      case '[':
        return classOf(this.#class())
      case '{':
        return `{${this.#takeThrough('}')}}`
      case '\\':
        return this.#escape()
    }
    return ')|*+?'.includes(char) ? char : literal(codeOf(char))
  }

  #group(): string {
    if (!this.#skip('?')) return '(?:'
    if (this.#skip(':')) return '(?:'
    if (['=', '!', '<=', '<!'].some((sign) => this.#pattern.startsWith(sign, this.#at))) this.#refuse(lookaround)
    if (!this.#skip('<')) this.#refuse(modifiers)
    this.#takeThrough('>')
    return '(?:'
  }

  #escape(): string {
    if (this.#skip('b')) return String.raw`\b`
    if (this.#skip('B')) return String.raw`\B`
    if (/^(?:[1-9]|k)/.test(this.#pattern.slice(this.#at, this.#at + 1))) this.#refuse(backreference)
    return classOf(this.#escaped())
  }

  /** Parses the part after a backslash, inside or outside of brackets. */
  #escaped(): readonly Range[] {
    const char = this.#take()
    switch (char) {
      case 'd':
        return DIGITS
      case 'D':
        return complementOf(DIGITS)
      case 'w':
        return WORDS
      case 'W':
        return complementOf(WORDS)
      case 's':
        return SPACES
      case 'S':
        return complementOf(SPACES)
      case 'p':
      case 'P':
        return propertyOf(`\\p${this.#takeThrough('}')}}`, char === 'P')
      case 'c':
        return just(codeOf(this.#take()) % 32)
      case 'x':
        return just(this.#hex(2))
      case 'u':
        return just(this.#unicode())
    }
    return just(controls[char] ?? codeOf(char))
  }

  #unicode(): number {
    if (this.#skip('{')) return Number.parseInt(this.#takeThrough('}'), 16)
    const high = this.#hex(4)
    const pair = /^\\u(d[c-f][0-9a-f]{2})/i.exec(this.#pattern.slice(this.#at, this.#at + 6))
    if (high < 0xd8_00 || high > 0xdb_ff || pair?.[1] === undefined) return high
    this.#at += 6
    return (high - 0xd8_00) * 0x4_00 + (Number.parseInt(pair[1], 16) - 0xdc_00) + 0x1_00_00
  }

  /** Parses a bracketed class after its opening bracket. */
  #class(): readonly Range[] {
    const negated = this.#skip('^')
    const ranges: Range[] = []
    while (!this.#skip(']')) {
      const from = this.#member()
      const [first, ...more] = from
      // A hyphen at the end of a class is literal, and so is one after a set.
      const isRange = this.#pattern[this.#at] === '-' && this.#pattern[this.#at + 1] !== ']'
      if (!isRange || first === undefined || more.length > 0 || first[0] !== first[1]) {
        ranges.push(...from)
        continue
      }
      this.#at++
      const [to] = this.#member()
      ranges.push([first[0], to?.[1] ?? first[0]])
    }
    return negated ? complementOf(ranges) : ranges
  }

  #member(): readonly Range[] {
    const char = this.#take()
    if (char !== '\\') return just(codeOf(char))
    return this.#skip('b') ? just(0x08) : this.#escaped()
  }

  #take(): string {
    const char = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += char.length
    return char
  }

  #takeThrough(end: string): string {
    const from = this.#at
    this.#at = this.#pattern.indexOf(end, from) + 1
    return this.#pattern.slice(from, this.#at - 1)
  }

  #hex(digits: number): number {
    this.#at += digits
    return Number.parseInt(this.#pattern.slice(this.#at - digits, this.#at), 16)
  }

  #skip(sign: string): boolean {
    const isNext = this.#pattern.startsWith(sign, this.#at)
    if (isNext) this.#at += sign.length
    return isNext
  }

  #refuse(refusal: PatternRefusal): never {
    throw new PatternRefused(this.#pattern, refusal)
  }
}
