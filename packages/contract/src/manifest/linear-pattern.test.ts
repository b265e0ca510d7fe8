import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PatternRefused, compileLinearPattern } from './linear-pattern.ts'

const atom = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\n',
  '\\.',
  '\\/',
  '\\cJ',
  '\\x41',
  '\\u0061',
  '\\0',
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '😀',
  'é',
  '\\p{L}',
  '\\P{Lu}',
  '\\p{Script=Greek}',
  '\\p{Emoji}',
  '\\b',
  '\\B',
  '^',
  '$',
  '[a-c]',
  '[^a-c]',
  '[]',
  '[^]',
  '[\\s\\d]',
  '[^\\S]',
  '[a\\-z]',
  '[-a]',
  '[a-]',
  '[\\b]',
  '[\\p{L}-]',
  '[^😀]',
  '[\\ud83d\\ude00-\\u{1f64f}]',
)
const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{0}', '{1,}', '{0,3}')
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('piece'), tie('piece')).map((both) => both.join('|')),
  ),
  piece: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(atom, quantifier).map(([one, times]) => `${one}${/^(?:\\[bB]|[$^])$/.test(one) ? '' : times}`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('pattern'), quantifier)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
  ),
}))
const text = fc
  .array(
    fc.constantFrom('a', 'b', 'A', '1', '-', '_', '.', ' ', '\n', '\u2028', '\ufeff', 'é', 'λ', '😀', '\0', '\b', ']'),
    {
      maxLength: 12,
    },
  )
  .map((chars) => chars.join(''))

test('a pattern means the same as in JavaScript with the u flag', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      // V8 looks for \B in the middle of a character of two halves, too: /\B/u.exec('a😀a').index is 2.
      fc.pre(!source.includes(String.raw`\B`) || !texts.some((each) => each.includes('😀')))
      // V8 finds no class of such characters before an end: /[^a-c]$/u.test('😀') is false.
      fc.pre(!source.includes('$') || !texts.some((each) => each.includes('😀')))
      const native = nativeAnswers(source, texts)
      fc.pre(native !== null)
      const linear = compileLinearPattern(source)
      expect(texts.map((each) => linear.test(each))).toEqual(native)
    }),
    { numRuns: 2_000 },
  )
})

/** Where JavaScript's own engine can be stopped. */
const realm = createContext({})
const answers = new Script(
  '{ const pattern = new RegExp(source, "u"); texts.map((text) => pattern.test(text)).map(Number).join() }',
)
/** Mostly it takes microseconds. */
const NATIVE_MS = 200
/** With more quantifiers, within one another, the engine may try one way after the other for minutes. */
const QUICK_QUANTIFIERS = 6

/**
 * Matches of each text by JavaScript's own engine; `null` if two groups have the same name, which is no valid regular
 * expression, and where the engine would take too long.
 */
function nativeAnswers(source: string, texts: readonly string[]): boolean[] | null {
  const quantifiers = source.match(/[*+]|\)\?|\{\d/g) ?? []
  try {
    if (quantifiers.length <= QUICK_QUANTIFIERS) {
      const native = new RegExp(source, 'u')
      return texts.map((each) => native.test(each))
    }
    // Stopping takes a thread of its own, which costs more than the rest.
    Object.assign(realm, { source, texts })
    const answered = String(answers.runInContext(realm, { timeout: NATIVE_MS }))
    return answered.split(',').map((each) => each === '1')
  } catch {
    return null
  }
}

test.each([
  [String.raw`^\p{L}[\p{L}' -]*$`, 'Zoë O’Neill', false],
  [String.raw`^\p{L}[\p{L}' -]*$`, "Zoë O'Neill", true],
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 'ada@example.com', true],
  [String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, 'ada @example.com', false],
  ['^#(?:[0-9a-fA-F]{3}){1,2}$', '#FFcc00', true],
  ['^https://[^/]+/', 'https://shop.example/tote', true],
])('%s on %j is %s', (source, value, fits) => {
  expect(compileLinearPattern(source).test(value)).toBe(fits)
})

test.each([
  ['(?=a)b', 'look ahead or behind'],
  ['(?!a)b', 'look ahead or behind'],
  ['(?<=a)b', 'look ahead or behind'],
  ['(?<!a)b', 'look ahead or behind'],
  [String.raw`(a)\1`, 'refer back to a group'],
  [String.raw`(?<x>a)\k<x>`, 'refer back to a group'],
  ['(?i:a)', 'change flags'],
  ['^.{1,5000}$', '1000 repetitions'],
  ['(?:a{100}){100}', '1000 repetitions'],
  ['(', 'valid JavaScript regular expression'],
  [String.raw`\-`, 'valid JavaScript regular expression'],
])('%s is refused with the rule it breaks and an alternative', (source, rule) => {
  const refused = refusalOf(source)
  expect(refused?.refusal.rule).toContain(rule)
  expect(refused?.refusal.fix).toMatch(/\.$/)
  expect(refused?.pattern).toBe(source)
})

test.each([
  ['[(?=]', '(?='],
  [String.raw`\(\?=`, '(?='],
  [String.raw`\\1`, String.raw`\1`],
])('%s resembles a refused pattern but is accepted', (source, value) => {
  expect(compileLinearPattern(source).test(value.slice(0, 3))).toBe(true)
})

function refusalOf(source: string): PatternRefused | null {
  try {
    compileLinearPattern(source)
    return null
  } catch (error) {
    if (error instanceof PatternRefused) return error
    throw error
  }
}
