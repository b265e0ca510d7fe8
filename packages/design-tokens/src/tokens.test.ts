import { describe, expect, test } from 'vitest'
import { colours, tokensCss } from './tokens.ts'

type Name = keyof typeof colours

/** The relative luminance of a colour. Source: WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const grounds: readonly Name[] = ['canvas', 'surface', 'raised', 'sunken']
const texts: readonly Name[] = ['ink', 'ink-soft', 'ink-faint', 'accent', 'good', 'wait', 'bad', 'calm']
const pairs: readonly (readonly [text: Name, ground: Name])[] = [
  ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...(['good', 'wait', 'bad', 'calm', 'accent'] as const).map((tone) => [tone, `${tone}-soft`] as const),
  ['accent-ink', 'accent'],
  ['ink', 'accent-soft'],
  ['ink', 'wait-soft'],
]

describe.each(['light', 'dark'] as const)('in %s', (mode) => {
  test.each(pairs)('%s can be read on %s: 4.5 to 1', (text, ground) => {
    expect(contrast(colours[text][mode], colours[ground][mode])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(grounds)('the border of a field is seen on %s: 3 to 1', (ground) => {
    expect(contrast(colours['line-strong'][mode], colours[ground][mode])).toBeGreaterThanOrEqual(3)
  })
})

test('a page gets the tokens that it names, each for light and dark, and all of them without names', () => {
  expect(tokensCss(['ink', 'corner'])).toBe(
    ':root{color-scheme:light dark;--ink:light-dark(#1d1b16,#efece5);--corner:0.5rem}',
  )
  for (const name of Object.keys(colours)) expect(tokensCss()).toContain(`--${name}:light-dark(#`)
})
